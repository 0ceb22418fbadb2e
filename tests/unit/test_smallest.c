/* The search for the smallest failing case: mistakes with a known minimum. */
#include "unit.h"

#include <stdio.h>

#include "base/rng.h"
#include "model/smallest.h"

enum { CALLS_MOST = 3000 };

/* --- planted mistakes ------------------------------------------------------------------------- */

struct oracle {
    bool (*wrong)(const struct small_case *c);
    int percent; /* a race: how often a mistake shows */
    int calls, failures, most;
    uint64_t seed;
};

static enum small_answer ask(void *with, const struct small_case *c)
{
    struct oracle *o = with;
    if (o->calls++ >= o->most)
        return SMALL_STOP;
    if (!o->wrong(c))
        return SMALL_PASSES;
    const bool shows =
        !o->percent || rng_at(o->seed, (uint64_t)o->calls) % 100 < (uint64_t)o->percent;
    o->failures += shows;
    return shows ? SMALL_FAILS : SMALL_PASSES;
}

#define M (c->shape.dim[0])
#define N (c->shape.dim[1])
#define K (c->shape.dim[2])
#define WRONG(name, condition)                                                                     \
    static bool name(const struct small_case *c)                                                   \
    {                                                                                              \
        return condition;                                                                          \
    }
WRONG(always, c != NULL)
WRONG(remainder_of_n, N % 8 != 0)
WRONG(whole_and_rest, N > 8 && N % 8 == 7)
WRONG(above_64, M > 64)
WRONG(two_bounds, K >= 17 && N > 3)
WRONG(square_only, M == N && M >= 5)
WRONG(not_square, M != N)
WRONG(one_more, M == N + 1 && N >= 3)
WRONG(large_k, K > 4096)
WRONG(above_500, K > 500)
WRONG(large_odd, K > 600 && K % 8 != 0)
WRONG(blocks_of_100, M > 100 && M % 16 != 0 && N % 3 == 2)
WRONG(product, M *N > 49)
WRONG(three_threads, c->launch.threads >= 3)
WRONG(fewer_rows_than_threads, M < c->launch.threads)
WRONG(rows_per_thread, M > 4 * c->launch.threads && c->launch.threads > 1)
WRONG(two_ranks, c->launch.ranks >= 2 && M % c->launch.ranks != 0)
WRONG(three_gpus, c->launch.gpus >= 3)
WRONG(signs, c->values != VALUES_SMALL && N > 2)
WRONG(overflow, c->values == VALUES_FULL && K > 1)
WRONG(exact_only, c->values == VALUES_UNIFORM && K >= 33)
WRONG(wide_rows, c->shape.derived[1] > 4 && M > 1)
WRONG(no_entries, c->shape.derived[0] == 0)
#undef WRONG
#undef M
#undef N
#undef K

#define UNIFORM(p)                                                                                 \
    {                                                                                              \
        .family = STRUCTURE_UNIFORM, .parameter = (p)                                              \
    }
#define GEMM &kernel_gemm_i32
#define SPMM &kernel_spmm_csr_f64

#define DENSE(m, n, k, ranks, threads, values)                                                     \
    {                                                                                              \
        {.dim = {m, n, k}}, {ranks, threads, 1, 0}, VALUES_##values                                \
    }
#define STORED(structure, m, n, k, values)                                                         \
    {                                                                                              \
        {{m, n, k}, structure, {0}, {0}, 0}, {1, 1, 1, 0}, VALUES_##values                         \
    }

