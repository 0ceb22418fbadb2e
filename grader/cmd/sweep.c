#include "cmd/execute_options.h"
#include "cmd/new_run.h"

static int check(const struct options *o)
{
    if (!o->operands == !o->reference)
        return command_usage(&cmd_sweep, "give the directories of submissions, or --reference");
    if (o->sweeps.count && o->tiers.count)
        return command_usage(&cmd_sweep, "give --sweep or --tier");
    return execute_options_check(o);
}

static int run(const struct options *o)
{
    const struct words *which = o->sweeps.count ? &o->sweeps : &o->tiers;
    return new_run(o, (struct plan_request){.sweep = true,
                                            .tiers = which->item,
                                            .tiers_count = which->count,
                                            .with_reference = o->reference});
}

const struct command cmd_sweep = {
    .name = "sweep",
    .usage = "sweep [options] DIR... | sweep [options] --reference",
    .summary = "measure a tier over its parameters: tile, unroll, threads, ranks",
    .about = "The assignment lists sweeps: a tier, macros of its source with their values,\n"
             "thread and rank counts, sizes. Every combination is built once and checked;\n"
             "those that are right are measured in turns, so that what disturbs the node\n"
             "disturbs all of them. Writes sweep.csv, prints a table with the best of each\n"
             "size marked, and names it.\n",
    .more = "examples:\n"
            "  paragrade sweep --sweep threads student_impls/alice\n"
            "  paragrade sweep -a testcases/gpu/ladder.yaml --sweep tile --reference\n"
            "\n"
            "exit status: 0 measured (whatever the verdicts), 1 units without a verdict or a\n"
            "failing reference, 2 bad input, 3 interrupted\n",
    .bit = on_sweep,
    .most = OPERANDS_MANY,
    .check = check,
    .run = run,
};
