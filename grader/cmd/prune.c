/*
 * Removing old runs. A run is taken out of the reports by a rename, and its files are removed after
 * that, so no reader ever sees half a run. Whoever is killed in between leaves a directory
 * .pruned-*, which the next call removes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/disk_use.h"
#include "base/fsio.h"
#include "base/instant.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "cmd/run_kind.h"
#include "cmd/run_state.h"
#include "rundir/lock.h"
#include "rundir/run.h"
#include "slurm/array.h"
#include "slurm/query.h"

enum { NAMES_MOST = 50000 /* bytes */ };

static const char removed_prefix[] = ".pruned-";

/* A run below the reports. */
struct old_run {
    char *name, *dir;
    char *assignment; /* its name; NULL: the run cannot be opened */
    struct run_kind kind;
    char *jobs;      /* names of its Slurm jobs, comma-separated; NULL: none */
    const char *why; /* it stays for this reason; NULL: it is finished, and nobody uses it */
    time_t when;     /* its last report */
    bool chosen;
};

struct old_runs {
    struct old_run *item;
    size_t count;
};

static void runs_free(struct old_runs *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->item[i].name);
        free(l->item[i].dir);
        free(l->item[i].assignment);
        free(l->item[i].jobs);
        run_kind_free(&l->item[i].kind);
    }
    free(l->item);
}

/* --- what a run is ------------------------------------------------------------------------- */

/* The names of its Slurm jobs. */
static int read_jobs(const struct run *r, struct old_run *x)
{
    struct slurm_jobs jobs = {0};
    struct strbuf names = STRBUF_INIT;
    struct err ignored = ERR_INIT;
    const int rc = slurm_jobs_load(r->dir, r->plan, &jobs, &ignored);
    for (unsigned i = 0; rc == 0 && i < jobs.count; i++)
        strbuf_addf(&names, "%s%s", names.len ? "," : "", jobs.item[i].name);
    slurm_jobs_free(&jobs);
    x->jobs = names.len ? strbuf_detach(&names) : NULL;
    return rc;
}

/* Find out about a run, and why it has to stay. Its age is that of its last report. mine: this
 * process holds its lock. */
static void look(struct old_run *x, bool mine)
{
    FREED_BY(run_close) struct run r = {0};
    struct err ignored = ERR_INIT;
    if (run_open(x->dir, &r, &ignored) != 0) {
        x->why = "it cannot be read";
        return;
    }
    x->when = run_reported(&r);
    x->assignment = xstrdup(r.assignment->name);
    run_kind_of(r.plan, &x->kind);
    if (!mine && run_is_locked(r.dir))
        x->why = "a process executes it";
    else if (!run_is_finished(&r))
        x->why = "it is not finished";
    else if (!x->when)
        x->why = "its reports are not written yet";
    else if (read_jobs(&r, x) != 0)
        x->why = "the records of its Slurm jobs are damaged";
}

/* Does a comma-separated list have that name? */
static bool has_name(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static bool uses_slurm(const struct old_run *x)
{
    return x->chosen && x->jobs;
}

/* Runs with jobs in Slurm's queue stay, and so do those that used Slurm when it does not answer.
 * One question for many runs, but their names have to fit on a command line. */
static void ask_slurm(struct old_runs *l)
{
    for (size_t i = 0, end; i < l->count; i = end) {
        FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
        FREED_BY(slurm_list_free) struct slurm_list queue = {0};
        char why[SLURM_WHY] = "";
        for (end = i; end < l->count && names.len < NAMES_MOST; end++)
            if (uses_slurm(&l->item[end]))
                strbuf_addf(&names, "%s%s", names.len ? "," : "", l->item[end].jobs);
        const enum slurm_answer a = names.len ? slurm_queue(names.s, &queue, why) : SLURM_ANSWERED;
        for (size_t k = i; k < end; k++) {
            struct old_run *x = &l->item[k];
            if (!uses_slurm(x))
                continue;
            if (a != SLURM_ANSWERED)
                x->why = "it used Slurm, which does not answer now";
            for (size_t q = 0; q < queue.count && !x->why; q++)
                if (has_name(x->jobs, queue.item[q].name))
                    x->why = "it has jobs in Slurm";
            x->chosen = !x->why;
        }
    }
}

static int newest_first(const void *a, const void *b)
{
    const struct old_run *x = a, *y = b;
    if (x->when != y->when)
        return x->when < y->when ? 1 : -1;
    return strcmp(y->name, x->name);
}

static int find_runs(const char *reports, struct old_runs *l, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(reports, &names, &count, e) != 0)
        return -1;
    l->item = xcalloc(count + 1, sizeof *l->item);
    for (size_t i = 0; i < count; i++) {
        char *dir = xasprintf("%s/%s", reports, names[i]);
        struct stat st;
        if (names[i][0] == '.' || lstat(dir, &st) != 0 || !S_ISDIR(st.st_mode) ||
            !run_is_one(dir)) {
            free(dir);
            continue;
        }
        struct old_run *x = &l->item[l->count++];
        *x = (struct old_run){.name = xstrdup(names[i]), .dir = dir};
        look(x, false);
    }
    qsort(l->item, l->count, sizeof *l->item, newest_first);
    return 0;
}