static const struct planted {
    const char *name;
    bool (*wrong)(const struct small_case *c);
    const struct kernel *kernel;
    struct shape_rule rule;
    struct small_case from;
    struct small_case to; /* the known minimum */
    int percent;
} zoo[] = {
    ROW("always", always, GEMM, {0}, DENSE(97, 89, 83, 4, 4, FULL), DENSE(1, 1, 1, 1, 1, SMALL), 0),
    ROW("rest of N", remainder_of_n, GEMM, {0}, DENSE(97, 89, 83, 1, 4, FULL),
        DENSE(1, 1, 1, 1, 1, SMALL), 0),
    ROW("block and rest", whole_and_rest, GEMM, {0}, DENSE(31, 63, 31, 1, 1, FULL),
        DENSE(1, 15, 1, 1, 1, SMALL), 0),
    ROW("M > 64", above_64, GEMM, {0}, DENSE(128, 65, 31, 1, 1, SPARSE),
        DENSE(65, 1, 1, 1, 1, SMALL), 0),
    ROW("K >= 17, N > 3", two_bounds, GEMM, {0}, DENSE(13, 37, 101, 1, 2, FULL),
        DENSE(1, 4, 17, 1, 1, SMALL), 0),
    ROW("square from 5", square_only, GEMM, {0}, DENSE(64, 64, 7, 1, 1, FULL),
        DENSE(5, 5, 1, 1, 1, SMALL), 0),
    ROW("not square", not_square, GEMM, {0}, DENSE(16, 7, 64, 1, 1, FULL),
        DENSE(1, 2, 1, 1, 1, SMALL), 0),
    ROW("M = N + 1", one_more, GEMM, {0}, DENSE(34, 33, 31, 1, 1, FULL),
        DENSE(4, 3, 1, 1, 1, SMALL), 0),
    ROW("K > 4096", large_k, GEMM, {0}, DENSE(1, 1, 10000, 1, 1, FULL),
        DENSE(1, 1, 4097, 1, 1, SMALL), 0),
    ROW("K > 500", above_500, GEMM, {0}, DENSE(4, 4, 1000, 1, 1, FULL),
        DENSE(1, 1, 501, 1, 1, SMALL), 0),
    ROW("K > 600, rest", large_odd, GEMM, {0}, DENSE(4, 4, 9999, 1, 1, FULL),
        DENSE(1, 1, 601, 1, 1, SMALL), 0),
    ROW("M > 100, rests", blocks_of_100, GEMM, {0}, DENSE(300, 299, 5, 1, 1, FULL),
        DENSE(101, 2, 1, 1, 1, SMALL), 0),
    ROW("M N > 49", product, GEMM, {0}, DENSE(50, 300, 2, 1, 1, FULL), DENSE(7, 8, 1, 1, 1, SMALL),
        0),
    ROW("3 threads", three_threads, GEMM, {0}, DENSE(17, 17, 17, 1, 16, FULL),
        DENSE(1, 1, 1, 1, 3, SMALL), 0),
    ROW("M < threads", fewer_rows_than_threads, GEMM, {0}, DENSE(7, 16, 64, 1, 16, FULL),
        DENSE(1, 1, 1, 1, 2, SMALL), 0),
    ROW("M > 4 threads", rows_per_thread, GEMM, {0}, DENSE(97, 16, 64, 1, 16, FULL),
        DENSE(9, 1, 1, 1, 2, SMALL), 0),
    ROW("rest of ranks", two_ranks, GEMM, {0}, DENSE(97, 16, 64, 4, 4, FULL),
        DENSE(1, 1, 1, 2, 1, SMALL), 0),
    ROW("signs", signs, GEMM, {0}, DENSE(97, 16, 64, 1, 1, FULL), DENSE(1, 3, 1, 1, 1, NEGATIVE),
        0),
    ROW("overflow", overflow, GEMM, {0}, DENSE(97, 16, 64, 1, 1, FULL), DENSE(1, 1, 2, 1, 1, FULL),
        0),
    ROW("rounded", exact_only, &kernel_gemm_f32, {0}, DENSE(97, 16, 64, 1, 1, UNIFORM),
        DENSE(1, 1, 33, 1, 1, UNIFORM), 0),
    ROW("squares", above_64, GEMM, {.square = true}, DENSE(127, 127, 127, 1, 1, FULL),
        DENSE(65, 65, 65, 1, 1, SMALL), 0),
    ROW("multiples of 16", above_64, GEMM, {.multiple_of = 16}, DENSE(256, 64, 32, 1, 1, FULL),
        DENSE(80, 16, 16, 1, 1, SMALL), 0),
    ROW("a race", three_threads, GEMM, {0}, DENSE(97, 89, 83, 1, 7, FULL),
        DENSE(1, 1, 1, 1, 3, SMALL), 99),
    ROW("wide rows", wide_rows, SPMM, {0}, STORED(UNIFORM(33), 33, 40, 33, UNIFORM),
        STORED(UNIFORM(5), 2, 5, 1, BALANCED), 0),
    ROW("poisson", wide_rows, SPMM, {0},
        STORED({.family = STRUCTURE_POISSON}, 100, 100, 17, BALANCED),
        STORED({.family = STRUCTURE_POISSON}, 9, 9, 1, BALANCED), 0),
    ROW("empty", no_entries, SPMM, {0}, STORED({.family = STRUCTURE_EMPTY}, 65, 33, 9, BALANCED),
        STORED({.family = STRUCTURE_EMPTY}, 1, 1, 1, BALANCED), 0),
};

