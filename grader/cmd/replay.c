#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "cmd/replay_case.h"
#include "cmd/replay_export.h"
#include "cmd/site_files.h"
#include "execute/proctor_program.h"
#include "report/text.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"
#include "rundir/stage.h"

enum { OUTPUT_MOST = 1 << 16 };

/* Say why nothing happens: once for each reason. */
static void tell_wait(const char *err, void *arg)
{
    char words[STAGE_TEXT], *told = arg;
    if (!stage_last_in(err, words, sizeof words) || strcmp(words, told) == 0)
        return;
    snprintf(told, STAGE_TEXT, "%s", words);
    if (strncmp(words, STAGE_OTHERS, strlen(STAGE_OTHERS)) == 0)
        fprintf(stderr, "paragrade replay: %s\n", words);
}

/* Let the proctor run the case. It writes the result to `file`. */
static int run_proctor(const struct replay_case *a, const struct run *r, const char *file,
                       struct err *e)
{
    OWNED char *proctor = install_path("libexec/paragrade/proctor");
    OWNED char *repeat = xasprintf("%lld", a->given.repeat);
    OWNED char *number = xasprintf("%llu", (unsigned long long)a->values_number);
    const char *argv[26] = {proctor, "--run", r->dir, "--unit", r->plan->units[a->unit].id};
    const char *const options[][2] = {{a->size ? "--size" : "--case", a->number},
                                      {"--repeat", repeat},
                                      {"--output", file},
                                      {"--launch", a->given.launch},
                                      {"--values", a->given.values},
                                      {"--seed", a->given.case_seed},
                                      {"--cause", cause_name(a->cause)},
                                      {"--answers", a->answers ? number : NULL}};
    size_t n = 5;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i][1] && *options[i][1]) {
            argv[n++] = options[i][0];
            argv[n++] = options[i][1];
        }
    if (a->given.before)
        argv[n++] = "--before";
    if (a->given.fill)
        argv[n++] = "--fill";
    if (a->given.no_wait)
        argv[n++] = "--no-wait";
    FREED_BY(site_free) struct site site = {0};
    OWNED_TEXTS char **before = site_files_read(&site, e) == 0 ? execute_prefix(&site, e) : NULL;
    OWNED_TEXTS char **command = before ? execute_command(before, argv) : NULL;
    char told[STAGE_TEXT] = "";
    struct proc_spec spec = {
        .argv = command, .output_max = OUTPUT_MOST, .said = tell_wait, .said_arg = told};
    FREED_BY(proc_result_free) struct proc_result p = {.out = STRBUF_INIT, .err = STRBUF_INIT};
    int rc = command ? proc_run(&spec, &p, e) : -1;
    if (rc == 0 && !proc_ok(&p)) {
        char how[100];
        proc_describe(&p, how, sizeof how);
        bool usage = WIFEXITED(p.status) && WEXITSTATUS(p.status) == 2;
        /* The user did not start the proctor: leave its name out. */
        static const char prefix[] = "paragrade proctor: ";
        stage_remove_lines(p.err.s);
        const char *said = p.err.s;
        if (strncmp(said, prefix, sizeof prefix - 1) == 0)
            said += sizeof prefix - 1;
        const int line = (int)strcspn(said, "\n");
        rc = usage ? err_input(e, "%.*s", line, said)
                   : err_system(e, "the case could not be run (%s): %.*s", how, line, said);
    }
    return rc;
}

static void print_case(const struct tier *t, const struct case_result *c)
{
    char launch[TEXT_MOST];
    text_launch(t, c->launch, launch);
    printf("  %s: %s%s%s", launch, term_on(stdout, text_verdict_style(c->verdict)),
           verdict_name(c->verdict), term_off(stdout));
    if (c->failed_runs && c->failed_runs < c->runs)
        printf(" (%d of %d runs failed)", c->failed_runs, c->runs);
    else if (c->runs) /* not ended by the first one */
        printf(" (%d %s)", c->runs, plural((unsigned)c->runs, "run", "runs"));
    putchar('\n');
    if (c->message[0])
        term_print(stdout, 6, "    %s\n", c->message);
}

/* All numbers of a small problem, to follow it by hand. They are in a file beside the result. */
static void print_numbers(const char *result)
{
    enum { NUMBERS_MOST = 1 << 16 };
    OWNED char *path = xasprintf("%s" REPLAY_NUMBERS, result), *text = NULL;
    if (fs_read(path, NUMBERS_MOST, &text, NULL, NULL) == 0) {
        printf("  the first wrong result:\n");
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            printf("    %s\n", line);
    }
}

