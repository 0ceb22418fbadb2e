#include "cmd/nightly_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/term.h"
#include "cmd/site_files.h"
#include "execute/stop.h"
#include "model/assignment.h"
#include "rundir/paths.h"
#include "slurm/each_node.h"
#include "slurm/groups.h"
#include "slurm/nodes.h"
#include "slurm/query.h"

enum {
    LEAST_TIME_MS = 60 * 1000,
    END_MS = 600 * 1000, /* for what Slurm does after a job's limit */
};

int nightly_jobs_check(const struct options *o, struct err *e)
{
    if (o->sample && o->where != WHERE_SLURM)
        return err_input(e, "--sample chooses among the nodes of a cluster: add --slurm");
    if (o->time_ms < LEAST_TIME_MS)
        return err_input(e, "--time: a job needs a minute at least");
    return 0;
}

/* --- which nodes ------------------------------------------------------------------------------ */

/* A node, and when it was measured last: "" never. */
struct candidate {
    char *node, *last;
};

static int by_last(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    const int c = strcmp(x->last, y->last);
    return c ? c : strcmp(x->node, y->node);
}

/* Keep the `sample` nodes that were not measured for the longest time. */
static int choose(struct store *s, char **nodes, size_t *count, size_t sample, struct err *e)
{
    if (!sample || sample >= *count)
        return 0;
    OWNED struct candidate *c = xcalloc(*count, sizeof *c);
    int rc = 0;
    for (size_t i = 0; i < *count; i++) {
        c[i].node = nodes[i];
        rc |= store_last_measured(s, nodes[i], &c[i].last, e);
    }
    qsort(c, *count, sizeof *c, by_last);
    for (size_t i = 0; i < *count; i++) {
        nodes[i] = c[i].node;
        free(c[i].last);
        if (i >= sample)
            free(nodes[i]);
    }
    *count = sample;
    return rc;
}

static int named_nodes(const char *list, char ***nodes, size_t *count, struct err *e)
{
    char *copy = xstrdup(list), *save = NULL, why[SLURM_WHY] = "";
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    const enum slurm_answer a = slurm_known_nodes(list, &known, why);
    int rc = a == SLURM_ANSWERED ? 0 : err_system(e, "Slurm does not name its nodes: %s", why);
    for (char *n = strtok_r(copy, ",", &save); n && rc == 0; n = strtok_r(NULL, ",", &save)) {
        OWNED char *in = xasprintf(",%s,", known.s), *wanted = xasprintf(",%s,", n);
        if (!strstr(in, wanted))
            rc = err_input(e, "--nodes: the cluster has no node %s; `sinfo -N` lists them", n);
        *nodes = xrealloc_array(*nodes, *count + 1, sizeof **nodes);
        (*nodes)[(*count)++] = xstrdup(n);
    }
    free(copy);
    return rc;
}

/* --- the jobs --------------------------------------------------------------------------------- */

static void most(struct resources *all, const struct resources *r)
{
    if (r->cpus_per_task > all->cpus_per_task)
        all->cpus_per_task = r->cpus_per_task;
    if (r->tasks > all->tasks)
        all->tasks = r->tasks;
    if (r->memory_bytes > all->memory_bytes)
        all->memory_bytes = r->memory_bytes;
    if (!all->gres)
        all->gres = r->gres;
    all->exclusive = all->exclusive || r->exclusive;
}

static int check_tiers(const struct assignment *a, const struct options *o, struct err *e)
{
    for (size_t i = 0; i < o->tiers.count; i++)
        if (assignment_tier(a, o->tiers.item[i]) < 0)
            return err_input(e, "--tier: the assignment %s has no tier '%.60s'", a->name,
                             o->tiers.item[i]);
    return 0;
}

static bool is_wanted(const struct options *o, const struct tier *t)
{
    bool named = !o->tiers.count;
    for (size_t i = 0; i < o->tiers.count; i++)
        named = named || strcmp(o->tiers.item[i], t->name) == 0;
    return named;
}

/* Slurm refused a job that asks for what this tier needs, and other tiers do not. */
static void add_hint(const struct assignment *a, const struct options *o, struct err *e)
{
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct resources r = tier_resources(a, &a->tiers[i]);
        if (!r.gres || a->slurm.gres || !is_wanted(o, &a->tiers[i]))
            continue;
        OWNED char *was = xstrdup(e->text);
        err_input(e,
                  "%s. The tier %s asks for %s: if these nodes have none, name the other tiers "
                  "with --tier",
                  was, a->tiers[i].name, r.gres);
        return;
    }
}

/* One job runs all tiers, one after the other: it needs the most of what any of them needs. */
static struct resources resources_of(const struct assignment *a, const struct options *o,
                                     const struct site *site)
{
    struct resources all = a->slurm;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct resources tier = tier_resources(a, &a->tiers[i]);
        if (is_wanted(o, &a->tiers[i]))
            most(&all, &tier);
    }
    slurm_lay_over(&all, &(struct slurm_layers){.given = &o->site, .site = site});
    all.nodes = 1;
    all.time_ms = o->time_ms;
    return all;
}

