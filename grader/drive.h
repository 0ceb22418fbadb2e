/*
 * drive.h - take a run from where it stands to its reports: lock, execute, collect, score, report.
 */
#ifndef GRADER_DRIVE_H
#define GRADER_DRIVE_H

#include "base/err.h"
#include "executor.h"

enum drive_view {
    VIEW_CLASS,
    VIEW_STUDENT, /* the submissions, one after the other, as their authors should read them */
    VIEW_JSON,
    VIEW_NONE,
};

struct drive_outcome {
    bool busy;          /* another process drives the run */
    bool unfinished;    /* stopped, or left to Slurm */
    bool reference_bad; /* a tier of the reference failed: the grades are in doubt */
    unsigned infra;     /* units without a verdict about the student */
    unsigned failed;    /* units of students that failed; missing ones are not counted */
    unsigned passed;
};

int drive_run(const char *dir, const struct execute_options *o, enum drive_view view,
              struct drive_outcome *out, struct err *e);

/* Say on stderr what the outcome means and what to do next; returns the exit status. */
int drive_status(const struct drive_outcome *out, const struct execute_options *o, const char *dir);

#endif
