#include "slurm/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "rundir/claim.h"
#include "rundir/job_record.h"
#include "rundir/paths.h"

enum { HELD_MAX_BYTES = 16 << 20 };

char *slurm_job_path(const char *run, const struct slurm_job *j, const char *suffix)
{
    OWNED char *dir = rundir_slurm(run);
    return xasprintf("%s/%s-%d%s", dir, j->is_report ? "report" : "array", j->number, suffix);
}

static void job_free(struct slurm_job *j)
{
    free(j->name);
    free(j->unit);
    free(j->held);
    *j = (struct slurm_job){0};
}

void slurm_jobs_free(struct slurm_jobs *l)
{
    for (unsigned i = 0; i < l->count; i++)
        job_free(&l->item[i]);
    free(l->item);
    *l = (struct slurm_jobs){0};
}

/* --- reading ------------------------------------------------------------------------------ */

/* The number in "123\n"; 0 for everything else. Half a number would mean another job; without a
 * number, the job is looked for by its name. */
static long whole_number(const char *text)
{
    char *end;
    long n = *text >= '1' && *text <= '9' ? strtol(text, &end, 10) : 0;
    return n > 0 && strcmp(end, "\n") == 0 ? n : 0;
}

static int read_job(const char *run, const struct plan *p, struct slurm_job *j, struct err *e)
{
    char *path = slurm_job_path(run, j, ".json"), *text = NULL;
    struct job_record record;
    int rc = job_record_load(path, &record, e);
    free(path);
    if (rc != 0)
        return -1;
    j->name = record.name;
    record.name = NULL;
    j->elements = record.elements;
    j->throttle = record.throttle;
    j->unit = xcalloc(record.count + 1, sizeof *j->unit);
    for (int last = -1; j->count < record.count; j->count++)
        last = j->unit[j->count] = plan_unit_after(p, last, record.unit[j->count]);
    job_record_free(&record);
    path = slurm_job_path(run, j, ".job");
    if (fs_exists(path)) {
        rc = fs_read(path, 64, &text, NULL, e);
        j->job = rc == 0 ? whole_number(text) : 0;
        free(text);
    }
    free(path);
    path = slurm_job_path(run, j, ".held");
    if (rc == 0 && fs_exists(path))
        rc = fs_read(path, HELD_MAX_BYTES, &j->held, NULL, e);
    free(path);
    return rc;
}

/* 12 for "array-12.json" of the kind "array-"; 0 for another file. */
static int record_number(const char *name, const char *kind)
{
    size_t k = strlen(kind);
    char *end;
    if (strncmp(name, kind, k) != 0 || name[k] < '1' || name[k] > '9')
        return 0;
    long n = strtol(name + k, &end, 10);
    return strcmp(end, ".json") == 0 && n < 1000000000 ? (int)n : 0;
}

static int by_number(const void *a, const void *b)
{
    const struct slurm_job *x = a, *y = b;
    if (x->is_report != y->is_report)
        return x->is_report ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

void slurm_jobs_mend(const char *run, const struct plan *p)
{
    OWNED char *dir = rundir_slurm(run);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_is_dir(dir) && fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            int array = record_number(names[i], "array-");
            int report = record_number(names[i], "report-");
            FREED_BY(job_free)
            struct slurm_job j = {.is_report = report != 0, .number = array + report};
            struct err e = ERR_INIT;
            if ((!array && !report) || read_job(run, p, &j, &e) == 0 || e.kind != ERR_INPUT)
                continue;
            term_print(stderr, 2, "paragrade: %s; set aside, its units are submitted again\n",
                       e.text);
            OWNED char *json = slurm_job_path(run, &j, ".json");
            OWNED char *aside = slurm_job_path(run, &j, ".damaged");
            if (rename(json, aside) != 0)
                term_print(stderr, 2, "paragrade: %s: cannot be moved aside: %s\n", json,
                           strerror(errno));
        }
    }
}

int slurm_jobs_load(const char *run, const struct plan *p, struct slurm_jobs *out, struct err *e)
{
    *out = (struct slurm_jobs){0};
    OWNED char *dir = rundir_slurm(run);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = 0;
    if (fs_is_dir(dir) && (rc = fs_list(dir, &names, &count, e)) == 0) {
        for (size_t i = 0; i < count && rc == 0; i++) {
            int array = record_number(names[i], "array-");
            int report = record_number(names[i], "report-");
            if (!array && !report)
                continue;
            out->item = xrealloc_array(out->item, out->count + 1, sizeof *out->item);
            struct slurm_job *j = &out->item[out->count++];
            *j = (struct slurm_job){.is_report = report != 0, .number = array + report};
            if (j->number > out->last[j->is_report])
                out->last[j->is_report] = j->number;
            rc = read_job(run, p, j, e);
        }
        if (rc == 0 && out->count)
            qsort(out->item, out->count, sizeof *out->item, by_number);
    }
    if (rc != 0)
        slurm_jobs_free(out);
    return rc;
}

/* --- writing ------------------------------------------------------------------------------ */

/* The number after those of all known jobs, and in a regraded run of all arrays of the run before
 * that had one of these units: what a unit has of an array of the same number would be taken for
 * the new one's. */
