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
#include "seed_file.h"
#include "slurm_query.h"

struct grade_args {
    struct execute_args run;
    struct plan_request plan;
    char **tiers;
    bool reference_only;
    char *assignment; /* found, not given */
};

static int take(struct grade_args *a, int opt, struct err *e)
{
    switch (opt) {
    case 'a':
        a->plan.assignment = optarg;
        return 0;
    case 'r':
        a->plan.roster = optarg;
        return 0;
    case 'p':
        a->plan.profile = optarg;
        return 0;
    case 't':
        a->tiers = xrealloc_array(a->tiers, a->plan.tiers_count + 1, sizeof *a->tiers);
        a->tiers[a->plan.tiers_count++] = optarg;
        return 0;
    case 's':
        a->plan.seed_given = true;
        return parse_u64(optarg, &a->plan.seed, e) == 0 ? 0 : err_context(e, "--seed");
    case 'S':
        a->plan.seed_given = true;
        return seed_file_read(optarg, &a->plan.seed, e);
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

static void say_where(const char *dir, const struct strbuf *notes, bool quiet)
{
    char *path = locate_shown(dir);
    fputs(notes->s, stderr);
    if (!quiet)
        fprintf(stderr, "run directory: %s\nif interrupted: paragrade resume %s\n", path, path);
    fflush(stderr);
    free(path);
}

static int grade(struct grade_args *a)
{
    struct err e = ERR_INIT;
    struct strbuf notes = STRBUF_INIT;
    struct drive_outcome out = {0};
    char *dir = NULL;
    int status = EXIT_OK;
    a->plan.tiers = a->tiers;
    a->plan.here = !a->run.options.slurm;
    a->plan.notes = &notes;
    if (!a->plan.assignment && locate_assignment(&a->assignment, &e) == 0)
        a->plan.assignment = a->assignment;
    if (!a->plan.assignment || (a->run.options.slurm && slurm_check_cluster(&e) != 0) ||
        plan_create(&a->plan, &dir, &e) != 0) {
        status = command_error(&cmd_grade, &e);
    } else {
        say_where(dir, &notes, a->run.options.quiet);
        if (drive_run(dir, &a->run.options, a->run.json ? VIEW_JSON : VIEW_CLASS, &out, &e) != 0 ||
            out.busy)
            status = command_error(&cmd_grade, &e);
        else
            status = drive_status(&out, &a->run.options, dir);
    }
    a->plan.notes = NULL;
    strbuf_free(&notes);
    free(dir);
    return status;
}

static int run_grade(int argc, char **argv)
{
    static const struct option options[] = {
        {"assignment", required_argument, NULL, 'a'},
        {"roster", required_argument, NULL, 'r'},
        {"profile", required_argument, NULL, 'p'},
        {"tier", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},
        {"seed-file", required_argument, NULL, 'S'},
        {"run-id", required_argument, NULL, 'i'},
        {"reports", required_argument, NULL, 'o'},
        {"reference", no_argument, NULL, 'R'},
        EXECUTE_ARG_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct grade_args a = {.plan = {.reports_dir = "reports", .with_reference = true}};
    struct err e = ERR_INIT;
    int opt, status = -1;
    execute_args_init(&a.run);
    while (status < 0 && (opt = getopt_long(argc, argv, "a:r:p:t:j:q", options, NULL)) != -1) {
        int rc = opt == '?' ? 1 : take(&a, opt, &e);
        if (rc < 0)
            status = command_error(&cmd_grade, &e);
        else if (rc > 0)
            status = command_bad_option(&cmd_grade, argv, options);
    }
    a.plan.paths = argv + optind;
    a.plan.paths_count = (size_t)(argc - optind);
    if (status < 0 && !a.plan.paths_count && !a.reference_only)
        status = command_usage(&cmd_grade, "which submissions? Give their directories");
    if (status < 0 && a.plan.paths_count && a.reference_only)
        status = command_usage(&cmd_grade, "--reference grades the reference alone");
    if (status < 0 && execute_args_check(&a.run, &e) != 0)
        status = command_usage(&cmd_grade, "%s", e.text);
    if (status < 0)
        status = grade(&a);
    free(a.tiers);
    free(a.assignment);
    return status;
}

const struct command cmd_grade = {
    .name = "grade",
    .usage = "grade [options] DIR... | grade [options] --reference",
    .summary = "grade submissions: build, check and time every tier, write the tables",
    .help =
        "DIR is a submission, or a directory of submissions. The reference is always graded too.\n"
        "Everything goes to a new directory reports/<run>/; an interrupted run is taken up with\n"
        "`paragrade resume`.\n\n"
        "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the only one in\n"
        "                        testcases/)\n"
        "  -r, --roster F      CSV file of the class: its column 'submission' (else 'id', else\n"
        "                        'name') lists the directories that count, in report order;\n"
        "                        students without a directory are reported as missing\n"
        "  -p, --profile P     a smaller or larger set of cases that the assignment defines\n"
        "  -t, --tier T        only this tier; may be repeated\n"
        "  --seed N            other cases than the assignment's (decimal or 0x...)\n"
        "  --seed-file F       the same, read from a file that students cannot see\n"
        "  --run-id ID         name of the run (default: assignment and time)\n"
        "  --reports DIR       where runs go (default: reports)\n"
        "  --reference         no submissions: the reference alone\n" EXECUTE_ARG_HELP
        "\nexamples:\n"
        "  paragrade grade student_impls\n"
        "  paragrade grade --assignment testcases/gemm-i32.yaml --roster class.csv submissions/\n"
        "  paragrade grade --slurm --partition cpu --no-wait submissions/\n"
        "\nexit status: 0 graded (whatever the verdicts), 1 units without a verdict or a failing\n"
        "reference, 2 bad input, 3 interrupted\n",
    .run = run_grade,
};
