#include "unit.h"

#include "kernel/launch.h"

TEST(read_and_written)
{
    static const struct {
        const char *text;
        struct launch launch;
        const char *written; /* NULL: as it was read */
    } table[] = {
        {"1x1", {1, 1, 1, 0}, NULL},         {"4x2", {4, 2, 1, 0}, NULL},
        {"32x2@2", {32, 2, 2, 0}, NULL},     {"3x1@3", {3, 1, 3, 0}, NULL},
        {"4x2@1", {4, 2, 1, 0}, "4x2"},      {"1x2+4gpus", {1, 2, 1, 4}, NULL},
        {"2x1@2+3gpus", {2, 1, 2, 3}, NULL}, {"1x1+1gpus", {1, 1, 1, 0}, "1x1"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct launch l;
        char text[LAUNCH_TEXT];
        assert_true(launch_parse(table[i].text, &l));
        assert_true(launch_equal(l, table[i].launch));
        launch_format(l, text);
        assert_string_equal(text, table[i].written ? table[i].written : table[i].text);
    }
}

TEST(refused)
{
    static const char *const table[] = {
        "",         "4",         "4x",          "x2",        "0x1",    "1x0",   "-1x1",
        "4x2x1",    "4x2 ",      "4x2@",        "4x2@0",     "4x2@-1", "4x2@x", "4x2@2 ",
        "4x2@2x",   "4x2@@2",    "3x2@2",       "2x2@4",     "4@2",    "4@2x2", "1x1+2",
        "1x1+gpus", "1x1+0gpus", "1x1+2gpus@1", "1x1+2gpusx"};
    struct launch l;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (launch_parse(table[i], &l))
            fail_msg("'%s' is taken for a launch", table[i]);
}

TEST(compared)
{
    const struct launch two = {4, 2, 2, 0};
    assert_true(launch_equal(two, two));
    assert_false(launch_equal(two, launch_here(4, 2)));
    assert_int_equal(launch_workers(two), 8);
    const struct launch gpus = {1, 1, 1, 4};
    assert_false(launch_equal(gpus, launch_here(1, 1)));
    assert_int_equal(launch_workers(gpus), 4);
    assert_int_equal(launch_gpus(launch_here(2, 3)), 2);
    assert_true(launch_equal((struct launch){1, 1, 1, 1}, launch_here(1, 1)));
}

TESTS(NULL, NULL)
