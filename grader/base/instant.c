#include "base/instant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MINUTE_S = 60, HOUR_S = 3600, HOURS_MOST = 23, MINUTES_MOST = 59 };

/* Exactly n digits. */
static bool digits(const char **p, int n, int *out)
{
    *out = 0;
    for (int i = 0; i < n; i++, (*p)++) {
        if (**p < '0' || **p > '9')
            return false;
        *out = 10 * *out + (**p - '0');
    }
    return true;
}

static bool sign(const char **p, char c)
{
    if (**p != c)
        return false;
    (*p)++;
    return true;
}

static bool read_date(const char **p, struct tm *tm)
{
    if (!digits(p, 4, &tm->tm_year) || !sign(p, '-') || !digits(p, 2, &tm->tm_mon) ||
        !sign(p, '-') || !digits(p, 2, &tm->tm_mday))
        return false;
    tm->tm_year -= 1900;
    tm->tm_mon -= 1;
    return true;
}

static bool read_time(const char **p, struct tm *tm)
{
    if (!strchr("Tt ", **p) || !**p)
        return false;
    (*p)++;
    if (!digits(p, 2, &tm->tm_hour) || !sign(p, ':') || !digits(p, 2, &tm->tm_min))
        return false;
    if (sign(p, ':') && !digits(p, 2, &tm->tm_sec))
        return false;
    if (sign(p, '.'))
        *p += strspn(*p, "0123456789");
    return tm->tm_hour <= HOURS_MOST && tm->tm_min <= MINUTES_MOST && tm->tm_sec <= MINUTES_MOST;
}

/* "Z", "+01:00", "+0100", also behind a blank. */
static bool read_offset(const char **p, int *seconds)
{
    int hours = 0, minutes = 0;
    *seconds = 0;
    sign(p, ' ');
    if (sign(p, 'Z') || sign(p, 'z'))
        return true;
    const bool west = **p == '-';
    if (!sign(p, '-') && !sign(p, '+'))
        return false;
    if (!digits(p, 2, &hours))
        return false;
    sign(p, ':');
    if (!digits(p, 2, &minutes))
        return false;
    *seconds = (west ? -1 : 1) * (hours * HOUR_S + minutes * MINUTE_S);
    return hours <= HOURS_MOST && minutes <= MINUTES_MOST;
}

/* *offset: 0 for a local time. */
static bool read_instant(const char *p, bool may_be_local, int64_t *out, int *offset)
{
    struct tm tm = {.tm_isdst = -1};
    *offset = 0;
    if (!read_date(&p, &tm) || !read_time(&p, &tm))
        return false;
    const bool local = may_be_local && !*p;
    if (!local && !(read_offset(&p, offset) && !*p))
        return false;
    struct tm again = tm;
    const time_t t = local ? mktime(&again) : timegm(&again);
    /* A 31st of November becomes another day. */
    if (again.tm_mday != tm.tm_mday || again.tm_mon != tm.tm_mon)
        return false;
    if (!instant_is_writable((int64_t)t - *offset))
        return false;
    *out = (int64_t)t - *offset;
    return true;
}

int instant_parse(const char *text, int64_t *out, struct err *e)
{
    int offset;
    return read_instant(text, false, out, &offset)
               ? 0
               : err_input(e,
                           "'%s' is not a time with its offset from UTC; write "
                           "2026-11-30T23:59:00+01:00 or 2026-11-30T22:59:00Z",
                           text);
}

int instant_parse_local(const char *text, int64_t *out, struct err *e)
{
    int offset;
    return read_instant(text, true, out, &offset)
               ? 0
               : err_input(e, "'%s' is not a time; write it as 2026-11-30T23:59:00+01:00", text);
}

int instant_offset(const char *text)
{
    int64_t at;
    int offset;
    return read_instant(text, false, &at, &offset) ? offset : 0;
}

bool instant_is_writable(int64_t t)
{
    static const int64_t first = INT64_C(-62167219200), last = INT64_C(253402300799);
    return t >= first && t <= last;
}

void instant_format(int64_t t, char out[INSTANT_TEXT])
{
    const time_t time = (time_t)t;
    struct tm tm;
    char rest[INSTANT_TEXT];
    out[0] = '\0';
    if (!instant_is_writable(t) || !gmtime_r(&time, &tm))
        return;
    strftime(rest, sizeof rest, "%m-%dT%H:%M:%SZ", &tm); /* its %Y does not have four digits */
    snprintf(out, INSTANT_TEXT, "%04d-%.30s", tm.tm_year + 1900, rest);
}

void instant_format_at(int64_t t, int offset_s, char out[INSTANT_TEXT])
{
    char local[INSTANT_TEXT];
    const int minutes = abs(offset_s) / MINUTE_S;
    instant_format(t + offset_s, local);
    out[0] = '\0';
    if (local[0] && !offset_s)
        snprintf(out, INSTANT_TEXT, "%s", local);
    else if (local[0])
        snprintf(out, INSTANT_TEXT, "%.19s%c%02d:%02d", local, offset_s < 0 ? '-' : '+',
                 minutes / 60, minutes % 60);
}
