/*
 * unit.h - cmocka, with the headers that it wants before it. A file of tests is
 *
 *     TEST(adds)
 *     {
 *         assert_int_equal(1 + 1, 2);
 *     }
 *
 *     TESTS(NULL, NULL)
 *
 * Its tests run in the order of the file. What their fixture has made for them is *arg.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct CMUnitTest unit_tests[64]; /* cmocka passes over the empty ones at the end */

static inline void unit_add(struct CMUnitTest test)
{
    static size_t count;
    if (count + 1 == sizeof unit_tests / sizeof unit_tests[0])
        abort();
    unit_tests[count++] = test;
}

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A test with a fixture of its own. */
#define TEST_WITH(name, before, after)                                                             \
    static void name(void **arg);                                                                  \
    __attribute__((constructor)) static void name##_is_added(void)                                 \
    {                                                                                              \
        unit_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, before, after));         \
    }                                                                                              \
    static void name(void **arg)

/* A row of a table. (Without it, a row that has braces in it would have one line per field.) */
#define ROW(...)                                                                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* main(): all tests of the file, between those two functions, which may be NULL. */
#define TESTS(before, after)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        return cmocka_run_group_tests(unit_tests, before, after);                                  \
    }

/* The same for tests that have one fixture. */
#define TESTS_WITH(before_each, after_each, before, after)                                         \
    int main(void)                                                                                 \
    {                                                                                              \
        for (struct CMUnitTest *t = unit_tests; t->name; t++) {                                    \
            t->setup_func = (before_each);                                                         \
            t->teardown_func = (after_each);                                                       \
        }                                                                                          \
        return cmocka_run_group_tests(unit_tests, before, after);                                  \
    }

#endif
