/* Moments as people and platforms write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/timestamp.h"

static void refused(void **arg)
{
    (void)arg;
    static const char *const table[] = {
        "",
        "now",
        "2026",
        "2026-03-12",
        "2026-03-12T",
        "2026-03-12T23",
        "2026-3-12T23:59Z",
        "12.03.2026 23:59",
        "2026-02-30T10:00Z",
        "2026-02-29T10:00Z",
        "2026-13-01T10:00Z",
        "2026-00-01T10:00Z",
        "2026-01-00T10:00Z",
        "2026-01-01T24:00Z",
        "2026-01-01T10:60Z",
        "2026-01-01T10:00:61Z",
        "2026-01-01T10:00+1",
        "2026-01-01T10:00+24:00",
        "2026-01-01T10:00+01:60",
        "2026-01-01T10:00 CET",
        "2026-01-01T10:00Z ",
        "2026-01-01T10:00ZZ",
        " 2026-01-01T10:00Z",
        "2026-01-01  10:00Z",
        "-026-01-01T10:00Z",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        int64_t t;
        if (timestamp_parse(table[i], &t, &e) == 0)
            fail_msg("'%s' was taken as %lld", table[i], (long long)t);
        assert_int_equal(e.kind, ERR_INPUT);
        assert_non_null(strstr(e.text, "is not a time"));
    }
}

static void taken(void **arg)
{
    (void)arg;
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    static const struct {
        const char *text, *utc;
    } table[] = {
        {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
        {"2026-03-12T23:59:00+01:00", "2026-03-12T22:59:00Z"},
        {"2026-03-12t23:59:00z", "2026-03-12T23:59:00Z"},
        {"2026-03-12 23:59:59.999-0800", "2026-03-13T07:59:59Z"},
        {"2026-03-12 22:59:00.123456000 Z", "2026-03-12T22:59:00Z"},
        {"2026-03-12 22:59:00 -08:00", "2026-03-13T06:59:00Z"},
        {"2024-02-29T10:00Z", "2024-02-29T10:00:00Z"},
        {"2026-12-31T23:59:60Z", "2027-01-01T00:00:00Z"},
        {"2026-12-31T23:59-00:30", "2027-01-01T00:29:00Z"},
        /* Local time, in winter and in summer. */
        {"2026-01-12 23:59", "2026-01-12T22:59:00Z"},
        {"2026-07-12T23:59:30", "2026-07-12T21:59:30Z"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        int64_t t;
        char utc[TIMESTAMP_TEXT];
        if (timestamp_parse(table[i].text, &t, &e) != 0)
            fail_msg("%s", e.text);
        timestamp_format(t, utc);
        assert_string_equal(utc, table[i].utc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
