/*
 * pipeline.h - continue a run from what is already there to its reports: lock, execute, collect,
 * score, report.
 */
#ifndef CMD_PIPELINE_H
#define CMD_PIPELINE_H

#include "base/err.h"
#include "execute/executor.h"

enum pipeline_view {
    VIEW_CLASS,
    VIEW_JSON,
    VIEW_NONE,
};

struct pipeline_outcome {
    bool busy;          /* another process has the lock of the run; e names it */
    bool cut;           /* it ended with the first failure: other units are skipped */
    bool unfinished;    /* stopped, or left to Slurm */
    bool reference_bad; /* a tier of the reference failed: the grades may be wrong */
    bool from_file;     /* the kernel is in a file, so the exercise may be wrong as well */
    unsigned infra;     /* units without a verdict about the student */
    unsigned failed;    /* units of students that failed; missing ones are not counted */
    unsigned passed;
};

/* Of units that were not run after the first failure. */
#define PIPELINE_CUT "not run: another tier failed first"

/* Lock a run directory, if this process has not done so, run the pipeline on it, and print `view`
 * on stdout. 0 with *out; -1 with e. When out->busy, e says which process has the lock. Otherwise
 * the run is unlocked at the end. */
int pipeline_run(const char *dir, const struct execute_options *o, enum pipeline_view view,
                 struct pipeline_outcome *out, struct err *e);

/* Say on stderr what the outcome means and what to do next; returns the exit status. */
int pipeline_status(const struct pipeline_outcome *out, const struct execute_options *o,
                    const char *dir);

#endif