/* `paragrade grade` of the reference; the run is named after the node. */
static char **grade_args(const struct options *o, const char *program, const char *assignment,
                         const char *night, const char *node)
{
    const char *const words[] = {program,    "grade",     "--quiet", "--reference", "--assignment",
                                 assignment, "--reports", night,     "--run-id",    node};
    enum { WORDS = sizeof words / sizeof words[0] };
    char **args = xcalloc(WORDS + 2 + 2 * o->tiers.count + 1, sizeof *args);
    size_t n = 0;
    for (; n < WORDS; n++)
        args[n] = xstrdup(words[n]);
    if (o->profile) {
        args[n++] = xstrdup("--profile");
        args[n++] = xstrdup(o->profile);
    }
    for (size_t i = 0; i < o->tiers.count; i++) {
        args[n++] = xstrdup("--tier");
        args[n++] = xstrdup(o->tiers.item[i]);
    }
    return args;
}

/* No job started, and none was refused: one line for all of them. An ordinary reason is a failure,
 * too, because the night has told nothing. */
static bool none_measured(const struct each_node *t, struct strbuf *failures)
{
    const struct each_node_job *say = NULL;
    for (size_t i = 0; i < t->count; i++) {
        const struct each_node_job *j = &t->job[i];
        if (j->started || j->unended || (j->why[0] && !j->job))
            return false;
        if (!say || slurm_ordinary_reason(say->reason))
            say = j;
    }
    if (say)
        strbuf_addf(failures,
                    "no node was measured: no job started before the time of --wait was over, and "
                    "all were cancelled. Slurm's reason on %s: %s. `sinfo` shows the partitions "
                    "and nodes; give another --partition, or a longer --wait\n",
                    say->node, *say->reason ? say->reason : "none was given");
    return say;
}

static void describe(const struct options *o, const struct each_node *t, const char *night,
                     struct strbuf *failures)
{
    if (none_measured(t, failures))
        return;
    for (size_t i = 0; i < t->count; i++) {
        const struct each_node_job *j = &t->job[i];
        OWNED char *run = xasprintf("%s/%s", night, j->node), *receipts = rundir_receipts(run);
        if (j->why[0] && !j->job)
            strbuf_addf(failures, "%s: Slurm refuses the job: %s\n", j->node, j->why);
        else if (j->unended)
            strbuf_addf(failures,
                        "%s: the job %ld did not end in time, or Slurm does not answer; it was "
                        "cancelled, and nobody waits for it any longer (squeue --jobs=%ld)\n",
                        j->node, j->job, j->job);
        else if (j->started && !fs_exists(receipts))
            strbuf_addf(failures,
                        "%s: the job %ld ended before all was graded; its log is %s.log\n", j->node,
                        j->job, run);
        else if (!j->started && !slurm_ordinary_reason(j->reason))
            strbuf_addf(failures,
                        "%s: not measured, because the job %ld could not start; Slurm's reason: "
                        "%s (`sinfo` shows the partitions and nodes)\n",
                        j->node, j->job, j->reason);
        else if (!j->started && o->verbose)
            term_print(stderr, 2, "%s: not measured, because its job waited too long%s%s\n",
                       j->node, *j->reason ? "; Slurm's reason: " : "", j->reason);
    }
}

static int run_jobs(const struct options *o, const char *assignment_file,
                    const struct assignment *a, const struct resources *res, const char *night,
                    char *const *nodes, size_t count, struct strbuf *failures, struct err *e)
{
    OWNED char *dir = fs_absolute(night), *assignment = fs_absolute(assignment_file);
    OWNED char *program = install_path("bin/paragrade"),
               *script = install_share("sbatch/nightly.sbatch");
    OWNED char *name = xasprintf("paragrade-nightly-%s", strrchr(dir, '/') + 1);
    struct each_node t = {.script = script,
                          .name = name,
                          .chdir = dir,
                          .res = *res,
                          .job = xcalloc(count, sizeof *t.job),
                          .count = count,
                          .poll_ms = a->submit.poll_ms,
                          .limit_ms = o->wait_ms,
                          .end_ms = o->wait_ms + o->time_ms + END_MS};
    int rc = script ? fs_mkdirs(dir, e)
                    : err_system(e, "sbatch/nightly.sbatch is not installed beside %s", program);
    for (size_t i = 0; i < count; i++)
        t.job[i] = (struct each_node_job){
            .node = nodes[i], .args = grade_args(o, program, assignment, dir, nodes[i])};
    if (rc == 0)
        rc = each_node_run(&t, e) < 0 ? -1 : 0;
    if (rc != 0 && script)
        add_hint(a, o, e);
    if (rc == 0 && !execute_stop)
        describe(o, &t, night, failures);
    for (size_t i = 0; i < count; i++)
        proc_argv_free((char **)t.job[i].args);
    free(t.job);
    return rc;
}

int nightly_jobs_run(const struct options *o, const char *assignment, const char *night,
                     struct store *s, struct strbuf *failures, struct err *e)
{
    struct assignment *a = NULL;
    FREED_BY(site_free) struct site site = {0};
    struct resources res = {0};
    char **nodes = NULL;
    size_t count = 0;
    int rc = assignment_load(assignment, &a, e);
    if (rc == 0)
        rc = check_tiers(a, o, e);
    if (rc == 0)
        rc = site_files_read(&site, e);
    if (rc == 0)
        rc = slurm_check_cluster(e);
    if (rc == 0) {
        res = resources_of(a, o, &site);
        rc = o->nodes ? named_nodes(o->nodes, &nodes, &count, e)
                      : slurm_usable_nodes(res.partition, &nodes, &count, e);
    }
    if (rc == 0)
        rc = choose(s, nodes, &count, (size_t)o->sample, e);
    if (rc == 0)
        rc = run_jobs(o, assignment, a, &res, night, nodes, count, failures, e);
    texts_free(nodes, (unsigned)count);
    assignment_free(a);
    return rc;
}
