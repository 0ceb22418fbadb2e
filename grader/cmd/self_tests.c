#include "cmd/self_tests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "cmd/locate.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/results.h"

enum { BEGINS_WITHIN_S = 60 };

/* Only this user can read it, because replaying a failed case needs the run. */
int self_tests_directory(char **out, struct err *e)
{
    char *dir = locate_selftests();
    int rc = 0;
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        rc = err_system(e, "%s: cannot create: %s; set TMPDIR, or give --reports DIR", dir,
                        strerror(errno));
    else if (!fs_is_private_dir(dir))
        rc = err_system(e,
                        "%s: self-tests are kept here, so it must be a directory that belongs to "
                        "you and that only you can access (chmod 700). Correct it, set TMPDIR, or "
                        "give --reports DIR",
                        dir);
    if (rc == 0)
        *out = dir;
    else
        free(dir);
    return rc;
}

struct old_run {
    char *path;
    struct timespec when;
};

static int newest_first(const void *a, const void *b)
{
    const struct timespec x = ((const struct old_run *)a)->when,
                          y = ((const struct old_run *)b)->when;
    return x.tv_sec != y.tv_sec ? (x.tv_sec < y.tv_sec) - (x.tv_sec > y.tv_sec)
                                : (x.tv_nsec < y.tv_nsec) - (x.tv_nsec > y.tv_nsec);
}

/* Does another check still need it? One locks its run a moment after the run got its name, and
 * under that lock it writes how it executes the run. */
static bool in_use(const struct old_run *run)
{
    OWNED char *begun = rundir_resume_options(run->path);
    const double age_s = difftime(time(NULL), run->when.tv_sec);
    const bool begins = !fs_exists(begun) && age_s > -BEGINS_WITHIN_S && age_s < BEGINS_WITHIN_S;
    return begins || run_is_locked(run->path);
}

/* The runs in a directory, the newest first. To be freed with old_runs_free(). */
static struct old_run *list_runs(const char *dir, size_t *n)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    *n = 0;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return NULL;
    struct old_run *run = xcalloc(count + 1, sizeof *run);
    for (size_t i = 0; i < count; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        struct stat st;
        if (names[i][0] != '.' && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
            run[(*n)++] = (struct old_run){path, st.st_mtim};
        else
            free(path);
    }
    if (*n)
        qsort(run, *n, sizeof *run, newest_first);
    return run;
}

static void old_runs_free(struct old_run *run, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(run[i].path);
    free(run);
}

/* --- what the last ones say ------------------------------------------------------------------ */

/* Those of this user that can be trusted to be so, the newest first. */
static struct old_run *own_runs(size_t *n)
{
    OWNED char *dir = locate_selftests();
    struct old_run *run = NULL;
    *n = 0;
    if (fs_is_private_dir(dir))
        run = list_runs(dir, n);
    return run;
}

/* The index of the submission; -1: the run is about another one. */
static int tested(const struct plan *p, const char *submission)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (!p->submissions[i].is_reference && strcmp(p->submissions[i].path, submission) == 0)
            return (int)i;
    return -1;
}

char *self_tests_assignment(const char *submission)
{
    char *found = NULL;
    size_t n;
    struct old_run *run = own_runs(&n);
    for (size_t i = 0; i < n && !found; i++) {
        struct plan *p;
        struct err ignored = ERR_INIT;
        if (plan_load(run[i].path, &p, &ignored) != 0)
            continue;
        if (tested(p, submission) >= 0 && fs_exists(p->assignment_path))
            found = xstrdup(p->assignment_path);
        plan_free(p);
    }
    old_runs_free(run, n);
    return found;
}

/* Names of tiers. */
struct tier_list {
    char **name;
    unsigned count;
};

static bool has(const struct tier_list *l, const char *name)
{
    for (unsigned i = 0; i < l->count; i++)
        if (strcmp(l->name[i], name) == 0)
            return true;
    return false;
}

static void add(struct tier_list *l, const char *name)
{
    l->name = xrealloc_array(l->name, l->count + 1, sizeof *l->name);
    l->name[l->count++] = xstrdup(name);
}

/* Does a result say how the tier is? That a part of the cases passes says nothing of the others. */
static bool is_word(const struct plan *p, const struct unit_result *u)
{
    return u && u->verdict != VERDICT_SKIPPED &&
           !(u->verdict == VERDICT_PASS && subset_is_part(&p->only));
}

/* Add what a run says of tiers that no newer run has checked. */
static void add_failed(const char *dir, const char *submission, struct tier_list *seen,
                       struct tier_list *failed)
{
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(results_free) struct results res = {0};
    struct err ignored = ERR_INIT;
    if (run_open(dir, &r, &ignored) != 0)
        return;
    const int mine = tested(r.plan, submission);
    if (mine >= 0)
        results_read(&r, &res, NULL, NULL);
    for (unsigned i = 0; i < res.unit_count; i++) {
        const char *tier = r.assignment->tiers[r.plan->units[i].tier].name;
        const struct unit_result *u = res.unit[i];
        if (r.plan->units[i].submission != mine || !is_word(r.plan, u) || has(seen, tier))
            continue;
        add(seen, tier);
        if (verdict_fault(u->verdict) == FAULT_STUDENT && u->verdict != VERDICT_MISSING)
            add(failed, tier);
    }
}

unsigned self_tests_failed(const char *submission, char ***names)
{
    struct tier_list seen = {0}, failed = {0};
    size_t n;
    struct old_run *run = own_runs(&n);
    for (size_t i = 0; i < n; i++)
        add_failed(run[i].path, submission, &seen, &failed);
    texts_free(seen.name, seen.count);
    old_runs_free(run, n);
    *names = failed.name;
    return failed.count;
}

/* --- which ones go away ---------------------------------------------------------------------- */

void self_tests_remove_old(const char *dir, const char *mine, const char *submission)
{
    struct tier_list seen = {0}, failed = {0};
    size_t n, others = 0;
    struct old_run *run = list_runs(dir, &n);
    for (size_t i = 0; i < n; i++) {
        const unsigned known = failed.count;
        add_failed(run[i].path, submission, &seen, &failed);
        if (strcmp(strrchr(run[i].path, '/') + 1, mine) == 0)
            continue;
        if (++others >= LOCATE_SELFTESTS_KEPT && failed.count == known && !in_use(&run[i]))
            fs_remove_tree(run[i].path, NULL);
    }
    texts_free(seen.name, seen.count);
    texts_free(failed.name, failed.count);
    old_runs_free(run, n);
}
