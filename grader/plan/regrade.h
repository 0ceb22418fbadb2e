/*
 * regrade.h - plan a run again, in place: which units must run again because something that they
 * depend on has changed, and which keep their results.
 */
#ifndef PLAN_REGRADE_H
#define PLAN_REGRADE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "rundir/run.h"

struct regrade_request {
    const struct run *old;  /* open, and locked by this process */
    const char *assignment; /* file; NULL: the one that the run was planned from */
    char *const *dirs;      /* look for submissions here; none: where they were */
    size_t dirs_count;
    char *const *only; /* "student" or "student.tier": these run again in any case, no others */
    size_t only_count;
    const char *overrides; /* file; NULL: the one that the plan names */
    char *const *prefix;   /* words before compilers, as proctors have them (modules); NULL: none */
    bool here;             /* units will run on this machine: tiers that it lacks are skipped */
    struct strbuf *notes;  /* receives lines for stderr */
    struct progress *progress;         /* started; may be NULL */
    const volatile sig_atomic_t *stop; /* when it becomes nonzero, give up; may be NULL */
};

/* A unit that runs again, or one that the run no longer has. */
struct regrade_change {
    char *unit; /* id */
    char *why;  /* "source", "asked for", "assignment: tiers.simd.compile" */
};

struct regrade_plan {
    char *draft; /* directory, for revision_commit() or revision_abandon() */
    struct regrade_change *change;
    size_t changes;
    size_t again; /* of these, units that run */
    size_t kept;  /* units that keep their results */
    bool policy;  /* what results are worth has changed, perhaps: assignment, overrides, times */
};

/* Without `only` and `dirs`, everything is looked at: sources, assignment, adapters, matrices,
 * reference, compilers and the programs of the grader. With them, only the sources of these
 * submissions are: assignment and reference stay as they are in the run. A student whose directory
 * is gone keeps what the run has. Returns 0, 1 when it gave up, or -1. To be freed with
 * regrade_plan_free() in every case; without 0, there is no draft. */
int regrade_make(const struct regrade_request *req, struct regrade_plan *out, struct err *e);
void regrade_plan_free(struct regrade_plan *p);

#endif
