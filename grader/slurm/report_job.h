/*
 * report_job.h - the job that depends on the arrays and takes over when this process is gone.
 */
#ifndef SLURM_REPORT_JOB_H
#define SLURM_REPORT_JOB_H

#include "slurm/work.h"

/* Submit a report job that waits for all arrays, and cancel the one before it. When Slurm does not
 * take it, a note tells people to run `paragrade resume`: that is no error. */
int report_job_send(struct slurm_work *s, struct err *e);
/* Cancel the report job that waits, unless it is this very process. */
void report_job_cancel(struct slurm_work *s);

#endif
