#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int parse_int(const char *s, long long min, long long max, long long *out, struct err *e)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)s[0]) && !(s[0] == '-' && isdigit((unsigned char)s[1])))
        return err_input(e, "'%.60s' is not a whole number", s);
    long long v = strtoll(s, &end, 10);
    if (*end)
        return err_input(e, "'%.60s' is not a whole number", s);
    if (errno == ERANGE || v < min || v > max)
        return err_input(e, "%.60s is not between %lld and %lld", s, min, max);
    *out = v;
    return 0;
}

int parse_u64(const char *s, uint64_t *out, struct err *e)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)s[0]))
        return err_input(e, "'%.60s' is not a number from 0 to 2^64 - 1", s);
    bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    unsigned long long v = strtoull(s, &end, hex ? 16 : 10);
    if (*end || errno == ERANGE || (hex && !isxdigit((unsigned char)s[2])))
        return err_input(e, "'%.60s' is not a number from 0 to 2^64 - 1", s);
    *out = v;
    return 0;
}

int parse_double(const char *s, double min, double max, double *out, struct err *e)
{
    char *end;
    /* strtod() would also take blanks in front, hexadecimal, nan and infinity. */
    if (!*s || strspn(s, "0123456789.eE+-") != strlen(s) || s[0] == '+')
        return err_input(e, "'%.60s' is not a number", s);
    double v = strtod(s, &end);
    if (*end)
        return err_input(e, "'%.60s' is not a number", s);
    if (!isfinite(v))
        return err_input(e, "%.60s is too large for a double", s);
    if (v < min || v > max)
        return err_input(e, "%.60s is not between %g and %g", s, min, max);
    *out = v;
    return 0;
}

/* A plain decimal number and the unit that follows it; NULL when there is no number. */
static const char *number_and_unit(const char *s, double *v)
{
    char *end;
    if (!isdigit((unsigned char)s[0]) || (s[0] == '0' && tolower((unsigned char)s[1]) == 'x'))
        return NULL;
    *v = strtod(s, &end);
    return isfinite(*v) ? end : NULL;
}

int parse_duration(const char *s, int64_t *ms, struct err *e)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"", 1000},    {"ms", 1},     {"s", 1000},   {"m", 60e3},
                 {"min", 60e3}, {"h", 3600e3}, {"d", 86400e3}};
    double v;
    const char *unit = number_and_unit(s, &v);
    for (size_t i = 0; unit && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].unit) != 0)
            continue;
        if (v * units[i].ms > 1e12)
            return err_input(e, "'%.60s' is too long a time", s);
        *ms = (int64_t)llround(v * units[i].ms);
        return 0;
    }
    return err_input(e, "'%.60s' is not a time; write 500ms, 90s, 10m, 2h or 3d", s);
}

int parse_bytes(const char *s, uint64_t *bytes, struct err *e)
{
    static const char units[] = "KMGT";
    double v = 0;
    const char *unit = number_and_unit(s, &v), *hit;
    double factor = 0;
    if (unit && !*unit)
        factor = 1;
    else if (unit && (hit = strchr(units, toupper((unsigned char)*unit))) &&
             (!unit[1] || strcmp(unit + 1, "iB") == 0 || strcmp(unit + 1, "B") == 0))
        factor = ldexp(1, 10 * (int)(hit - units + 1));
    if (factor <= 0)
        return err_input(e, "'%.60s' is not a size; write 65536, 512K, 300M or 2G", s);
    if (v * factor > 9e18)
        return err_input(e, "'%.60s' is too large a size", s);
    *bytes = (uint64_t)(v * factor);
    if (factor <= 1 && v != (double)*bytes)
        return err_input(e, "'%.60s' is not a whole number of bytes", s);
    return 0;
}
