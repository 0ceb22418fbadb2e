/* Moments as people write them, and what a late submission loses. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/instant.h"
#include "model/deadline.h"

/* Refused with and without an offset from UTC. */
static const char *const bad[] = {
    "",
    "now",
    "yesterday",
    "2026",
    "2026-11-30",
    "2026-03-12T",
    "2026-03-12T23",
    "2026-3-12T23:59Z",
    "26-11-30T23:59:00Z",
    "-026-01-01T10:00Z",
    "12.03.2026 23:59",
    "2026-11-31T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-02-31T10:00:60",
    "2026-02-31T10:00:60Z",
    "2026-02-30 10:00",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T10:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T23:60:00Z",
    "2026-11-30T23:59:60Z", /* clocks of computers do not show leap seconds */
    "2026-11-30T23:59:00+1:00",
    "2026-01-01T10:00+1",
    "2026-11-30T23:59:00+24:00",
    "2026-01-01T10:00+01:60",
    "2026-01-01T10:00 CET",
    "2026-11-30T23:59:00Zulu",
    "2026-01-01T10:00ZZ",
    "2026-01-01T10:00Z ",
    "2026-01-01T10:00 ",
    " 2026-01-01T10:00Z",
    "2026-01-01  10:00Z",
    "9999-12-31T23:59:59-00:01", /* in UTC, five digits for the year */
    "0000-01-01T00:00:00+00:01",
};

static const struct {
    const char *text, *utc;
} good[] = {
    {"2026-11-30T23:59:00Z", "2026-11-30T23:59:00Z"},
    {"2026-11-30T23:59:00+01:00", "2026-11-30T22:59:00Z"},
    {"2026-12-31 20:30-05:30", "2027-01-01T02:00:00Z"},
    {"2026-12-31T23:59-00:30", "2027-01-01T00:29:00Z"},
    {"2024-02-29t00:00:00.999z", "2024-02-29T00:00:00Z"},
    {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
    /* As platforms write them. */
    {"2026-03-12 23:59:59.999-0800", "2026-03-13T07:59:59Z"},
    {"2026-03-12 22:59:00.123456000 Z", "2026-03-12T22:59:00Z"},
    {"2026-03-12 22:59:00 -08:00", "2026-03-13T06:59:00Z"},
    {"0012-03-04T05:06:07Z", "0012-03-04T05:06:07Z"},
    {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
    {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
};

/* Without an offset: local time, in winter and in summer. */
static const struct {
    const char *text, *utc;
} in_berlin[] = {
    {"2026-01-12 23:59", "2026-01-12T22:59:00Z"},
    {"2026-07-12T23:59:30", "2026-07-12T21:59:30Z"},
    {"2026-07-01T00:30", "2026-06-30T22:30:00Z"},
};

TEST(refused)
{
    int64_t t;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e = ERR_INIT, local = ERR_INIT;
        if (instant_parse(bad[i], &t, &e) == 0 || instant_parse_local(bad[i], &t, &local) == 0)
            fail_msg("'%s' was accepted", bad[i]);
        assert_int_equal(e.kind, ERR_INPUT);
        assert_int_equal(local.kind, ERR_INPUT);
        assert_non_null(strstr(e.text, "is not a time"));
        assert_non_null(strstr(local.text, "is not a time"));
    }
    for (size_t i = 0; i < sizeof in_berlin / sizeof in_berlin[0]; i++)
        assert_int_equal(instant_parse(in_berlin[i].text, &t, NULL), -1);
}

TEST(moments)
{
    int64_t t;
    char text[INSTANT_TEXT];
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(instant_parse(good[i].text, &t, NULL), 0);
        instant_format(t, text);
        assert_string_equal(text, good[i].utc);
        assert_int_equal(instant_parse_local(good[i].text, &t, NULL), 0);
        instant_format(t, text);
        assert_string_equal(text, good[i].utc);
    }
    for (size_t i = 0; i < 3; i++) {
        static const char *const zone[] = {"2026-11-30T23:59:00+01:00", "2026-11-30T20:29:00-02:30",
                                           "2026-11-30T22:59:00Z"};
        assert_int_equal(instant_parse(zone[i], &t, NULL), 0);
        instant_format_at(t, instant_offset(zone[i]), text);
        assert_string_equal(text, zone[i]);
    }
    for (size_t i = 0; i < sizeof in_berlin / sizeof in_berlin[0]; i++) {
        assert_int_equal(instant_parse_local(in_berlin[i].text, &t, NULL), 0);
        instant_format(t, text);
        assert_string_equal(text, in_berlin[i].utc);
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

TEST(shares)
{
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

TESTS(NULL, NULL)
