/*
 * gemm_i32 [--rounds N] [--assignment FILE] [--small], run in the repository's root: the
 * reference's int32 product beside its peers and its ceiling. --small: an eighth of each size,
 * which shows that everything runs, and nothing about speed.
 *
 * Every contestant is built by build_tier() and runs in a driver, as a submission's unit does. In
 * each round every contestant computes once, one after the other, and the peak of a core is
 * measured too. So a process that disturbs the machine disturbs all of them. The figures are
 * medians over the rounds.
 */
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "build/build.h"
#include "measure/ceiling.h"
#include "supervise/arena.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/driver_program.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"
#include "supervise/scratch.h"

enum { MOST_ROUNDS = 99, EMPTY_CALLS = 201 };
static const int64_t CALL_LIMIT_MS = 120000;
static const double SAMPLE_SECONDS = 0.05; /* short contestants compute several times */

static const struct sandbox_policy no_policy; /* these sources are trusted */
static struct supervisor supervisor;

enum { NAIVE, LOCALITY, SIMD, OPENMP, MPI, BLOCKED, EIGEN, CONTESTANTS };
enum { AT_1023, AT_1024, AT_2048, SIZES };
static int size_of[SIZES] = {1023, 1024, 2048};

struct contestant {
    const char *name;
    const char *tier; /* of the assignment; NULL: a peer, described by the next two fields */
    const char *source;
    const char *compile;
    bool all_cores;
    bool slow; /* does not run at 2048, and only in one round of three */
    char *library;
    struct driver_process driver;
    double gops[SIZES][MOST_ROUNDS];
    size_t n[SIZES];
};

#define PEER_FLAGS " -O3 -mavx2 -fwrapv -fPIC -shared -o {out} {src}"

static struct contestant all[CONTESTANTS] = {
    [NAIVE] = {.name = "naive", .tier = "naive", .slow = true},
    [LOCALITY] = {.name = "locality", .tier = "locality"},
    [SIMD] = {.name = "simd", .tier = "simd"},
    [OPENMP] = {.name = "openmp", .tier = "openmp", .all_cores = true},
    [MPI] = {.name = "mpi", .tier = "mpi", .all_cores = true},
    [BLOCKED] = {.name = "peer: blocked loop",
                 .source = "blocked_i32.c",
                 .compile = "gcc -std=c11" PEER_FLAGS},
    [EIGEN] = {.name = "peer: Eigen",
               .source = "eigen_i32.cpp",
               .compile = "g++ -std=c++17 -DNDEBUG -I/usr/include/eigen3" PEER_FLAGS},
};

static struct assignment *assignment;
static struct arena arena;
static struct cores cores, one_core;
static struct scratch scratch;
static char *program[2]; /* cpu, mpi */
static double peak[SIZES][MOST_ROUNDS];
static void *expected;

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    for (int i = 0; i < CONTESTANTS; i++)
        driver_end(&all[i].driver);
    scratch_remove(&scratch);
    exit(1);
}

static void build(struct contestant *c, const char *peers)
{
    struct err e = ERR_INIT;
    struct build b = {0};
    static char *anything[] = {(char *)"*"};
    struct tier peer = {.name = (char *)(uintptr_t)c->source,
                        .calls = {.allow = {anything, 1}},
                        .compile = (char *)(uintptr_t)c->compile,
                        .compile_cxx = (char *)(uintptr_t)c->compile};
    const struct tier *t = &peer;
    const char *sources = peers, *source = c->source;
    if (c->tier) {
        int at = assignment_tier(assignment, c->tier);
        if (at < 0)
            die(c->tier, "the assignment has no such tier");
        t = &assignment->tiers[at];
        sources = assignment->reference;
        source = t->sources[0];
    }
    char *dir = xasprintf("%s/%s", scratch.dir, c->tier ? c->tier : c->source);
    const struct build_job job = {.tier = t,
                                  .limits = &assignment->limits,
                                  .sandbox = &no_policy,
                                  .sources = sources,
                                  .source = source,
                                  .dir = dir};
    if (build_tier(&job, &b, &e) != 0)
        die(c->name, e.text);
    if (b.verdict != VERDICT_PASS)
        die(c->name, b.message);
    c->library = b.library;
    b.library = NULL;
    build_free(&b);
    free(dir);
}

