#include "base/strbuf.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

TEST(nobody_listens)
{
    assert_int_equal(err_input(NULL, "%d", 1), -1);
    assert_int_equal(err_system(NULL, "%d", 1), -1);
    assert_int_equal(err_context(NULL, "%d", 1), -1);
}

TEST(starts_empty)
{
    struct err e = ERR_INIT;
    assert_int_equal(e.kind, ERR_NONE);
    assert_string_equal(e.text, "");
}

TEST(kinds)
{
    struct err e = ERR_INIT;
    assert_int_equal(err_input(&e, "%s:%d: no", "a.yaml", 3), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_string_equal(e.text, "a.yaml:3: no");
    assert_int_equal(err_system(&e, "disk full"), -1);
    assert_int_equal(e.kind, ERR_SYSTEM);
    assert_string_equal(e.text, "disk full"); /* nothing of the message before is left */
}

TEST(context_goes_in_front)
{
    struct err e = ERR_INIT;
    err_input(&e, "100%% of 'x%%sy' is wrong");
    assert_int_equal(err_context(&e, "line %d", 7), -1);
    assert_int_equal(err_context(&e, "%s", "a.yaml"), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_string_equal(e.text, "a.yaml: line 7: 100% of 'x%sy' is wrong");
}

/* Whatever a user gives, a message ends within its record. */
TEST(long_texts_are_cut)
{
    struct {
        struct err e;
        unsigned char after[16];
    } r = {.e = ERR_INIT};
    OWNED char *big = malloc(100000);
    assert_non_null(big);
    memset(big, 'x', 99999);
    big[99999] = '\0';
    memset(r.after, 0x5a, sizeof r.after);
    err_input(&r.e, "%s", big);
    assert_int_equal(strlen(r.e.text), sizeof r.e.text - 1);
    err_context(&r.e, "the file");
    assert_int_equal(strlen(r.e.text), sizeof r.e.text - 1);
    assert_memory_equal(r.e.text, "the file: xxx", 13);
    err_context(&r.e, "%s", big); /* a context that fills all of it */
    assert_int_equal(strlen(r.e.text), sizeof r.e.text - 1);
    assert_memory_equal(r.e.text, "xxxx", 4);
    for (size_t i = 0; i < sizeof r.after; i++)
        assert_int_equal(r.after[i], 0x5a);
}

TESTS(NULL, NULL)
