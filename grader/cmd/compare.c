#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/read_results.h"
#include "report/compare.h"

static int compare(const struct run *first, const struct run *second, bool json)
{
    struct err e = ERR_INIT;
    int rc = 0;
    struct results res[2] = {0};
    const struct compare_side side[2] = {{first, &res[0]}, {second, &res[1]}};
    struct compare_row *rows = NULL;
    size_t count = 0;
    for (int i = 0; i < 2 && rc == 0; i++)
        rc = read_results(&cmd_compare, side[i].run, &res[i], &e);
    if (rc == 0)
        count = compare_rows(side, &rows);
    if (count && json)
        rc = compare_print_json(side, rows, count, stdout, &e);
    else if (count)
        compare_print(side, rows, count, stdout);
    else if (rc == 0)
        term_print(stderr, 2,
                   "paragrade compare: the runs have no time in common. A time is one of the same "
                   "submission, tier, launch and size\n");
    free(rows);
    results_free(&res[0]);
    results_free(&res[1]);
    if (rc != 0)
        return command_error(&cmd_compare, &e);
    return count ? EXIT_OK : EXIT_FAILURES;
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    FREED_BY(run_close) struct run first = {0}, second = {0};
    if (locate_run(o->operand[0], &first, &e) != 0)
        return command_error(&cmd_compare, &e);
    if (locate_run(o->operand[1], &second, &e) != 0)
        return command_error(&cmd_compare, &e);
    return first.plan->sweep || second.plan->sweep
               ? command_usage(&cmd_compare, "a sweep cannot be compared")
               : compare(&first, &second, o->json);
}

const struct command cmd_compare = {
    .name = "compare",
    .usage = "compare [options] RUN RUN",
    .summary = "two runs side by side: two nodes, two compilers, two days",
    .about = "Lists every time that both runs have: the same submission, tier, launch and\n"
             "size. For each: both times, and how many times as fast the second one is,\n"
             "with its 95 % interval: by time, and by yardstick, that is relative to the\n"
             "yardstick on its own node. When a node changes, the first ratio changes. When a\n"
             "compiler changes a tier, both do. Names the nodes, processors, kernels, drivers\n"
             "and compilers that are different.\n",
    .more = "examples:\n"
            "  paragrade compare gemm-i32-20261123-101500 gemm-i32-20261124-101500\n"
            "  paragrade compare reports/nightly/20261124-030000/n1 \\\n"
            "      reports/nightly/20261124-030000/n2\n"
            "\n"
            "exit status: 0 compared, 1 no time in common, 2 bad input\n",
    .bit = on_compare,
    .least = 2,
    .most = 2,
    .operands = "give two runs: the directory of each, or its name under reports/",
    .run = run,
};
