#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/display_path.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/check_operand.h"
#include "cmd/check_view.h"
#include "cmd/full_disk.h"
#include "cmd/options.h"
#include "cmd/pipeline.h"
#include "cmd/self_tests.h"
#include "cmd/site_files.h"
#include "cmd/source_watch.h"
#include "execute/stop.h"
#include "model/assignment.h"
#include "plan/planner.h"

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
    *profile = assignment_self_test_profile(a);
    assignment_free(a);
    return 0;
}

static int result_status(const struct pipeline_outcome *out, bool quiet, const char *by,
                         const char *dir)
{
    OWNED char *path = display_path(dir);
    int status = EXIT_OK;
    if (out->unfinished) {
        fflush(stdout); /* if both streams go to one file, what was found comes first */
        fprintf(stderr, "stopped\n");
        status = EXIT_UNFINISHED;
    } else if (out->infra) {
        OWNED char *assignment = display_path(by);
        term_print(stderr, 2,
                   "%u %s no verdict: this machine failed, or %s is wrong. The submission is not "
                   "the reason. The report above gives the error for each tier; `paragrade doctor` "
                   "tests this machine\n",
                   out->infra, plural(out->infra, "tier has", "tiers have"), assignment);
        status = EXIT_FAILURES;
    } else if (out->failed || !out->passed) {
        status = EXIT_FAILURES;
    }
    if (!out->unfinished && !quiet)
        fprintf(stderr, "all tables: %s/*.csv\n", path);
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

/* Keep *run, the directory of the run, for who checks again. */
static int check(const struct options *a, const char *operand, const char *before, char **run)
{
    struct err e = ERR_INIT;
    struct strbuf notes = STRBUF_INIT;
    struct pipeline_outcome outcome;
    struct checked what = {0};
    struct execute_options options = {.jobs = 1,
                                      .wait = !a->no_wait,
                                      .quiet = a->quiet || a->gcc_style,
                                      .first_failure = a->first_failure};
    char *own = NULL;
    *run = NULL;
    int status = -1;
    if (site_files_read(&options.site, &e) != 0 ||
        checked_find(&what, a, operand, !before, &e) != 0)
        goto out;
    struct plan_request plan = {.assignment = what.assignment,
                                .paths = &what.given,
                                .paths_count = 1,
                                .tiers = what.tiers,
                                .tiers_count = what.tiers_count,
                                .reports_dir = a->reports,
                                .here = true,
                                .unprotected = a->unprotected,
                                .single = true,
                                .only = part(a),
                                .size = a->size,
                                .notes = &notes};
    if (!plan.reports_dir) {
        if (self_tests_directory(&own, &e) != 0)
            goto out;
        plan.reports_dir = own;
    }
    if (choose_profile(plan.assignment, a, &plan.profile, &e) != 0 ||
        plan_create(&plan, run, &e) != 0) {
        full_disk_hint(&e, NULL);
        goto out;
    }
    if (!before)
        term_print(stderr, 2, "%s", notes.s);
    const uint64_t began = clock_mono_ns();
    if (pipeline_run(*run, &options, VIEW_NONE, &outcome, &e) != 0)
        goto out;
    const struct check_view view = {.json = a->json,
                                    .gcc_style = a->gcc_style,
                                    .unfinished = outcome.unfinished,
                                    .cut = outcome.cut,
                                    .before = before,
                                    .seconds = (double)(clock_mono_ns() - began) / 1e9,
                                    .given = what.given};
    if (check_view_print(*run, &view, &e) != 0)
        goto out;
    if (own)
        self_tests_remove_old(own, strrchr(*run, '/') + 1, what.dir);
    status = result_status(&outcome, a->quiet || a->gcc_style || before, plan.assignment, *run);
out:
    if (status < 0)
        status = command_error(&cmd_check, &e);
    checked_free(&what);
    site_free(&options.site);
    strbuf_free(&notes);
    free(own);
    return status;
}

/* first: say also how this goes on. */
static void say_when(const char *dir, bool first)
{
    char text[16];
    const time_t now = time(NULL);
    struct tm tm;
    strftime(text, sizeof text, "%H:%M:%S", localtime_r(&now, &tm));
    fflush(stdout);
    if (first)
        term_print(stderr, 2,
                   "checked at %s. The next check starts when a source in %s changes; Ctrl-C ends "
                   "this\n",
                   text, dir);
    else
        fprintf(stderr, "checked at %s\n", text);
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

/* A run that has results is what the next one is compared with. */
static int check_after(const struct options *a, const char *operand, char **last)
{
    char *run;
    const int status = check(a, operand, *last, &run);
    if (run && (status == EXIT_OK || status == EXIT_FAILURES)) {
        free(*last);
        *last = run;
    } else {
        free(run);
    }
    return status;
}

/* The directory whose changes count: of a source, the one that it is in; of a tier, this one. */
static char *watched(const char *operand)
{
    const char *slash = operand ? strrchr(operand, '/') : NULL;
    if (operand && (fs_is_dir(operand) || (slash && !fs_exists(operand))))
        return xstrdup(operand);
    if (!slash)
        return xstrdup(".");
    return slash > operand ? xasprintf("%.*s", (int)(slash - operand), operand) : xstrdup("/");
}

static int watch_loop(const struct options *a, const char *operand, const char *dir, int *watch)
{
    struct err e = ERR_INIT;
    OWNED char *last = NULL;
    int status = check_after(a, operand, &last);
    for (bool first = true; status != EXIT_USAGE || !first; first = false) {
        if (execute_stop)
            break;
        say_when(dir, first);
        const enum watch_end end = source_watch_wait(*watch, dir);
        if (end == WATCH_GONE && (*watch = watch_next(*watch, dir, &e)) < 0)
            break;
        if (end != WATCH_STOPPED)
            status = check_after(a, operand, &last);
    }
    if (*watch < 0 && !execute_stop)
        return command_error(&cmd_check, &e);
    return execute_stop ? EXIT_OK : status;
}

/* Check, and again after each change, until the user stops it. Bad arguments end it at once. Later
 * errors do not: the user may be about to write the source that is missing. */
static int check_and_watch(const struct options *a, const char *operand)
{
    struct err e = ERR_INIT;
    OWNED char *dir = watched(operand);
    int watch = source_watch_open(dir, &e);
    int status = EXIT_USAGE;
    if (watch < 0) {
        status = command_error(&cmd_check, &e);
    } else {
        execute_catch_signals();
        status = watch_loop(a, operand, dir, &watch);
    }
    if (watch >= 0)
        close(watch);
    return status;
}

static int check_once(const struct options *a, const char *operand)
{
    OWNED char *run = NULL;
    return check(a, operand, NULL, &run);
}

static int run(const struct options *o)
{
    const char *operand = o->operands ? o->operand[0] : NULL;
    if (o->size && o->no_timing)
        return command_usage(&cmd_check, "--size names what is timed: leave out --no-timing");
    if (o->full && o->profile)
        return command_usage(&cmd_check, "--full has all cases: leave out --profile");
    if (o->json && o->gcc_style)
        return command_usage(&cmd_check, "--json and --gcc-style are two ways to print the same");
    return o->watch ? check_and_watch(o, operand) : check_once(o, operand);
}

const struct command cmd_check = {
    .name = "check",
    .usage = "check [options] [DIR | SOURCE | TIER]",
    .summary = "test your own submission here: what passes, what is wrong, points",
    .about = "Builds and runs every tier of one submission on this machine, as grading does,\n"
             "with the assignment's 'quick' profile. Needs no Slurm. Without an argument, it\n"
             "checks this directory. SOURCE (my_work/simd.c) is one tier of its directory,\n"
             "and TIER (simd) is one of this directory. A tier that is not there yet is\n"
             "shown and is no failure.\n",
    .more = "examples:\n"
            "  paragrade check -a testcases/gemm-i32.yaml my_work\n"
            "  paragrade check --tier simd student_impls/alice\n"
            "  paragrade check --tier simd --case 6 --watch my_work\n"
            "  paragrade check -x my_work/simd.c\n"
            "\n"
            "exit status: 0 what is there passes, 1 something fails or nothing could be\n"
            "checked, 2 bad arguments, 3 stopped by Ctrl-C\n",
    .bit = on_check,
    .most = 1,
    .operands = "give one directory or source. Without any, all tiers of this directory are "
                "checked. Several tiers: --tier simd,mpi",
    .run = run,
};
