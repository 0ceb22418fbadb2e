#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/pipeline.h"
#include "cmd/site_files.h"
#include "cmd/source_watch.h"
#include "execute/stop.h"
#include "model/assignment.h"
#include "plan/planner.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/plan.h"

enum { BEGINS_WITHIN_S = 60 };

static const char quick[] = "quick"; /* the profile that self-tests use when there is one */

/* Self-tests are kept in a directory that only this user can read, because replaying a failed case
 * needs the run. */
static int own_directory(char **out, struct err *e)
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
    char *begun = rundir_resume_options(run->path);
    const double age_s = difftime(time(NULL), run->when.tv_sec);
    const bool begins = !fs_exists(begun) && age_s > -BEGINS_WITHIN_S && age_s < BEGINS_WITHIN_S;
    free(begun);
    return begins || run_is_locked(run->path);
}

/* Remove all runs but the newest, and never the run `mine`: after the clock was set back, it may
 * seem to be the oldest. Hidden ones are being made. */
static void remove_old(const char *dir, const char *mine)
{
    char **names;
    size_t count, n = 0;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return;
    struct old_run *run = xcalloc(count + 1, sizeof *run);
    for (size_t i = 0; i < count; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]);
        struct stat st;
        if (names[i][0] != '.' && strcmp(names[i], mine) != 0 && lstat(path, &st) == 0 &&
            S_ISDIR(st.st_mode))
            run[n++] = (struct old_run){path, st.st_mtim};
        else
            free(path);
    }
    if (n)
        qsort(run, n, sizeof *run, newest_first);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 >= LOCATE_SELFTESTS_KEPT && !in_use(&run[i]))
            fs_remove_tree(run[i].path, NULL);
        free(run[i].path);
    }
    free(run);
    fs_list_free(names, count);
}

/* *profile: the one that was asked for, or else that for self-tests; NULL when the assignment has
 * none. */
static int choose_profile(const char *assignment, const struct options *o, const char **profile,
                          struct err *e)
{
    struct assignment *a;
    *profile = o->profile;
    if (o->profile || o->full)
        return 0;
    if (assignment_load(assignment, &a, e) != 0)
        return -1;
    for (unsigned i = 0; i < a->profiles_count; i++)
        if (strcmp(a->profiles[i].name, quick) == 0)
            *profile = quick;
    assignment_free(a);
    return 0;
}

static int result_status(const struct pipeline_outcome *out, const struct options *a,
                         const struct plan_request *plan, const char *dir)
{
    char *path = display_path(dir);
    int status = EXIT_OK;
    if (out->unfinished) {
        fprintf(stderr, "stopped\n");
        status = EXIT_UNFINISHED;
    } else if (out->infra) {
        char *assignment = display_path(plan->assignment);
        term_print(stderr, 2,
                   "%u %s no verdict: this machine failed, or %s is wrong. The submission is not "
                   "the reason. The report above gives the error for each tier; `paragrade doctor` "
                   "tests this machine\n",
                   out->infra, plural(out->infra, "tier has", "tiers have"), assignment);
        free(assignment);
        status = EXIT_FAILURES;
    } else if (out->failed || !out->passed) {
        status = EXIT_FAILURES;
    }
    if (!out->unfinished && !a->quiet)
        fprintf(stderr, "all tables: %s/*.csv\n", path);
    free(path);
    return status;
}

/* Who looks for a mistake in one case does not want to wait for times. */
static struct subset part(const struct options *a)
{
    const bool one_case = a->case_index >= 0;
    return (struct subset){.one_case = one_case,
                           .case_index = one_case ? (int)a->case_index : 0,
                           .threads = (int)a->threads,
                           .untimed = a->no_timing || (one_case && !a->size)};
}

