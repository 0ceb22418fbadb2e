/* Outputs that are still written after a run. */
#include "unit.h"

#include <string.h>

#include "measure/output_sample.h"

enum { REPS = 3, N = 200 };

static struct arena a;
static const struct shape shape = {.dim = {N, N, N}};

static int setup(void **state)
{
    struct err e = ERR_INIT;
    return arena_create(&a, kernel_find("gemm", TYPE_I32), &shape, 1,
                        (struct matrix_pool){4 << 20, 4 << 20, 4 << 20}, &e) == 0 &&
                   arena_layout(&a, shape, REPS, ON_DEVICE, &e) == 0
               ? 0
               : -1;
}

static int teardown(void **state)
{
    arena_destroy(&a);
    return 0;
}

static int32_t *output(unsigned rep)
{
    return (int32_t *)(uintptr_t)arena_output(&a, rep);
}

TEST(a_finished_output_is_the_same)
{
    struct output_sample s;
    for (uint64_t key = 1; key < 50; key++) {
        output_sample_take(&s, &a, REPS, key);
        assert_true(output_sample_same(&s, &a));
    }
}

/* The last rows of one of the problems: 2 % of all elements. */
TEST(rows_that_come_later_are_seen)
{
    struct output_sample s;
    const size_t from = (size_t)N * N * 94 / 100;
    for (uint64_t key = 1; key < 50; key++) {
        const unsigned rep = (unsigned)(key % REPS);
        output_sample_take(&s, &a, REPS, key);
        memset(output(rep) + from, (int)key, ((size_t)N * N - from) * sizeof(int32_t));
        assert_false(output_sample_same(&s, &a));
    }
}

/* Every element can be chosen. */
TEST(all_elements_are_watched)
{
    struct output_sample s;
    static const size_t at[] = {0, N - 1, (size_t)N * N - 1};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        for (unsigned rep = 0; rep < REPS; rep++) {
            bool seen = false;
            for (uint64_t key = 1; key < 2000 && !seen; key++) {
                output_sample_take(&s, &a, REPS, key);
                output(rep)[at[i]] ^= 1;
                seen = !output_sample_same(&s, &a);
            }
            assert_true(seen);
        }
}

TESTS(setup, teardown)
