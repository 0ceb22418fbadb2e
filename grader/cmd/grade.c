#include <getopt.h>
#include <stdlib.h>

#include "base/parse.h"
#include "cmd/command.h"
#include "cmd/run_options.h"
#include "plan/seed_file.h"

static int take(void *with, int option, char *value, struct err *e)
{
    struct run_request *r = with;
    if ((option == 's' || option == 'S') && r->plan.seed_given)
        return err_input(e, "give one seed: --seed or --seed-file, once");
    switch (option) {
    case 'r':
        r->plan.roster = value;
        return 0;
    case 'O':
        r->plan.overrides = value;
        return 0;
    case 't':
        run_options_add_name(r, value);
        return 0;
    case 's':
        r->plan.seed_given = true;
        return parse_u64(value, &r->plan.seed, e) == 0 ? 0 : err_context(e, "--seed");
    case 'n':
        r->dry_run = true;
        return 0;
    case 'S':
        r->plan.seed_given = true;
        return seed_file_read(value, &r->plan.seed, e);
    default:
        return run_options_take(r, option, value, e);
    }
}

static int grade(struct run_request *r, char *const *dirs, size_t count)
{
    struct err e = ERR_INIT;
    int status;
    if (!count && !r->reference_only)
        return command_usage(&cmd_grade, "which submissions? Give their directories");
    if (count && r->reference_only)
        return command_usage(&cmd_grade, "--reference grades the reference alone");
    if (execute_options_check(&r->execute, &e) != 0)
        return command_usage(&cmd_grade, "%s", e.text);
    if (r->dry_run && !r->execute.options.slurm)
        return command_usage(&cmd_grade, "--dry-run says what Slurm would be asked for: it needs "
                                         "--slurm");
    if (r->dry_run && r->execute.json)
        return command_usage(&cmd_grade, "--dry-run grades nothing: it has no --json");
    r->plan.with_reference = true;
    return run_options_run(r, dirs, count, &status, &e) == 0 ? status
                                                             : command_error(&cmd_grade, &e);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"roster", required_argument, NULL, 'r'},
        {"overrides", required_argument, NULL, 'O'},
        {"tier", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},
        {"seed-file", required_argument, NULL, 'S'},
        {"dry-run", no_argument, NULL, 'n'},
        RUN_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    struct run_request r;
    const struct command_options o = {options, RUN_OPTIONS_LETTERS "r:t:", take, &r};
    run_options_init(&r);
    int status = command_options(&cmd_grade, &o, argc, argv);
    if (status == COMMAND_GO_ON)
        status = grade(&r, argv + optind, (size_t)(argc - optind));
    run_options_free(&r);
    return status;
}

const struct command cmd_grade = {
    .name = "grade",
    .usage = "grade [options] DIR... | grade [options] --reference",
    .summary = "grade submissions: build, check and time every tier, write the tables",
    .help = "DIR is a submission, or a directory of submissions. The reference is always\n"
            "graded too. Everything goes to a new directory reports/<run>/; an interrupted\n"
            "run is taken up with `paragrade resume`.\n"
            "\n"
            "  -a, --assignment F  the assignment (default: $PARAGRADE_ASSIGNMENT, or the\n"
            "                        only one in testcases/, or the installed one)\n"
            "  -r, --roster F      CSV file of the class: its column 'submission' (else 'id',\n"
            "                        else 'name') lists the directories that count, in report\n"
            "                        order; students without a directory are reported as\n"
            "                        missing; grades.csv repeats the other columns\n"
            "  --overrides F       CSV file of points and deadlines that a person decided\n"
            "                        (default: overrides.csv beside the roster)\n"
            "  -p, --profile P     a smaller or larger set of cases that the assignment\n"
            "                        defines\n"
            "  -t, --tier T        only this tier; may be repeated\n"
            "  --seed N            other cases than the assignment's (decimal or 0x...)\n"
            "  --seed-file F       the same, read from a file that students cannot see\n"
            "  --run-id ID         name of the run (default: assignment and time)\n"
            "  --reports DIR       where runs go (default: reports)\n"
            "  --reference         no submissions: the reference alone\n"
            "  --dry-run           with --slurm: print sbatch lines, times and node-hours,\n"
            "                        and submit nothing\n" EXECUTE_OPTIONS_HELP "\n"
            "examples:\n"
            "  paragrade grade student_impls\n"
            "  paragrade grade -a testcases/gemm-i32.yaml --roster class.csv submissions/\n"
            "  paragrade grade --slurm --partition cpu --no-wait submissions/\n"
            "\n"
            "exit status: 0 graded (whatever the verdicts), 1 units without a verdict or a\n"
            "failing reference, 2 bad input, 3 interrupted\n",
    .run = run,
};