static int check(const struct options *a, char *const *dir)
{
    struct err e = ERR_INIT;
    struct strbuf notes = STRBUF_INIT;
    struct pipeline_outcome outcome;
    struct execute_options options = {.jobs = 1, .wait = !a->no_wait, .quiet = a->quiet};
    char *assignment = NULL, *own = NULL, *run = NULL;
    struct plan_request plan = {.assignment = a->assignment,
                                .paths = dir,
                                .paths_count = 1,
                                .tiers = a->tiers.item,
                                .tiers_count = a->tiers.count,
                                .reports_dir = a->reports,
                                .here = true,
                                .unprotected = a->unprotected,
                                .single = true,
                                .only = part(a),
                                .size = a->size,
                                .notes = &notes};
    int status = -1;
    if (site_files_read(&options.site, &e) != 0)
        goto out;
    if (!plan.assignment) {
        if (locate_assignment(&assignment, &e) != 0)
            goto out;
        plan.assignment = assignment;
    }
    if (!plan.reports_dir) {
        if (own_directory(&own, &e) != 0)
            goto out;
        plan.reports_dir = own;
    }
    if (choose_profile(plan.assignment, a, &plan.profile, &e) != 0 ||
        plan_create(&plan, &run, &e) != 0)
        goto out;
    term_print(stderr, 2, "%s", notes.s);
    if (pipeline_run(run, &options, a->json ? VIEW_JSON : VIEW_STUDENT, &outcome, &e) != 0)
        goto out;
    if (own)
        remove_old(own, strrchr(run, '/') + 1);
    status = result_status(&outcome, a, &plan, run);
out:
    if (status < 0)
        status = command_error(&cmd_check, &e);
    site_free(&options.site);
    strbuf_free(&notes);
    free(run);
    free(own);
    free(assignment);
    return status;
}

static void say_when(const char *dir)
{
    char text[16];
    const time_t now = time(NULL);
    struct tm tm;
    strftime(text, sizeof text, "%H:%M:%S", localtime_r(&now, &tm));
    fflush(stdout);
    fprintf(stderr,
            "checked at %s. The next check starts when a source in %s changes; Ctrl-C ends this\n",
            text, dir);
}

/* Some programs write a directory anew and remove or rename the old one: watch the next one of this
 * name. Returns its descriptor, or -1. */
static int watch_next(int watch, const char *dir, struct err *e)
{
    close(watch);
    if (!fs_is_dir(dir))
        term_print(stderr, 2, "%s is gone; waiting until it is there again. Ctrl-C ends this\n",
                   dir);
    return source_watch_reopen(dir, e);
}

/* Check, and again after each change, until the user stops it. Bad arguments end it at once. Later
 * errors do not: the user may be about to write the source that is missing. */
static int check_and_watch(const struct options *a, char *const *dir)
{
    struct err e = ERR_INIT;
    int watch = source_watch_open(dir[0], &e);
    if (watch < 0)
        return command_error(&cmd_check, &e);
    execute_catch_signals();
    const int status = check(a, dir);
    if (status == EXIT_USAGE) {
        close(watch);
        return status;
    }
    while (!execute_stop) {
        say_when(dir[0]);
        const enum watch_end end = source_watch_wait(watch, dir[0]);
        if (end == WATCH_GONE && (watch = watch_next(watch, dir[0], &e)) < 0)
            return execute_stop ? EXIT_OK : command_error(&cmd_check, &e);
        if (end != WATCH_STOPPED)
            check(a, dir);
    }
    close(watch);
    return EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct options o = {.case_index = -1};
    int status = options_read(&cmd_check, &o, argc, argv);
    if (status == COMMAND_GO_ON && argc - optind != 1)
        status = command_usage(&cmd_check, "which submission? Give one directory");
    if (status == COMMAND_GO_ON && o.size && o.no_timing)
        status = command_usage(&cmd_check, "--size names what is timed: leave out --no-timing");
    if (status == COMMAND_GO_ON && o.full && o.profile)
        status = command_usage(&cmd_check, "--full has all cases: leave out --profile");
    if (status == COMMAND_GO_ON)
        status = o.watch ? check_and_watch(&o, argv + optind) : check(&o, argv + optind);
    options_free(&o);
    return status;
}

const struct command cmd_check = {
    .name = "check",
    .usage = "check [options] DIR",
    .summary = "test your own submission here: what passes, what is wrong, points",
    .about = "Builds and runs every tier of one submission on this machine, as grading does,\n"
             "with the assignment's 'quick' profile. Needs no Slurm. A tier that is not there\n"
             "yet is shown and is no failure.\n",
    .more = "example:\n"
            "  paragrade check --tier simd student_impls/alice\n"
            "  paragrade check --tier simd --case 6 --watch my_work\n"
            "\n"
            "exit status: 0 what is there passes, 1 something fails or nothing could be\n"
            "checked, 2 bad arguments\n",
    .bit = on_check,
    .run = run,
};