static void start(struct contestant *c)
{
    bool mpi = c == &all[MPI];
    struct driver_spec spec = {
        .kind = mpi ? LAUNCH_MPI : LAUNCH_CPU,
        .launch = {mpi ? cores.count : 1, c->all_cores && !mpi ? cores.count : 1},
        .program = program[mpi],
        .library = c->library,
        .function = arena.kernel->function,
        .scratch = scratch.dir,
        .shm = scratch.shm,
        .cpus = c->all_cores ? cores.id : one_core.id,
        .cpu_count = c->all_cores ? cores.count : one_core.count,
        .limits = &assignment->limits,
        .sandbox = &no_policy,
        .supervisor = &supervisor};
    struct outcome o;
    if (mpi)
        spec.launcher = assignment->tiers[assignment_tier(assignment, c->tier)].launcher;
    driver_start(&c->driver, &spec, 0, &o);
    if (o.kind != OUTCOME_OK)
        die(c->name, o.text);
}

static double run(struct contestant *c, unsigned rounds)
{
    struct outcome o;
    struct timing t;
    const struct request q = {
        .steps = PG_COMPUTE, .reps = 1, .rounds = rounds, .limit_ms = CALL_LIMIT_MS};
    driver_run(&c->driver, &q, &t, &o);
    if (o.kind != OUTCOME_OK)
        die(c->name, o.text);
    return t.seconds / rounds;
}

/* The peak of the core on which the single-core contestants run. */
static double peak_there(void)
{
    return ceiling_sample(one_core.id, 1, TYPE_I32, false).gops;
}

static bool takes_part(const struct contestant *c, int at, int round)
{
    return !c->slow || (at != AT_2048 && round % 3 == 0);
}

static void note(struct contestant *c, int at, double seconds)
{
    const struct shape s = shape_cube(3, size_of[at]);
    c->gops[at][c->n[at]++] = kernel_operations(arena.kernel, s) / seconds * 1e-9;
}

static void measure_size(int at, int rounds, struct progress *progress)
{
    const struct kernel *k = arena.kernel;
    struct test_case problem = {
        .shape = shape_cube(3, size_of[at]), .kind = CASE_PERFORMANCE, .seed = 1};
    struct err e = ERR_INIT;
    struct outcome o;
    unsigned repeat[CONTESTANTS] = {0};
    if (arena_layout(&arena, problem.shape, 1, false, &e) != 0)
        die("arena", e.text);
    arena_generate(&arena, &problem, 0, 1);
    const void *in[] = {arena_input(&arena, 0, 0), arena_input(&arena, 1, 0)};
    k->expect(problem.shape, in, expected);
    for (int i = 0; i < CONTESTANTS; i++) {
        struct mismatch m;
        struct accuracy accuracy;
        struct contestant *c = &all[i];
        if (!takes_part(c, at, 0))
            continue;
        driver_case(&c->driver, &arena, false, &o);
        if (o.kind != OUTCOME_OK)
            die(c->name, o.text);
        arena_poison(&arena, 1, 1);
        double seconds = run(c, 1);
        const struct comparison result = {.shape = problem.shape,
                                          .expected = expected,
                                          .got = arena_output(&arena, 0),
                                          .poison = 1,
                                          .launch = {1, 1}};
        if (kernel_compare(k, &result, &m, &accuracy))
            die(c->name, "the product is wrong");
        repeat[i] = seconds < SAMPLE_SECONDS ? (unsigned)(SAMPLE_SECONDS / seconds) + 1 : 1;
        if (repeat[i] == 1) /* long enough to be the first sample */
            note(c, at, seconds);
    }
    for (int r = 0; r < rounds; r++) {
        peak[at][r] = peak_there();
        for (int i = 0; i < CONTESTANTS; i++) {
            struct contestant *c = &all[i];
            if (!takes_part(c, at, r))
                continue;
            if (r > 0 || repeat[i] > 1)
                note(c, at, run(c, repeat[i]));
            progress_update(progress, (size_t)at * (size_t)rounds + (size_t)r, "%d: %s",
                            size_of[at], c->name);
        }
    }
}

