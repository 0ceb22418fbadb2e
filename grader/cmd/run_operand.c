#include "cmd/run_operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/site_files.h"
#include "rundir/paths.h"

struct newest {
    char *dir;
    struct timespec when;
};

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Its plan is the last that a new run gets, and nothing but a regrade changes it. */
static void look_in(const char *dir, struct newest *best)
{
    char **names;
    size_t count;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        char *run = xasprintf("%s/%s", dir, names[i]), *plan = rundir_plan(run);
        struct stat st;
        if (names[i][0] != '.' && stat(plan, &st) == 0 &&
            (!best->dir || is_later(&st.st_mtim, &best->when))) {
            free(best->dir);
            *best = (struct newest){run, st.st_mtim};
            run = NULL;
        }
        free(run);
        free(plan);
    }
    fs_list_free(names, count);
}

char *run_newest(enum runs_of among, struct err *e)
{
    struct newest best = {0};
    look_in(site_reports(), &best);
    if (among == RUNS_OF_ALL) {
        char *tests = locate_selftests();
        if (fs_is_private_dir(tests))
            look_in(tests, &best);
        free(tests);
    }
    if (!best.dir) {
        err_input(e, "there is no run in %s/ here%s: give one, by its directory or its name",
                  site_reports(), among == RUNS_OF_ALL ? ", and no self-test" : "");
        return NULL;
    }
    char *shown = locate_run_name(best.dir);
    term_print(stderr, 2, "the newest run: %s\n", shown);
    free(shown);
    return best.dir;
}