/* --- which runs go -------------------------------------------------------------------------- */

/* How many finished runs of the same assignment and kind are newer. */
static long long newer(const struct old_runs *l, size_t i)
{
    long long n = 0;
    for (size_t k = 0; k < i; k++)
        n += !l->item[k].why && strcmp(l->item[k].assignment, l->item[i].assignment) == 0 &&
             run_kind_equal(&l->item[k].kind, &l->item[i].kind);
    return n;
}

static void choose(struct old_runs *l, const struct options *a)
{
    const time_t now = time(NULL);
    for (size_t i = 0; i < l->count; i++) {
        if (l->item[i].why)
            continue;
        const bool old = a->older_ms < 0 || (int64_t)(now - l->item[i].when) * 1000 > a->older_ms;
        const bool many = a->keep < 0 || newer(l, i) >= a->keep;
        l->item[i].chosen = old && many;
    }
    for (size_t i = 0; i < l->count && !a->graded; i++)
        if (l->item[i].chosen && l->item[i].kind.purpose == RUN_OF_CLASS) {
            l->item[i].chosen = false;
            l->item[i].why = "it has grades; with --graded, it would go";
        }
}

/* Look again at a run that was chosen and that this process holds now: others may have used it
 * since. */
static void look_again(struct old_run *x)
{
    const time_t when = x->when;
    struct old_runs one = {x, 1};
    free(x->assignment);
    free(x->jobs);
    x->assignment = x->jobs = NULL;
    run_kind_free(&x->kind);
    look(x, true);
    if (!x->why && x->when != when)
        x->why = "its reports were written again just now";
    if (!x->why)
        ask_slurm(&one);
}

/* Take the run out of the reports. 1: it has to stay after all (x->why). */
static int take_away(const char *reports, struct old_run *x, char **aside, struct err *e)
{
    struct err busy = ERR_INIT;
    const int rc = run_lock(x->dir, &busy);
    if (rc < 0) {
        *e = busy;
        return -1;
    }
    if (rc > 0) {
        x->why = "a process executes it";
        return 1;
    }
    /* It is locked now, so that nobody begins to execute it. */
    look_again(x);
    if (x->why) {
        run_unlock(x->dir);
        return 1;
    }
    *aside = xasprintf("%s/%s%s", reports, removed_prefix, x->name);
    if (rename(x->dir, *aside) == 0)
        return 0;
    const int why = errno;
    run_unlock(x->dir);
    free(*aside);
    *aside = NULL;
    return err_system(e, "%s: cannot be removed: %s", x->dir, strerror(why));
}

static int remove_run(const char *reports, struct old_run *x, struct err *e)
{
    char *aside = NULL;
    const int rc = take_away(reports, x, &aside, e);
    if (rc != 0)
        return rc;
    const int removed = fs_remove_tree(aside, e);
    free(aside);
    return removed;
}

/* What a call left that was killed. */
static int remove_leftovers(const char *reports, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = 0;
    if (fs_list(reports, &names, &count, e) != 0)
        return -1;
    for (size_t i = 0; i < count && rc == 0; i++) {
        if (strncmp(names[i], removed_prefix, sizeof removed_prefix - 1) != 0)
            continue;
        OWNED char *path = xasprintf("%s/%s", reports, names[i]);
        rc = fs_remove_tree(path, e);
    }
    return rc;
}