static int print(const struct replay_case *a, const struct run *r, const struct unit_result *u,
                 const char *result)
{
    const struct test_case *c = &r->cases.item[a->case_index];
    const struct tier *t = &r->assignment->tiers[r->plan->units[a->unit].tier];
    OWNED char *shape = kernel_shape_text(r->assignment->kernel, c->shape);
    term_print(stdout, 2, "%s, case %s: %s, %s values, seed 0x%016llx\n", u->unit_id, a->number,
               shape, kernel_values_name(t->kernel, c->values), (unsigned long long)c->seed);
    for (unsigned i = 0; i < u->cases_count; i++)
        print_case(t, &u->cases[i]);
    print_numbers(result);
    if (!u->cases_count)
        term_print(stdout, 4, "  %s: %s\n", verdict_name(u->verdict), u->message);
    if (u->verdict == VERDICT_BUILD_ERROR)
        term_print(stdout, 4, "%s\n", u->build_log);
    if (u->output[0])
        printf("it printed:\n%s\n", u->output);
    return u->verdict == VERDICT_PASS ? EXIT_OK : EXIT_FAILURES;
}

static int replay(const struct replay_case *a, const struct run *r, struct err *e)
{
    char dir[] = "/tmp/paragrade-replay-XXXXXX";
    if (!mkdtemp(dir)) {
        err_system(e, "%s: cannot create", dir);
        return command_error(&cmd_replay, e);
    }
    OWNED char *file = xasprintf("%s/result.json", dir);
    struct unit_result *u = NULL;
    int status = run_proctor(a, r, file, e) == 0 && unit_result_load(file, &u, e) == 0
                     ? print(a, r, u, file)
                     : command_error(&cmd_replay, e);
    unit_result_free(u);
    fs_remove_tree(dir, NULL);
    return status;
}

/* For a kernel in a file: what the proctor makes. */
struct answering {
    struct replay_case *args;
    const struct run *run;
};

static int make_answers(void *with, const char *dir, struct err *e)
{
    const struct answering *x = with;
    return run_proctor(x->args, x->run, dir, e);
}

static int export(struct replay_case *a, const struct run *r, struct err *e)
{
    struct launch l = a->launch;
    struct answering with = {a, r};
    const struct unit *u = &r->plan->units[a->unit];
    const struct tier *t = &r->assignment->tiers[u->tier];
    if (a->given.launch)
        launch_parse(a->given.launch, &l); /* checked already */
    const int index = a->size ? 0 : replay_launch_index(l, r->assignment, t);
    const struct replay_export x = {.run = r,
                                    .answers = make_answers,
                                    .with = &with,
                                    .unit = u,
                                    .test_case = &r->cases.item[a->case_index],
                                    .case_name = a->number,
                                    .launch = l,
                                    .first_run = case_first_run(index < 0 ? 0 : (unsigned)index),
                                    .dir = a->given.export_dir};
    a->answers = true;
    a->values_number = x.first_run;
    if (replay_export(&x, e) != 0)
        return command_error(&cmd_replay, e);
    OWNED char *dir = display_path(a->given.export_dir);
    term_print(stdout, 2,
               "%s, case %s is in %s; its README.txt says what there is. Start it with:\n", u->id,
               a->number, dir);
    printf("  make -C %s run\n", dir);
    term_print(stdout, 2, "It runs the submission without the grader's protections.\n");
    const bool device = launch_kind_has(t->kind, KIND_DEVICE_TOOLS);
    printf("Some mistakes leave the result right. To find them: make %s-C %s %s\n",
           device ? "-k " : "", dir, device ? "memcheck racecheck synccheck initcheck" : "asan");
    return EXIT_OK;
}

static int run(const struct options *o, struct run *r)
{
    struct replay_case c;
    struct err e = ERR_INIT;
    if (replay_case_find(&c, o, r, &e) != 0)
        return command_error(&cmd_replay, &e);
    return o->export_dir ? export(&c, r, &e) : replay(&c, r, &e);
}

const struct command cmd_replay = {
    .name = "replay",
    .usage = "replay [options] [RUN] UNIT [CASE]",
    .summary = "run one case of one unit again, here, and show what happens",
    .about = "Compiles the sources that were graded and runs the case on this machine. The run\n"
             "directory does not change.\n",
    .more = "RUN   a run directory, or the name of a run under reports/ or of a self-test\n"
            "        (default: the newest of them that has the unit)\n"
            "UNIT  SUBMISSION.TIER, for example carol.simd; TIER, where the run has one\n"
            "        submission\n"
            "CASE  the number of the case, as reports show it; or a size, such as 1x9x1 or\n"
            "        n=9, for any other case, with --values and --seed (default: what the\n"
            "        report says after 'again:', the smallest case that fails)\n"
            "\n"
            "exit status: 0 the case passes or is exported, 1 it fails, 2 bad arguments\n"
            "\n"
            "examples:\n"
            "  paragrade replay simd\n"
            "  paragrade replay simd 6\n"
            "  paragrade replay gemm-i32-20261121-101500 carol.simd 6\n"
            "  paragrade replay gemm-i32-20261121-101500 carol.simd 1x9x1 --values small\n"
            "  paragrade replay --export case6 gemm-i32-20261121-101500 carol.simd 6\n",
    .bit = on_replay,
    .runs = RUNS_OF_ALL,
    .least = 1,
    .most = 3,
    .operands =
        "give a unit (TIER or SUBMISSION.TIER), after it a case, and before it a run that is "
        "not the newest: copy the line after `again:` in the report",
    .names_run = replay_names_run,
    .means = replay_means,
    .with_run = run,
};