static int first_number(const char *run, const struct plan *p, const struct slurm_jobs *l,
                        bool is_report, const struct slurm_units *units)
{
    int last = l->last[is_report];
    for (unsigned i = 0; p->revision && i < units->count; i++) {
        const int used = claim_last_array(run, p->units[units->index[i]].id);
        last = used > last ? used : last;
    }
    return last + 1;
}

/* The next number that no record has, void and damaged ones included: a number is never used twice.
 */
static int next_number(const char *run, bool is_report, int first)
{
    struct slurm_job j = {.is_report = is_report, .number = first};
    for (;; j.number++) {
        OWNED char *json = slurm_job_path(run, &j, ".json"),
                   *gone = slurm_job_path(run, &j, ".void");
        OWNED char *damaged = slurm_job_path(run, &j, ".damaged");
        bool taken = fs_exists(json) || fs_exists(gone) || fs_exists(damaged);
        if (!taken)
            return j.number;
    }
}

static struct slurm_job *add(const char *run, const struct plan *p, struct slurm_jobs *l,
                             bool is_report, const struct slurm_share *share, struct err *e)
{
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    struct slurm_job *j = &l->item[l->count];
    const int first = first_number(run, p, l, is_report, &share->units);
    *j = (struct slurm_job){.is_report = is_report, .number = next_number(run, is_report, first)};
    j->name = xasprintf("pg-%s-%s%d-%06x", p->run_id, is_report ? "report" : "", j->number,
                        (unsigned)(random_word() & 0xffffff));
    const struct slurm_units *units = &share->units;
    j->unit = xcalloc(units->count + 1, sizeof *j->unit);
    j->count = units->count;
    j->elements = share->elements;
    j->throttle = share->throttle;
    if (units->count)
        memcpy(j->unit, units->index, units->count * sizeof *units->index);
    OWNED char *path = slurm_job_path(run, j, ".json");
    const char **ids = xcalloc(j->count + 1, sizeof *ids);
    for (unsigned i = 0; i < j->count; i++)
        ids[i] = p->units[j->unit[i]].id;
    const struct job_record_view record = {.name = j->name,
                                           .elements = j->elements,
                                           .throttle = j->throttle,
                                           .unit = ids,
                                           .count = j->count};
    int rc = job_record_write(path, &record, e);
    free(ids);
    if (rc != 0) {
        job_free(j);
        return NULL;
    }
    l->count++;
    l->last[is_report] = j->number;
    return j;
}

struct slurm_job *slurm_jobs_add_array(const char *run, const struct plan *p, struct slurm_jobs *l,
                                       const struct slurm_share *share, struct err *e)
{
    return add(run, p, l, false, share, e);
}

struct slurm_job *slurm_jobs_add_report(const char *run, const struct plan *p, struct slurm_jobs *l,
                                        struct err *e)
{
    const struct slurm_share none = {.elements = 0};
    return add(run, p, l, true, &none, e);
}

int slurm_job_set(const char *run, struct slurm_job *j, long job, struct err *e)
{
    char text[32], *path = slurm_job_path(run, j, ".job");
    int n = snprintf(text, sizeof text, "%ld\n", job);
    int rc = fs_write_atomic(path, text, (size_t)n, e);
    free(path);
    j->job = job;
    return rc;
}

char *slurm_job_held(const struct slurm_job *j, long task)
{
    for (const char *line = j->held; line && *line;
         line += strcspn(line, "\n"), line += *line != 0) {
        char *end;
        const long held = strtol(line, &end, 10);
        if (*end == ' ' && (held == task || task < 0))
            return xasprintf("%.*s", (int)strcspn(end + 1, "\n"), end + 1);
    }
    return NULL;
}

int slurm_job_hold(const char *run, struct slurm_job *j, long task, const char *node, struct err *e)
{
    OWNED char *known = slurm_job_held(j, task);
    int rc = 0;
    if (!known) {
        char *text = xasprintf("%s%ld %s\n", j->held ? j->held : "", task, node);
        OWNED char *path = slurm_job_path(run, j, ".held");
        rc = fs_write_atomic(path, text, strlen(text), e);
        free(j->held);
        j->held = text;
    }
    return rc;
}

static void forget(struct slurm_jobs *l, struct slurm_job *j)
{
    if (j == &l->item[l->count - 1]) {
        job_free(j);
        l->count--;
        return;
    }
    j->queued = 0;
    j->count = 0;
    j->job = 0;
    free(j->name);
    j->name = NULL;
}

int slurm_job_void(const char *run, struct slurm_jobs *l, struct slurm_job *j, struct err *e)
{
    OWNED char *json = slurm_job_path(run, j, ".json"), *gone = slurm_job_path(run, j, ".void");
    OWNED char *job = slurm_job_path(run, j, ".job");
    int rc = 0;
    if (rename(json, gone) != 0)
        rc = err_system(e, "%s: cannot rename: %s", json, strerror(errno));
    remove(job);
    forget(l, j);
    return rc;
}

int slurm_job_drop(const char *run, struct slurm_jobs *l, struct err *e)
{
    struct slurm_job *j = &l->item[l->count - 1];
    OWNED char *json = slurm_job_path(run, j, ".json");
    int rc = 0;
    if (remove(json) != 0)
        rc = err_system(e, "%s: cannot remove: %s", json, strerror(errno));
    l->last[j->is_report] = j->number - 1;
    forget(l, j);
    return rc;
}
