#include "cmd/run_operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/path_within.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/site_files.h"
#include "rundir/paths.h"

struct found {
    char *dir;
    struct timespec when;
};

struct list {
    struct found *item;
    size_t count;
};

static void list_free(struct list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->item[i].dir);
    free(l->item);
}

/* Its plan is the last that a new run gets, and nothing but a regrade changes it. */
static void look_in(const char *dir, struct list *l)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return;
    l->item = xrealloc_array(l->item, l->count + count + 1, sizeof *l->item);
    for (size_t i = 0; i < count; i++) {
        char *run = xasprintf("%s/%s", dir, names[i]), *plan = rundir_plan(run);
        struct stat st;
        if (names[i][0] != '.' && stat(plan, &st) == 0)
            l->item[l->count++] = (struct found){run, st.st_mtim};
        else
            free(run);
        free(plan);
    }
}

static int newest_first(const void *a, const void *b)
{
    const struct timespec x = ((const struct found *)a)->when, y = ((const struct found *)b)->when;
    return x.tv_sec != y.tv_sec ? (x.tv_sec < y.tv_sec) - (x.tv_sec > y.tv_sec)
                                : (x.tv_nsec < y.tv_nsec) - (x.tv_nsec > y.tv_nsec);
}

static bool is_meant(const struct options *o, const char *dir)
{
    FREED_BY(run_close) struct run r = {0};
    struct err ignored = ERR_INIT;
    if (run_open(dir, &r, &ignored) != 0)
        return false;
    return o->command->means(o, &r);
}

/* Was a submission in this directory, or below it, graded? Runs in reports/ here are of here. */
static bool is_of_here(const char *run, const char *here)
{
    struct plan *p;
    struct err ignored = ERR_INIT;
    bool is = run[0] != '/';
    if (is || plan_load(run, &p, &ignored) != 0)
        return is;
    for (unsigned i = 0; i < p->submissions_count && !is; i++)
        is = !p->submissions[i].is_reference && path_within(here, p->submissions[i].path);
    plan_free(p);
    return is;
}

/* Keep the runs of this directory, if there are any. */
static bool keep_those_of_here(struct list *l)
{
    struct list mine = {xcalloc(l->count + 1, sizeof *mine.item), 0};
    struct list others = {xcalloc(l->count + 1, sizeof *others.item), 0};
    OWNED char *here = fs_absolute(".");
    for (size_t i = 0; i < l->count; i++) {
        struct list *to = is_of_here(l->item[i].dir, here) ? &mine : &others;
        to->item[to->count++] = l->item[i];
    }
    free(l->item);
    *l = mine.count ? mine : others;
    list_free(mine.count ? &others : &mine);
    return mine.count > 0;
}

/* There is one at least. */
static char *choose(const struct list *l, const struct options *o)
{
    const bool choosy = o && o->command->means;
    qsort(l->item, l->count, sizeof *l->item, newest_first);
    for (size_t i = 0; choosy && i < l->count; i++)
        if (is_meant(o, l->item[i].dir))
            return xstrdup(l->item[i].dir);
    return xstrdup(l->item[0].dir);
}

char *run_newest(enum runs_of among, const struct options *o, struct err *e)
{
    FREED_BY(list_free) struct list l = {0};
    char *dir = NULL;
    look_in(site_reports(), &l);
    if (among == RUNS_OF_ALL) {
        OWNED char *tests = locate_selftests();
        if (fs_is_private_dir(tests))
            look_in(tests, &l);
    }
    if (l.count) {
        const bool of_here = keep_those_of_here(&l);
        dir = choose(&l, o);
        OWNED char *shown = locate_run_name(dir);
        term_print(stderr, 2, "the newest run%s: %s\n",
                   of_here ? "" : " (none is of this directory)", shown);
    } else {
        err_input(e, "there is no run in %s/ here%s: give one, by its directory or its name",
                  site_reports(), among == RUNS_OF_ALL ? ", and no self-test" : "");
    }
    return dir;
}
