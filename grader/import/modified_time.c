#include "import/modified_time.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/instant.h"

bool modified_time_is_none(const char *text)
{
    return text[strspn(text, "- ")] == '\0';
}

/* Programs of this kind never set a locale, so month names are English. */
static bool read_as(const char *text, const char *format, int64_t *out)
{
    struct tm tm = {.tm_isdst = -1};
    const char *end = strptime(text, format, &tm);
    if (!end || end[strspn(end, " ")] != '\0')
        return false;
    const time_t when = mktime(&tm);
    *out = (int64_t)when;
    return when != (time_t)-1;
}

/* After the day of the week, which has no digits. */
static const char *after_weekday(const char *text)
{
    const char *comma = strchr(text, ',');
    for (const char *p = text; comma && p < comma; p++)
        if (isdigit((unsigned char)*p))
            return text;
    return comma ? comma + 1 + strspn(comma + 1, " ") : text;
}

bool modified_time_parse(const char *text, int64_t *out)
{
    static const char *const formats[] = {"%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M",
                                          "%B %d, %Y, %I:%M %p", "%B %d, %Y, %H:%M"};
    if (instant_parse_local(text, out, NULL) == 0)
        return true;
    const char *date = after_weekday(text);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (read_as(date, formats[i], out))
            return true;
    return false;
}
