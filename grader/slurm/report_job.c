#include "slurm/report_job.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "slurm/submit.h"

static long own_job(void)
{
    const char *id = getenv("SLURM_JOB_ID");
    return id ? strtol(id, NULL, 10) : 0;
}

void report_job_cancel(struct slurm_work *s)
{
    if (s->report.job < 0)
        return;
    struct slurm_job *j = &s->jobs.item[s->report.job];
    if (j->job && j->job != own_job()) {
        OWNED char *id = xasprintf("%ld", j->job);
        slurm_cancel(j->name, &id, 1);
    }
    s->report.job = -1;
}

int report_job_send(struct slurm_work *s, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf after = STRBUF_INIT;
    long last = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        if (!s->tracked.item[i].over && s->tracked.item[i].job != last) {
            last = s->tracked.item[i].job;
            strbuf_addf(&after, "%s%ld", after.len ? ":" : "afterany:", last);
        }
    }
    struct slurm_job *j = slurm_jobs_add_report(s->in->r->dir, s->in->r->plan, &s->jobs, e);
    if (!j)
        return -1;
    struct resources res = s->in->r->assignment->slurm;
    /* The job needs one process. Only where it runs matters. */
    struct resources small = {
#define SLURM_WORD(name, word, letter) .word = res.word,
#include "model/slurm_words.def"
        .tasks = 1,
        .cpus_per_task = 1,
        .extra = res.extra,
        .extra_count = res.extra_count,
    };
    slurm_lay_over(&small, &s->in->layers);
    OWNED char *output = xasprintf("report-%d.log", j->number);
    char *args[] = {s->in->paragrade, s->in->r->dir, NULL};
    const struct slurm_request q = {.script = s->in->report_script,
                                    .name = j->name,
                                    .chdir = s->in->dir,
                                    .output = output,
                                    .res = &small,
                                    .dependency = after.s,
                                    .args = args};
    long number;
    char why[SLURM_WHY] = "";
    int rc = 0;
    s->report.due = false;
    const enum slurm_outcome o = slurm_submit(&q, &number, why);
    if (o == SUBMIT_DONE) {
        rc = slurm_job_set(s->in->r->dir, j, number, e);
        work_submitted(s, number);
        report_job_cancel(s);
        s->report.job = (int)(j - s->jobs.item);
    } else {
        OWNED char *text =
            xasprintf("no report job was submitted (%s): stay, or run `paragrade resume` "
                      "when the jobs have ended",
                      why);
        notes_once(&s->notes, text);
        rc = o == SUBMIT_UNKNOWN ? slurm_job_void(s->in->r->dir, &s->jobs, j, e)
                                 : slurm_job_drop(s->in->r->dir, &s->jobs, e);
    }
    return rc;
}
