#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/machine_check.h"

static const char *const state_name[] = {"ok", "warning", "missing"};

static void add_row(struct term_table *t, const struct examination *x)
{
    static const enum term_style style[] = {TERM_GREEN, TERM_YELLOW, TERM_RED};
    term_table_cell(t, TERM_BOLD, "%s", x->topic);
    term_table_cell(t, style[x->state], "%s", state_name[x->state]);
    term_table_cell(t, TERM_PLAIN, "%.50s", x->detail);
    term_table_cell(t, TERM_PLAIN, "%s", x->meaning);
    term_table_end_row(t);
}

static json_t *examination_json(const struct examination *x)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b}", "topic", x->topic, "state", state_name[x->state],
                     "detail", x->detail, "meaning", x->meaning, "needed", x->needed);
}

static int take(void *with, int option, char *value, struct err *e)
{
    (void)option, (void)value, (void)e;
    *(bool *)with = true;
    return 0;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    bool json = false, able = true;
    const struct command_options o = {options, "", take, &json};
    const int code = command_options(&cmd_doctor, &o, argc, argv);
    if (code != COMMAND_GO_ON)
        return code;
    if (optind != argc)
        return command_usage(&cmd_doctor, "it takes no arguments");
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "what", TERM_LEFT);
    term_table_column(t, "state", TERM_LEFT);
    term_table_column(t, "found", TERM_LEFT);
    term_table_column(t, "meaning", TERM_NOTE);
    json_t *list = json_array();
    struct examination x;
    for (unsigned i = 0; doctor_examine(i, &x); i++) {
        able = able && !(x.needed && x.state == EXAMINATION_MISSING);
        add_row(t, &x);
        json_array_append_new(list, examination_json(&x));
    }
    if (json) {
        struct err e = ERR_INIT;
        term_table_discard(t);
        if (json_print(stdout, list, &e) != 0)
            return command_error(&cmd_doctor, &e);
    } else {
        json_decref(list);
        term_table_print(t, stdout);
        puts(able ? "\nCPU tiers can be graded here." : "\nCPU tiers cannot be graded here.");
    }
    return able ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_doctor = {
    .name = "doctor",
    .usage = "doctor [--json]",
    .summary = "what this machine has and lacks for grading, and what that means",
    .help = "  --json   as a JSON list\n"
            "\n"
            "Compilers, OpenMP, MPI and CUDA are tried, not only looked for. Run it on a\n"
            "compute node to learn about that node: srun paragrade doctor\n"
            "\n"
            "exit status: 0 the CPU tiers can be graded here, 1 they cannot\n",
    .run = run,
};