/* --- the command ---------------------------------------------------------------------------- */

static void add_row(struct term_table *t, const struct old_run *x, uint64_t bytes, bool dry)
{
    char size[DISK_USE_TEXT];
    const long long days = (long long)(time(NULL) - x->when) / SECONDS_A_DAY;
    term_table_cell(t, TERM_PLAIN, "%s", x->name);
    if (x->when)
        term_table_cell(t, TERM_PLAIN, "%lld", days);
    else
        term_table_cell(t, TERM_PLAIN, "-");
    term_table_cell(t, TERM_PLAIN, "%s", x->chosen ? disk_use_text(bytes, size) : "-");
    if (x->chosen)
        term_table_cell(t, dry ? TERM_YELLOW : TERM_RED, dry ? "would be removed" : "removed");
    else
        term_table_cell(t, TERM_PLAIN, "stays");
    OWNED char *kind = x->assignment ? run_kind_text(&x->kind) : xstrdup("");
    term_table_cell(t, TERM_PLAIN, "%s%s%s", x->chosen ? "" : x->why,
                    x->chosen || !*kind ? "" : ": ", kind);
    term_table_end_row(t);
}

static int run(const struct options *a)
{
    if (a->older_ms < 0 && a->keep < 0)
        return command_usage(&cmd_prune, "which runs? Give --older-than, --keep or both");
    struct err e = ERR_INIT;
    FREED_BY(runs_free) struct old_runs runs = {0};
    unsigned removed = 0;
    uint64_t freed = 0;
    int rc = fs_is_dir(a->reports)
                 ? 0
                 : err_input(&e, "%s: no such directory; --reports DIR names the directory of runs",
                             a->reports);
    if (rc == 0 && !a->dry_run)
        rc = remove_leftovers(a->reports, &e);
    if (rc == 0)
        rc = find_runs(a->reports, &runs, &e);
    if (rc != 0)
        return command_error(&cmd_prune, &e);
    choose(&runs, a);
    ask_slurm(&runs);
    unsigned shown = 0;
    struct term_table *t = term_table_new(NULL);
    static const struct term_column columns[] = {{"run", TERM_LEFT},
                                                 {"days", TERM_RIGHT},
                                                 {"size", TERM_RIGHT},
                                                 {"what", TERM_LEFT},
                                                 {"why", TERM_NOTE}};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < runs.count && rc >= 0; i++) {
        struct old_run *x = &runs.item[i];
        const uint64_t bytes = x->chosen ? disk_use(x->dir) : 0;
        if (x->chosen && !a->dry_run)
            rc = remove_run(a->reports, x, &e);
        x->chosen = x->chosen && rc == 0;
        removed += x->chosen;
        freed += x->chosen ? bytes : 0;
        if (x->chosen || x->why) {
            add_row(t, x, bytes, a->dry_run);
            shown++;
        }
    }
    if (shown)
        term_table_print(t, stdout);
    else
        term_table_discard(t);
    char size[DISK_USE_TEXT];
    printf("%u of %zu %s %s, %s %s\n", removed, runs.count, plural(runs.count, "run", "runs"),
           a->dry_run ? "would be removed" : "removed", disk_use_text(freed, size),
           a->dry_run ? "would be freed" : "freed");
    return rc < 0 ? command_error(&cmd_prune, &e) : EXIT_OK;
}

const struct command cmd_prune = {
    .name = "prune",
    .usage = "prune [options]",
    .summary = "remove old runs that are finished",
    .more = "A run stays if a unit has no result, if its reports are not written, if a\n"
            "process executes it, or if it has jobs in Slurm. A run that is removed cannot be\n"
            "verified or shown again: copy what has to be kept.\n"
            "\n"
            "examples:\n"
            "  paragrade prune --older-than 90d --keep 5 --dry-run\n"
            "  paragrade prune --keep 14 --reports /srv/course/reports\n"
            "\n"
            "exit status: 0, 1 a run could not be removed, 2 bad arguments\n",
    .bit = on_prune,
    .operands = "it takes no runs; --reports names their directory",
    .run = run,
};
