#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/install.h"
#include "base/json.h"
#include "base/proc.h"
#include "base/term.h"
#include "cmd/machine_check.h"
#include "cmd/options.h"
#include "cmd/site_files.h"
#include "execute/proctor_program.h"

static const char *const state_name[] = {"ok", "warning", "missing"};

enum { DETAIL_MOST = 55 };

static void add_row(struct term_table *t, const struct examination *x)
{
    static const enum term_style style[] = {TERM_GREEN, TERM_YELLOW, TERM_RED};
    term_table_cell(t, TERM_BOLD, "%s", x->topic);
    term_table_cell(t, style[x->state], "%s", state_name[x->state]);
    /* For people, only the last column is broken into lines. */
    const bool apart = !term_is_tsv() && strlen(x->detail) > DETAIL_MOST;
    term_table_cell(t, TERM_PLAIN, "%.120s", apart ? "" : x->detail);
    if (apart && x->meaning[0])
        term_table_cell(t, TERM_PLAIN, "%s. %c%s", x->detail, toupper((unsigned char)x->meaning[0]),
                        x->meaning + 1);
    else
        term_table_cell(t, TERM_PLAIN, "%s", apart ? x->detail : x->meaning);
    term_table_end_row(t);
}

static json_t *examination_json(const struct examination *x)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b}", "topic", x->topic, "state", state_name[x->state],
                     "detail", x->detail, "meaning", x->meaning, "needed", x->needed);
}

/* Start this command again as the site's settings say that proctors start: with their modules, for
 * example. Returns only if there is nothing to change (0) or on an error. */
static int start_with_settings(const struct options *o, struct err *e)
{
    FREED_BY(site_free) struct site s = {0};
    OWNED_TEXTS char **prefix = site_files_read(&s, e) == 0 ? execute_prefix(&s, e) : NULL;
    int rc = prefix ? 0 : -1;
    if (rc == 0 && prefix[0]) {
        OWNED char *self = install_path("bin/paragrade");
        const char *const words[] = {self, "doctor", "--as-is",
                                     o->json  ? "--json"
                                     : o->tsv ? "--tsv"
                                              : NULL,
                                     NULL};
        OWNED_TEXTS char **command = execute_command(prefix, words);
        execvp(command[0], command);
        rc = err_system(e, "%s: cannot be started: %s", command[0], strerror(errno));
    }
    return rc;
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    bool able = true;
    if (!o->as_is && start_with_settings(o, &e) != 0)
        return command_error(&cmd_doctor, &e);
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
    if (o->json) {
        term_table_discard(t);
        if (json_print(stdout, list, &e) != 0)
            return command_error(&cmd_doctor, &e);
    } else {
        json_decref(list);
        if (!term_is_tsv()) /* also from srun and in files: it is for people */
            command_layout(stdout);
        term_table_print(t, stdout);
        puts(able ? "\nCPU tiers can be graded here." : "\nCPU tiers cannot be graded here.");
    }
    return able ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_doctor = {
    .name = "doctor",
    .usage = "doctor [options]",
    .summary = "what this machine has and lacks for grading, and what that means",
    .more = "Compilers, OpenMP, MPI and CUDA are tried, not only looked for. Run it on a\n"
            "compute node to learn about that node: srun paragrade doctor. It compares the\n"
            "clock with Slurm's controller, and with the files of the current directory.\n"
            "\n"
            "exit status: 0 the CPU tiers can be graded here, 1 they cannot\n",
    .bit = on_doctor,
    .operands = "it takes no arguments",
    .run = run,
};
