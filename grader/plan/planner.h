/*
 * planner.h - from an assignment and submission directories to a run directory.
 */
#ifndef PLAN_PLANNER_H
#define PLAN_PLANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "rundir/resume_options.h"

struct plan_request {
    const char *assignment; /* file */
    const char *profile;    /* NULL: none */
    const char *roster;     /* CSV file, or NULL: every directory given */
    const char *overrides;  /* CSV file, or NULL: overrides.csv beside the roster, if there */
    bool seed_given;
    uint64_t seed;
    char *const *paths; /* submission directories, or directories of submissions */
    size_t paths_count;
    bool sweep;         /* the assignment's sweeps instead of its tiers */
    char *const *tiers; /* only these (tiers; sweeps, or their tiers); none: all */
    size_t tiers_count;
    const char *reports_dir; /* "reports" */
    const char *run_id;      /* NULL: made from assignment name and time */
    bool with_reference;     /* false: no units of the reference (self-tests); its sources are
                                in the run all the same, as baseline and yardstick */
    bool here;               /* units will run on this machine: tiers that it lacks are skipped */
    bool unprotected;        /* with `here`: do not ask for protections (rundir/plan.h) */
    const struct resume_options *execution; /* how the units will be executed; NULL: not known */
    struct subset only;    /* a part of the assignment, for a self-test; without a size */
    const char *size;      /* the only performance size, as the user wrote it; NULL: all */
    bool single;           /* a self-test: a directory of submissions is refused */
    struct strbuf *absent; /* receives a line for each student of the roster without a directory;
                              may be NULL */
    struct strbuf *notes;  /* receives lines about what was left out, for stderr; may be NULL */
    struct progress *progress; /* started; how many submissions were copied. May be NULL */
};

/* Create the run directory: copy the assignment and the sources, choose each unit's source file,
 * preset verdicts that are known without running (missing, forbidden, skipped), store how the
 * units will be executed, write plan.json last. The caller frees *run_dir. A path that holds at
 * least one source file of any tier is a submission; any other directory stands for the directories
 * in it, each a submission (hidden ones are left out).
 *
 * A source is taken only when it is a regular file of at most limits.source_bytes; headers
 * (source_name.h) beside it are taken too; nothing else is. The run appears under its name only
 * when it is complete, and never replaces another.
 *
 * A machine that lacks a protection which the assignment requires is refused where units are to
 * run `here`. */
int plan_create(const struct plan_request *req, char **run_dir, struct err *e);

#endif
