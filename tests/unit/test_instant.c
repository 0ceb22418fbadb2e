/* Moments as people write them, and what a late submission loses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/instant.h"
#include "model/deadline.h"

static const char *const bad[] = {
    "",
    "2026-11-30",
    "2026-11-30T23:59:00", /* no offset */
    "2026-11-31T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T23:60:00Z",
    "2026-11-30T23:59:60Z",
    "2026-11-30T23:59:00+1:00",
    "2026-11-30T23:59:00+24:00",
    "2026-11-30T23:59:00Zulu",
    "26-11-30T23:59:00Z",
    "yesterday",
    "9999-12-31T23:59:59-00:01", /* in UTC, five digits for the year */
    "0000-01-01T00:00:00+00:01",
};

static const struct {
    const char *text, *utc;
} good[] = {
    {"2026-11-30T23:59:00Z", "2026-11-30T23:59:00Z"},
    {"2026-11-30T23:59:00+01:00", "2026-11-30T22:59:00Z"},
    {"2026-12-31 20:30-05:30", "2027-01-01T02:00:00Z"},
    {"2024-02-29t00:00:00.999z", "2024-02-29T00:00:00Z"},
    {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
    {"0012-03-04T05:06:07Z", "0012-03-04T05:06:07Z"},
    {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
    {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
};

static void moments(void **state)
{
    (void)state;
    int64_t t;
    char text[INSTANT_TEXT];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (instant_parse(bad[i], &t, NULL) == 0)
            fail_msg("'%s' was accepted", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(instant_parse(good[i].text, &t, NULL), 0);
        instant_format(t, text);
        assert_string_equal(text, good[i].utc);
    }
}

#define HOUR INT64_C(3600)

static const struct {
    int64_t late;
    double share;
} penalties[] = {
    {-HOUR, 0},         {0, 0},
    {900, 0},           {901, 0.1},
    {24 * HOUR, 0.1},   {24 * HOUR + 1, 0.2},
    {72 * HOUR, 0.3},   {99 * HOUR, 0.35},
    {240 * HOUR, 0.35}, {240 * HOUR + 1, 1},
};

static void shares(void **state)
{
    (void)state;
    const struct deadline d = {.given = true,
                               .grace_s = 900,
                               .every_s = 24 * HOUR,
                               .penalty = 0.1,
                               .most = 0.35,
                               .closed_s = 240 * HOUR};
    for (size_t i = 0; i < sizeof penalties / sizeof penalties[0]; i++)
        if (fabs(deadline_penalty(&d, penalties[i].late) - penalties[i].share) > 1e-12)
            fail_msg("%lld s late: %g", (long long)penalties[i].late,
                     deadline_penalty(&d, penalties[i].late));
    const struct deadline none = {0};
    assert_true(deadline_penalty(&none, HOUR) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),
        cmocka_unit_test(shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
