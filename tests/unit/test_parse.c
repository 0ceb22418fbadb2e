#include "unit.h"

#include <string.h>

#include "base/parse.h"

TEST(integers)
{
    static const struct {
        const char *text;
        int ok;
        long long value;
    } table[] = {
        {"", 0, 0},
        {" 1", 0, 0},
        {"1 ", 0, 0},
        {"1x", 0, 0},
        {"0x10", 0, 0},
        {"1.5", 0, 0},
        {"+1", 0, 0},
        {"-", 0, 0},
        {"--1", 0, 0},
        {"1e1", 0, 0},
        {"\t1", 0, 0},
        {"\xc2\xb9", 0, 0},
        {"-99999999999999999999", 0, 0},
        {"101", 0, 0},
        {"-1", 0, 0},
        {"99999999999999999999", 0, 0},
        {"0", 1, 0},
        {"100", 1, 100},
        {"007", 1, 7},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        long long v = -5;
        struct err e = ERR_INIT;
        int rc = parse_int(table[i].text, 0, 100, &v, &e);
        if ((rc == 0) != table[i].ok || (rc == 0 && v != table[i].value))
            fail_msg("'%s': rc %d, value %lld", table[i].text, rc, v);
        if (rc != 0)
            assert_true(e.kind == ERR_INPUT && e.text[0]);
    }
}

TEST(numbers)
{
    static const struct {
        const char *text;
        int ok;
        double value;
    } table[] = {
        {"", 0, 0},        {" 1", 0, 0},    {"1 ", 0, 0},    {"nan", 0, 0},   {"inf", 0, 0},
        {".nan", 0, 0},    {"0x1", 0, 0},   {"1e999", 0, 0}, {"1e", 0, 0},    {"e1", 0, 0},
        {".", 0, 0},       {"1.2.3", 0, 0}, {"1,5", 0, 0},   {"+1", 0, 0},    {"-0.1", 0, 0},
        {"10.01", 0, 0},   {"0", 1, 0},     {"10", 1, 10},   {"2.5", 1, 2.5}, {".5", 1, 0.5},
        {"1e-3", 1, 1e-3}, {"5.", 1, 5},    {"-0", 1, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double v = -5;
        struct err e = ERR_INIT;
        int rc = parse_double(table[i].text, 0, 10, &v, &e);
        if ((rc == 0) != table[i].ok || (rc == 0 && v != table[i].value))
            fail_msg("'%s': rc %d, value %g", table[i].text, rc, v);
        if (rc != 0)
            assert_true(e.kind == ERR_INPUT && e.text[0] && v == -5);
    }
}

/* What was read, what was expected; and never more than a line's worth of what was read. */
TEST(messages)
{
    struct err e = ERR_INIT;
    long long v;
    int64_t ms;
    uint64_t bytes;
    assert_int_equal(parse_int("300", 1, 200, &v, &e), -1);
    assert_string_equal(e.text, "300 is not between 1 and 200");
    assert_int_equal(parse_duration("10 s", &ms, &e), -1);
    assert_string_equal(e.text, "'10 s' is not a time; write 500ms, 90s, 10m, 2h or 3d");
    assert_int_equal(parse_bytes("lots", &bytes, &e), -1);
    assert_string_equal(e.text, "'lots' is not a size; write 65536, 512K, 300M or 2G");
    assert_int_equal(parse_bytes("1.5", &bytes, &e), -1);
    assert_string_equal(e.text, "'1.5' is not a whole number of bytes");
    double d;
    assert_int_equal(parse_double("1e400", 0, 1, &d, &e), -1);
    assert_string_equal(e.text, "1e400 is too large for a double");
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(parse_int(long_text, 1, 200, &v, &e), -1);
    assert_in_range(strlen(e.text), 60, 120);
}

TEST(seeds)
{
    static const char *const bad[] = {"",   "-1",  "+1",  " 1",
                                      "0x", "0xg", "1.0", "18446744073709551616"};
    uint64_t v;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (parse_u64(bad[i], &v, NULL) == 0)
            fail_msg("'%s' was accepted", bad[i]);
    assert_int_equal(parse_u64("18446744073709551615", &v, NULL), 0);
    assert_true(v == UINT64_MAX);
    assert_int_equal(parse_u64("0xff", &v, NULL), 0);
    assert_int_equal(v, 255);
}

TEST(durations_and_sizes)
{
    static const char *const bad[] = {"", "s", "1w", "-1s", "1 s", "nan", "inf", "0x1s", "1e999s"};
    int64_t ms;
    uint64_t bytes;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (parse_duration(bad[i], &ms, NULL) == 0)
            fail_msg("duration '%s' was accepted", bad[i]);
        if (parse_bytes(bad[i], &bytes, NULL) == 0)
            fail_msg("size '%s' was accepted", bad[i]);
    }
    assert_int_equal(parse_duration("500ms", &ms, NULL), 0);
    assert_int_equal(ms, 500);
    assert_int_equal(parse_duration("1.5m", &ms, NULL), 0);
    assert_int_equal(ms, 90000);
    assert_int_equal(parse_duration("2d", &ms, NULL), 0);
    assert_int_equal(ms, 2 * 86400000);
    assert_int_equal(parse_duration("7", &ms, NULL), 0);
    assert_int_equal(ms, 7000);
    assert_int_equal(parse_bytes("2G", &bytes, NULL), 0);
    assert_true(bytes == UINT64_C(2) << 30);
    assert_int_equal(parse_bytes("3KiB", &bytes, NULL), 0);
    assert_int_equal(bytes, 3072);
    assert_int_equal(parse_bytes("1.5k", &bytes, NULL), 0);
    assert_int_equal(bytes, 1536);
    assert_int_equal(parse_bytes("65536", &bytes, NULL), 0);
    assert_int_equal(bytes, 65536);
    assert_int_equal(parse_bytes("0", &bytes, NULL), 0);
    assert_int_equal(bytes, 0);
    assert_int_equal(parse_bytes("9000000T", &bytes, NULL), -1);
    assert_int_equal(parse_duration("999999999h", &ms, NULL), -1);
}

TESTS(NULL, NULL)
