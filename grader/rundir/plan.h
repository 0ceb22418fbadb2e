/*
 * plan.h - what a run consists of: its submissions and units. Written once to RUN/plan.json, then
 * only read, but for which grader has graded a unit: it is what makes an interrupted run resumable.
 */
#ifndef RUNDIR_PLAN_H
#define RUNDIR_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"

#define PLAN_NO_TIME INT64_MIN

struct submission {
    char *id;   /* directory name with everything but [A-Za-z0-9._-] percent-encoded; unique */
    char *name; /* directory name as it is, or what the roster calls the student */
    char *path; /* absolute */
    bool is_reference;    /* the assignment's reference, always part of a run */
    char **roster_fields; /* of the plan's roster_columns; NULL: the submission is on no roster */
    /* When it was handed in, in seconds since 1970: by submitted.csv, and the newest of its files.
     * PLAN_NO_TIME: not known. */
    int64_t submitted, modified;
};

struct unit {
    int index;      /* in the plan, from 0 */
    char *id;       /* "alice.simd" */
    int submission; /* index */
    int tier;       /* index in the assignment */
    char *source;   /* file name chosen among the tier's sources, or NULL */
    bool preset;    /* the verdict is known without running */
    enum verdict verdict;
    char *message; /* with preset: why; else NULL */
    char *tools;   /* digest of the programs that graded it (rundir/tools.h), where these are not
                      those of resume.json: other units were graded later. Or NULL */
};

struct plan {
    char *run_id;
    char *created;         /* UTC */
    char *assignment_path; /* original, for people; the copy in the run directory is what counts */
    char *overrides_path;  /* of the file that RUN/overrides.csv is a copy of, which may not be
                              there yet; NULL: none was named */
    char *profile;         /* "" or a name */
    uint64_t seed;
    unsigned revision;  /* how often the run was regraded or rescored (rundir/revision.h) */
    char *revised;      /* "regrade of 2026-11-27T07:20:00Z": the last of these; NULL: none */
    bool self_test;     /* of one submission, by its owner */
    bool sweep;         /* its units are the assignment's sweeps, not its tiers */
    bool unprotected;   /* a self-test: what the assignment requires of machines is not asked for */
    struct subset only; /* a self-test: what it is limited to */
    char **roster_columns; /* of the roster, which grades.csv repeats */
    unsigned roster_columns_count;
    struct submission *submissions;
    unsigned submissions_count;
    struct unit *units; /* in the order of the submissions; one for each of its tiers */
    unsigned units_count;
};

/* Write RUN/plan.json atomically, mode 0600 (it holds the seed). */
int plan_save(const struct plan *p, const char *run_dir, struct err *e);
int plan_load(const char *run_dir, struct plan **out, struct err *e);
void plan_free(struct plan *p);
/* Count a change that is made now: "regrade", "rescore". */
void plan_revise(struct plan *p, const char *change);
/* Name of the profile in use, or NULL. */
static inline const char *plan_profile(const struct plan *p)
{
    return p->profile[0] ? p->profile : NULL;
}
/* Index of the reference among the submissions, or -1. */
int plan_reference(const struct plan *p);
/* Its id. */
const char *plan_reference_id(const struct plan *p);
/* Index of the unit with that id, or -1. */
int plan_unit(const struct plan *p, const char *id);
/* The same, found at once if it is the unit after `before`, as in lists in the order of the plan.
 */
int plan_unit_after(const struct plan *p, int before, const char *id);
/* Indices from `first` to before `end`. */
struct unit_range {
    unsigned first, end;
};
/* The units of a submission (an index; -1: of all). */
struct unit_range plan_units_of(const struct plan *p, int submission);
/* Index of the unit of a submission in a tier; -1: there is none, or the submission is -1. */
int plan_unit_of(const struct plan *p, int submission, int tier);
/* How many units are known without running: missing, skipped, forbidden. */
unsigned plan_presets(const struct plan *p);
/* Has any submission a unit in this tier? */
bool plan_has_tier(const struct plan *p, int tier);

#endif