static double median(int who, int at)
{
    return stats_median(all[who].gops[at], all[who].n[at]);
}

static void print_rates(int rounds)
{
    struct term_table *t = term_table_new("int32 product, 10^9 operations per second");
    const char *heading[] = {"size", "kernel", "cores",   "GOP/s",
                             "low",  "high",   "naive x", "peak %"};
    for (size_t i = 0; i < sizeof heading / sizeof heading[0]; i++)
        term_table_column(t, heading[i], i == 1 ? TERM_LEFT : TERM_RIGHT);
    for (int at = 0; at < SIZES; at++) {
        double top = stats_median(peak[at], (size_t)rounds);
        for (int i = 0; i < CONTESTANTS; i++) {
            const struct contestant *c = &all[i];
            if (!c->n[at])
                continue;
            int used = c->all_cores ? cores.count : 1;
            double m = median(i, at), naive = median(NAIVE, at);
            term_table_cell(t, TERM_PLAIN, "%d", size_of[at]);
            term_table_cell(t, TERM_PLAIN, "%s", c->name);
            term_table_cell(t, TERM_PLAIN, "%d", used);
            term_table_cell(t, TERM_PLAIN, "%.2f", m);
            term_table_cell(t, TERM_DIM, "%.2f", stats_quantile(c->gops[at], c->n[at], 0.25));
            term_table_cell(t, TERM_DIM, "%.2f", stats_quantile(c->gops[at], c->n[at], 0.75));
            if (all[NAIVE].n[at])
                term_table_cell(t, TERM_PLAIN, "%.1f", m / naive);
            else
                term_table_cell(t, TERM_PLAIN, "-");
            term_table_cell(t, TERM_PLAIN, "%.1f", 100 * m / (top * used));
        }
        term_table_cell(t, TERM_PLAIN, "%d", size_of[at]);
        term_table_cell(t, TERM_CYAN, "ceiling: multiply-add on registers");
        term_table_cell(t, TERM_PLAIN, "1");
        term_table_cell(t, TERM_PLAIN, "%.2f", top);
        term_table_cell(t, TERM_DIM, "%.2f", stats_quantile(peak[at], (size_t)rounds, 0.25));
        term_table_cell(t, TERM_DIM, "%.2f", stats_quantile(peak[at], (size_t)rounds, 0.75));
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
}

static void goal(struct term_table *t, double wanted, double measured, const char *text)
{
    bool met = measured >= wanted;
    term_table_cell(t, TERM_PLAIN, "%s", text);
    term_table_cell(t, TERM_PLAIN, "%.3g", wanted);
    term_table_cell(t, TERM_PLAIN, "%.3g", measured);
    term_table_cell(t, met ? TERM_GREEN : TERM_RED, "%s", met ? "yes" : "no");
}

/* The goals were set in GOP/s on cores with a peak of 83. As shares of the peak they hold on other
 * cores too. */
static void print_goals(int rounds)
{
    struct term_table *t = term_table_new("\nGoals");
    double one = stats_median(peak[AT_2048], (size_t)rounds), every = one * cores.count;
    term_table_column(t, "goal, at least", TERM_LEFT);
    term_table_column(t, "wanted", TERM_RIGHT);
    term_table_column(t, "measured", TERM_RIGHT);
    term_table_column(t, "met", TERM_LEFT);
    goal(t, 10, median(LOCALITY, AT_1024) / median(NAIVE, AT_1024), "locality / naive, 1024");
    goal(t, 4.5, median(LOCALITY, AT_1023) / median(NAIVE, AT_1023), "locality / naive, 1023");
    goal(t, 70. / 83, median(SIMD, AT_1024) / one, "simd / peak of a core, 1024");
    goal(t, 70. / 83, median(SIMD, AT_2048) / one, "simd / peak of a core, 2048");
    goal(t, 12, median(SIMD, AT_1024) / median(EIGEN, AT_1024), "simd / Eigen, 1024");
    goal(t, 12, median(SIMD, AT_2048) / median(EIGEN, AT_2048), "simd / Eigen, 2048");
    goal(t, 2, median(SIMD, AT_1024) / median(BLOCKED, AT_1024), "simd / blocked loop, 1024");
    goal(t, 2, median(SIMD, AT_2048) / median(BLOCKED, AT_2048), "simd / blocked loop, 2048");
    goal(t, .92, median(SIMD, AT_1023) / median(SIMD, AT_1024), "simd at 1023 / at 1024");
    goal(t, 65. / 83, median(OPENMP, AT_1024) / every, "openmp / peak of its cores, 1024");
    goal(t, 69. / 83, median(OPENMP, AT_2048) / every, "openmp / peak of its cores, 2048");
    goal(t, .95, median(MPI, AT_2048) / median(OPENMP, AT_2048), "mpi / openmp, 2048");
    term_table_print(t, stdout);
}

/* What a sample costs beside the kernel: from GO to DONE, as it is timed, and with resuming and
 * halting the driver. */
static void print_overhead(void)
{
    double timed[EMPTY_CALLS], whole[EMPTY_CALLS];
    struct outcome o;
    const struct request q = {.steps = PG_COMPUTE, .rounds = 1, .limit_ms = CALL_LIMIT_MS};
    for (int i = 0; i < EMPTY_CALLS; i++) {
        struct timing t;
        uint64_t from = clock_mono_ns();
        driver_run(&all[SIMD].driver, &q, &t, &o);
        whole[i] = (double)(clock_mono_ns() - from) * 1e-3;
        timed[i] = t.seconds * 1e6;
    }
    printf("\nAn empty call: %.0f us as timed, %.0f us with waking and halting the driver "
           "(medians of %d)\n",
           stats_median(timed, EMPTY_CALLS), stats_median(whole, EMPTY_CALLS), EMPTY_CALLS);
}

static void prepare(const char *file)
{
    struct err e = ERR_INIT;
    struct shape largest = shape_cube(3, size_of[AT_2048]);
    cores_allocated(&cores);
    cores_quietest(&cores, 1, &one_core);
    if (assignment_load(file, &assignment, &e) != 0 || scratch_create(&scratch, &e) != 0)
        die(file, e.text);
    const struct kernel *k = assignment->kernel;
    if (arena_create(&arena, k, &largest, 1, (struct matrix_pool){0}, &e) != 0)
        die("matrices", e.text);
    expected = xcalloc(operand_bytes(&k->out, largest), 1);
    program[0] = driver_program(LAUNCH_CPU);
    program[1] = driver_program(LAUNCH_MPI);
    for (int i = 0; i < CONTESTANTS; i++)
        build(&all[i], "bench");
    for (int i = 0; i < CONTESTANTS; i++)
        start(&all[i]);
}

static void shrink(void)
{
    for (int at = 0; at < SIZES; at++)
        size_of[at] /= 8;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"assignment", required_argument, NULL, 'a'},
                                            {"small", no_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    const char *file = "testcases/gemm-i32.yaml";
    int opt, rounds = 9;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (opt == 'r')
            rounds = atoi(optarg);
        else if (opt == 'a')
            file = optarg;
        else if (opt == 's')
            shrink();
        else
            return 2;
    }
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "bench: --rounds: 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    prepare(file);
    struct progress progress;
    progress_start(&progress, (size_t)SIZES * (size_t)rounds, false);
    for (int at = 0; at < SIZES; at++)
        measure_size(at, rounds, &progress);
    progress_end(&progress);
    print_rates(rounds);
    print_goals(rounds);
    print_overhead();
    for (int i = 0; i < CONTESTANTS; i++) {
        driver_end(&all[i].driver);
        free(all[i].library);
    }
    arena_destroy(&arena);
    scratch_remove(&scratch);
    assignment_free(assignment);
    free(expected);
    free(program[0]);
    free(program[1]);
    return 0;
}
