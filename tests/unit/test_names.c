/* A set of names: each is found, with the number that it came with, however many there are. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/strbuf.h"

TEST(absent)
{
    struct names n = NAMES_INIT;
    assert_int_equal(names_find(&n, "a"), NAMES_NONE);
    names_free(&n);
    assert_int_equal(names_add(&n, "", 3), NAMES_NONE);
    assert_int_equal(names_find(&n, "a"), NAMES_NONE);
    assert_int_equal(names_find(&n, ""), 3);
    names_free(&n);
}

TEST(many)
{
    enum { COUNT = 5000 };
    struct names n = NAMES_INIT;
    OWNED char **name = xcalloc(COUNT, sizeof *name);
    for (size_t i = 0; i < COUNT; i++) {
        name[i] = xasprintf("%zu", i * 7);
        assert_int_equal(names_add(&n, name[i], i), NAMES_NONE);
        assert_int_equal(names_add(&n, name[i / 2], COUNT), i / 2); /* keeps its number */
    }
    assert_int_equal(n.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        char other[32];
        snprintf(other, sizeof other, "%zu", i * 7 + 1);
        assert_int_equal(names_find(&n, name[i]), i);
        assert_int_equal(names_find(&n, other), NAMES_NONE);
    }
    names_free(&n);
    for (size_t i = 0; i < COUNT; i++)
        free(name[i]);
}

TESTS(NULL, NULL)