static void near(const char *name, const char *what, int found, int known, int within)
{
    if (found < known - within || found > known + within)
        fail_msg("%s: %s is %d, and %d is known", name, what, found, known);
}

TEST(minima)
{
    for (size_t i = 0; i < sizeof zoo / sizeof zoo[0]; i++) {
        const struct planted *z = &zoo[i];
        struct oracle o = {.wrong = z->wrong, .percent = z->percent, .most = CALLS_MOST, .seed = i};
        const struct small_search s = {z->kernel, z->rule, {ask, &o}};
        struct small_case c = z->from;
        struct err e = ERR_INIT;
        assert_int_equal(kernel_complete(z->kernel, &c.shape, &e), 0);
        assert_true(z->wrong(&c));
        if (!smallest_find(&s, &c))
            fail_msg("%s: more than %d questions", z->name, CALLS_MOST);
        assert_true(z->wrong(&c));
        assert_true(shape_allowed(z->rule, c.shape));
        for (int d = 0; d < z->kernel->dims; d++)
            near(z->name, z->kernel->dim_name[d], c.shape.dim[d], z->to.shape.dim[d], 2);
        near(z->name, "ranks", c.launch.ranks, z->to.launch.ranks, 0);
        near(z->name, "threads", c.launch.threads, z->to.launch.threads, 0);
        near(z->name, "the rank of values", value_dist_rank(c.values),
             value_dist_rank(z->to.values), 0);
    }
}

/* A kernel that crashes costs a new driver each time: few candidates may fail. */
TEST(few_failures)
{
    struct oracle o = {.wrong = above_64, .most = CALLS_MOST};
    const struct small_search s = {GEMM, {0}, {ask, &o}};
    struct small_case c = {{.dim = {128, 65, 31}}, {1, 1, 1, 0}, VALUES_FULL};
    assert_true(smallest_find(&s, &c));
    assert_in_range(o.failures, 1, 6);
    assert_in_range(o.calls, 1, 250);
}

/* Whenever the time is over, there is a failing case, no larger than the first one. */
TEST(interrupted)
{
    for (int most = 0; most < 150; most++) {
        struct oracle o = {.wrong = two_bounds, .most = most};
        const struct small_search s = {GEMM, {0}, {ask, &o}};
        struct small_case c = {{.dim = {13, 37, 101}}, {1, 2, 1, 0}, VALUES_FULL};
        smallest_find(&s, &c);
        assert_true(two_bounds(&c));
        assert_true(c.shape.dim[0] <= 13 && c.shape.dim[1] <= 37 && c.shape.dim[2] <= 101);
        assert_true(o.calls <= most + 1);
    }
}

TEST(fewer_gpus)
{
    struct oracle o = {.wrong = three_gpus, .most = CALLS_MOST};
    const struct small_search s = {GEMM, {0}, {ask, &o}};
    struct small_case c = {{.dim = {9, 9, 9}}, {1, 1, 1, 8}, VALUES_FULL};
    assert_true(smallest_find(&s, &c));
    assert_int_equal(c.launch.gpus, 3);
}

TEST(ranks_of_values)
{
    for (int v = VALUES_FULL; v <= VALUES_UNIFORM; v++)
        for (int w = VALUES_FULL; w < v; w++)
            assert_int_not_equal(value_dist_rank((enum value_dist)v),
                                 value_dist_rank((enum value_dist)w));
    assert_int_equal(value_dist_rank(VALUES_SMALL), 0);
}

TESTS(NULL, NULL)
