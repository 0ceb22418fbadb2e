#include "base/timestamp.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Read exactly `digits` digits. Returns what follows, or NULL. */
static const char *number(const char *s, int digits, int *out)
{
    *out = 0;
    for (int i = 0; s && i < digits; i++, s++) {
        if (*s < '0' || *s > '9')
            return NULL;
        *out = 10 * *out + (*s - '0');
    }
    return s;
}

/* Skip one of the characters in `any`. */
static const char *one_of(const char *s, const char *any)
{
    return s && *s && strchr(any, *s) ? s + 1 : NULL;
}

/* "", "Z", "+01:00", "+0100". *local: there is none. NULL: something else. */
static const char *offset(const char *s, int *seconds, bool *local)
{
    int hours, minutes;
    *seconds = 0;
    *local = *s == '\0';
    if (*local)
        return s;
    s += *s == ' ';
    if (*s == 'Z' || *s == 'z')
        return s + 1;
    const int sign = *s == '-' ? -1 : 1;
    s = number(one_of(s, "+-"), 2, &hours);
    if (s && *s == ':')
        s++;
    s = number(s, 2, &minutes);
    if (!s || hours > 23 || minutes > 59)
        return NULL;
    *seconds = sign * (hours * 3600 + minutes * 60);
    return s;
}

static const char *time_of_day(const char *s, struct tm *tm)
{
    s = number(one_of(s, "Tt "), 2, &tm->tm_hour);
    s = number(one_of(s, ":"), 2, &tm->tm_min);
    if (s && *s == ':')
        s = number(s + 1, 2, &tm->tm_sec);
    if (s && *s == '.')
        s += 1 + strspn(s + 1, "0123456789");
    return s;
}

int timestamp_parse(const char *s, int64_t *seconds, struct err *e)
{
    struct tm tm = {.tm_isdst = -1};
    int east = 0;
    bool local = false;
    const char *p = number(s, 4, &tm.tm_year);
    p = number(one_of(p, "-"), 2, &tm.tm_mon);
    p = number(one_of(p, "-"), 2, &tm.tm_mday);
    p = time_of_day(p, &tm);
    if (p)
        p = offset(p, &east, &local);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    struct tm again = tm;
    const time_t t = local ? mktime(&again) : timegm(&again);
    /* The C library makes the 3rd of March from the 31st of February. Only a leap second may move
     * on. */
    const bool exists = again.tm_mday == tm.tm_mday && again.tm_mon == tm.tm_mon &&
                        again.tm_year == tm.tm_year && tm.tm_min < 60 && tm.tm_sec <= 60;
    if (!p || *p || !(exists || tm.tm_sec == 60))
        return err_input(e, "'%s' is not a time; write it as 2026-03-12T23:59:00+01:00", s);
    *seconds = (int64_t)t - east;
    return 0;
}

void timestamp_format(int64_t seconds, char out[TIMESTAMP_TEXT])
{
    const time_t t = (time_t)seconds;
    struct tm tm;
    if (!gmtime_r(&t, &tm) || !strftime(out, TIMESTAMP_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm))
        snprintf(out, TIMESTAMP_TEXT, "?");
}
