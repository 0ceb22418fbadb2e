#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "command.h"
#include "drive.h"
#include "execute_args.h"
#include "locate.h"
#include "planner.h"

struct sweep_args {
    struct execute_args run;
    struct plan_request plan;
    char **sweeps;
    bool reference_only;
    char *assignment; /* found, not given */
};

static int take(struct sweep_args *a, int opt, struct err *e)
{
    switch (opt) {
    case 'a':
        a->plan.assignment = optarg;
        return 0;
    case 'p':
        a->plan.profile = optarg;
        return 0;
    case 's':
        a->sweeps = xrealloc_array(a->sweeps, a->plan.tiers_count + 1, sizeof *a->sweeps);
        a->sweeps[a->plan.tiers_count++] = optarg;
        return 0;
    case 'i':
        a->plan.run_id = optarg;
        return 0;
    case 'o':
        a->plan.reports_dir = optarg;
        return 0;
    case 'R':
        a->reference_only = true;
        return 0;
    default:
        return execute_args_take(&a->run, opt, optarg, e);
    }
}

static int sweep(struct sweep_args *a)
{
    struct err e = ERR_INIT;
    struct strbuf notes = STRBUF_INIT;
    struct drive_outcome out = {0};
    char *dir = NULL;
    int status;
    a->plan.tiers = a->sweeps;
    a->plan.here = !a->run.options.slurm;
    a->plan.with_reference = a->reference_only;
    a->plan.notes = &notes;
    if (!a->plan.assignment && locate_assignment(&a->assignment, &e) == 0)
        a->plan.assignment = a->assignment;
    if (!a->plan.assignment || plan_create(&a->plan, &dir, &e) != 0) {
        status = command_error(&cmd_sweep, &e);
    } else {
        char *path = locate_shown(dir);
        fputs(notes.s, stderr);
        if (!a->run.options.quiet)
            fprintf(stderr, "run directory: %s\nif interrupted: paragrade resume %s\n", path, path);
        free(path);
        if (drive_run(dir, &a->run.options, a->run.json ? VIEW_JSON : VIEW_CLASS, &out, &e) != 0 ||
            out.busy)
            status = command_error(&cmd_sweep, &e);
        else
            status = drive_status(&out, &a->run.options, dir);
    }
    a->plan.notes = NULL;
    strbuf_free(&notes);
    free(dir);
    return status;
}

static int run_sweep(int argc, char **argv)
{
    static const struct option options[] = {
        {"assignment", required_argument, NULL, 'a'},
        {"profile", required_argument, NULL, 'p'},
        {"sweep", required_argument, NULL, 's'},
        {"run-id", required_argument, NULL, 'i'},
        {"reports", required_argument, NULL, 'o'},
        {"reference", no_argument, NULL, 'R'},
        EXECUTE_ARG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct sweep_args a = {.plan = {.reports_dir = "reports", .sweep = true}};
    struct err e = ERR_INIT;
    int opt, status = -1;
    execute_args_init(&a.run);
    while (status < 0 && (opt = getopt_long(argc, argv, "a:p:s:j:q", options, NULL)) != -1) {
        int rc = opt == '?' ? 1 : take(&a, opt, &e);
        if (rc < 0)
            status = command_error(&cmd_sweep, &e);
        else if (rc > 0)
            status = command_usage(&cmd_sweep, "unknown or incomplete option");
    }
    a.plan.paths = argv + optind;
    a.plan.paths_count = (size_t)(argc - optind);
    if (status < 0 && !a.plan.paths_count == !a.reference_only)
        status = command_usage(&cmd_sweep, "give the directories of submissions, or --reference");
    if (status < 0 && execute_args_check(&a.run, &e) != 0)
        status = command_usage(&cmd_sweep, "%s", e.text);
    if (status < 0)
        status = sweep(&a);
    free(a.sweeps);
    free(a.assignment);
    return status;
}

const struct command cmd_sweep = {
    .name = "sweep",
    .usage = "sweep [options] DIR... | sweep [options] --reference",
    .summary = "measure a tier over its parameters: tile, unroll, threads, ranks ...",
    .help =
        "The assignment lists sweeps: a tier, macros of its source with their values, thread and\n"
        "rank counts, sizes. Every combination is built once and checked; those that are right\n"
        "are measured in turns, so that what disturbs the node disturbs all of them. Writes\n"
        "sweep.csv, prints a table with the best of each size marked, and names it.\n\n"
        "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the only one in\n"
        "                        testcases/)\n"
        "  -s, --sweep S       only this sweep; may be repeated\n"
        "  -p, --profile P     a smaller or larger set of cases that the assignment defines\n"
        "  --run-id ID         name of the run (default: assignment and time)\n"
        "  --reports DIR       where runs go (default: reports)\n"
        "  --reference         the reference instead of submissions\n" EXECUTE_ARG_HELP
        "\nexamples:\n"
        "  paragrade sweep --sweep threads student_impls/alice\n"
        "  paragrade sweep -a testcases/gpu/ladder.yaml --sweep tile --reference\n"
        "\nexit status: 0 measured (whatever the verdicts), 1 units without a verdict or a "
        "failing\n"
        "reference, 2 bad input, 3 interrupted\n",
    .run = run_sweep,
};
