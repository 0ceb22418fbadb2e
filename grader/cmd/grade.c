#include "cmd/execute_options.h"
#include "cmd/new_run.h"

static int check(const struct options *o)
{
    if (!o->operands && !o->reference)
        return command_usage(&cmd_grade, "which submissions? Give their directories");
    if (o->operands && o->reference)
        return command_usage(&cmd_grade, "--reference grades the reference alone");
    const int fits = execute_options_check(o);
    if (fits == COMMAND_GO_ON && o->dry_run && o->json)
        return command_usage(&cmd_grade, "--dry-run grades nothing: it has no --json");
    return fits;
}

static int run(const struct options *o)
{
    return new_run(o, (struct plan_request){.roster = o->roster,
                                            .overrides = o->overrides,
                                            .tiers = o->tiers.item,
                                            .tiers_count = o->tiers.count,
                                            .seed_given = o->seed.given,
                                            .seed = o->seed.value,
                                            .with_reference = true});
}

const struct command cmd_grade = {
    .name = "grade",
    .usage = "grade [options] DIR... | grade [options] --reference",
    .summary = "grade submissions: build, check, time every tier; write the tables",
    .about = "DIR is a submission, or a directory of submissions. The reference is always\n"
             "graded too. Everything goes to a new directory reports/<run>/; an interrupted\n"
             "run is continued by `paragrade resume`.\n",
    .more = "examples:\n"
            "  paragrade grade student_impls\n"
            "  paragrade grade -a testcases/gemm-i32.yaml --roster class.csv submissions/\n"
            "  paragrade grade --slurm --partition cpu --no-wait submissions/\n"
            "\n"
            "exit status: 0 graded (whatever the verdicts), 1 units without a verdict or a\n"
            "failing reference, 2 bad input, 3 interrupted\n",
    .bit = on_grade,
    .most = OPERANDS_MANY,
    .check = check,
    .run = run,
};
