#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/parse.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "cmd/site_files.h"
#include "cmd/source_watch.h"
#include "execute/stop.h"
#include "model/assignment.h"
#include "plan/planner.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/plan.h"

enum { CASE_MOST = 1000000, THREADS_MOST = 100000, BEGINS_WITHIN_S = 60 };

static const char quick[] = "quick"; /* the profile that self-tests use when there is one */

struct check_args {
    const char *assignment;
    const char *reports;
    char **tiers;
    size_t tiers_count;
    struct subset only;
    const char *size; /* of --size */
    bool full, json, quiet, no_wait, unprotected, watch;
};

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

/* *profile: the profile for self-tests; NULL when the assignment has none. */
static int choose_profile(const char *assignment, bool full, const char **profile, struct err *e)
{
    struct assignment *a;
    *profile = NULL;
    if (assignment_load(assignment, &a, e) != 0)
        return -1;
    for (unsigned i = 0; !full && i < a->profiles_count; i++)
        if (strcmp(a->profiles[i].name, quick) == 0)
            *profile = quick;
    assignment_free(a);
    return 0;
}

static int result_status(const struct pipeline_outcome *out, const struct check_args *a,
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

static int check(const struct check_args *a, char *const *dir)
{
    struct err e = ERR_INIT;
    struct strbuf notes = STRBUF_INIT;
    struct pipeline_outcome outcome;
    struct execute_options options = {.jobs = 1, .wait = !a->no_wait, .quiet = a->quiet};
    char *assignment = NULL, *own = NULL, *run = NULL;
    struct plan_request plan = {.assignment = a->assignment,
                                .paths = dir,
                                .paths_count = 1,
                                .tiers = a->tiers,
                                .tiers_count = a->tiers_count,
                                .reports_dir = a->reports,
                                .here = true,
                                .unprotected = a->unprotected,
                                .single = true,
                                .only = a->only,
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
    if (choose_profile(plan.assignment, a->full, &plan.profile, &e) != 0 ||
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
static int check_and_watch(const struct check_args *a, char *const *dir)
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

/* A limit to a part of the assignment. */
static int take_part(struct subset *s, int option, const char *value, struct err *e)
{
    long long n;
    switch (option) {
    case 'c':
        if (parse_int(value, 0, CASE_MOST, &n, e) != 0)
            return err_context(e, "--case");
        s->one_case = true;
        s->case_index = (int)n;
        return 0;
    case 'p':
        if (parse_int(value, 1, THREADS_MOST, &n, e) != 0)
            return err_context(e, "--threads");
        s->threads = (int)n;
        return 0;
    default:
        s->untimed = true;
        return 0;
    }
}

static int take(void *with, int option, char *value, struct err *e)
{
    struct check_args *a = with;
    switch (option) {
    case 's':
        a->size = value;
        break;
    case 'c':
    case 'p':
    case 'n':
        return take_part(&a->only, option, value, e);
    case 'w':
        a->watch = true;
        break;
    case 'a':
        a->assignment = value;
        break;
    case 't':
        a->tiers = xrealloc_array(a->tiers, a->tiers_count + 1, sizeof *a->tiers);
        a->tiers[a->tiers_count++] = value;
        break;
    case 'f':
        a->full = true;
        break;
    case 'u':
        a->unprotected = true;
        break;
    case 'o':
        a->reports = value;
        break;
    case 'N':
        a->no_wait = true;
        break;
    case 'J':
        a->json = true;
        break;
    default:
        a->quiet = true;
        break;
    }
    return 0;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"assignment", required_argument, NULL, 'a'},
        {"tier", required_argument, NULL, 't'},
        {"full", no_argument, NULL, 'f'},
        {"case", required_argument, NULL, 'c'},
        {"size", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 'p'},
        {"no-timing", no_argument, NULL, 'n'},
        {"watch", no_argument, NULL, 'w'},
        {"unprotected", no_argument, NULL, 'u'},
        {"reports", required_argument, NULL, 'o'},
        {"no-wait", no_argument, NULL, 'N'},
        {"json", no_argument, NULL, 'J'},
        {"quiet", no_argument, NULL, 'q'},
        {NULL, 0, NULL, 0},
    };
    struct check_args a = {0};
    const struct command_options o = {options, "a:t:q", take, &a};
    int status = command_options(&cmd_check, &o, argc, argv);
    if (status == COMMAND_GO_ON && argc - optind != 1)
        status = command_usage(&cmd_check, "which submission? Give one directory");
    if (status == COMMAND_GO_ON && a.size && a.only.untimed)
        status = command_usage(&cmd_check, "--size names what is timed: leave out --no-timing");
    if (a.only.one_case && !a.size)
        a.only.untimed = true; /* who looks for a mistake in one case does not want to wait */
    if (status == COMMAND_GO_ON)
        status = a.watch ? check_and_watch(&a, argv + optind) : check(&a, argv + optind);
    free(a.tiers);
    return status;
}

const struct command cmd_check = {
    .name = "check",
    .usage = "check [options] DIR",
    .summary = "test your own submission here: what passes, what is wrong, what it would score",
    .help = "Builds and runs every tier of one submission on this machine, as grading does,\n"
            "with the assignment's 'quick' profile. Needs no Slurm. A tier that is not there\n"
            "yet is shown and is no failure.\n"
            "\n"
            "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the\n"
            "                        only one in testcases/, or the installed one)\n"
            "  -t, --tier T        only this tier; may be repeated\n"
            "  --full              all cases and sizes, as in grading\n"
            "  --case N            only this correctness case; nothing is timed without\n"
            "                        --size\n"
            "  --size N            time only this size (1024, or 300x20x4000)\n"
            "  --threads N         only launches with N threads\n"
            "  --no-timing         check results, time nothing. These four make a partial\n"
            "                        check, which gives no points\n"
            "  --watch             check again whenever a source file changes, until Ctrl-C\n"
            "  --unprotected       even where this machine lacks protections that the\n"
            "                        assignment requires (paragrade doctor): for code that\n"
            "                        you trust\n"
            "  --reports DIR       keep the run here (default: a directory under $TMPDIR,\n"
            "                        where the last 10 self-tests stay for `paragrade\n"
            "                        replay`; each check of --watch is one)\n"
            "  --no-wait           do not wait for other runs of yours on this machine, which\n"
            "                        may then disturb times\n"
            "  -q, --quiet         no progress on stderr\n"
            "  --json              print everything as one JSON document\n"
            "\n"
            "example:\n"
            "  paragrade check --tier simd student_impls/alice\n"
            "  paragrade check --tier simd --case 6 --watch my_work\n"
            "\n"
            "exit status: 0 what is there passes, 1 something fails or nothing could be\n"
            "checked, 2 bad arguments\n",
    .run = run,
};
