/* Results in which a student chooses what is sorted and looked up: labels of sets, rows in any
 * order. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "kernel/element_order.h"
#include "kernel/labels.h"

/* A set is named after its first element. */
TEST(names)
{
    int32_t labels[] = {7, -9, 7, INT32_MAX, -9, 0};
    const int32_t named[] = {0, 1, 0, 3, 1, 5};
    labels_name(TYPE_I32, labels, 6);
    assert_memory_equal(labels, named, sizeof named);
}

/* Labels that a known hash puts into a hundredth of the table: with it, this takes minutes. */
TEST(labels_that_collide)
{
    enum { COUNT = 200000, PLACES = 2 * COUNT + 1, SHARE = 100, SECONDS = 20 };
    int32_t *labels = calloc(COUNT, sizeof *labels), next = 0;
    assert_non_null(labels);
    for (int i = 0; i < COUNT; i++) {
        do
            next++;
        while (hash_64(&next, sizeof next) % PLACES >= PLACES / SHARE);
        labels[i] = next;
    }
    alarm(SECONDS);
    labels_name(TYPE_I32, labels, COUNT);
    alarm(0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(labels[i], i);
    free(labels);
}

/* What is no number comes last, so there is one order. */
TEST(order_of_no_numbers)
{
    double x[] = {3, NAN, 1, NAN, -INFINITY, 2}, row[] = {NAN, 1, 0, NAN, 0, 2};
    elements_sort(x, 6, TYPE_F64);
    assert_true(isinf(x[0]) && x[1] == 1 && x[2] == 2 && x[3] == 3 && isnan(x[4]) && isnan(x[5]));
    rows_sort(row, 3, 2, TYPE_F64);
    assert_true(row[1] == 2 && isnan(row[3]) && isnan(row[4]));
}

TESTS(NULL, NULL)
