#include "import/dated_names.h"

#include <stdio.h>
#include <string.h>

#include "base/instant.h"
#include "base/strbuf.h"

#define ATTEMPT "_attempt_"

static char *piece(const char *s, size_t n)
{
    return xasprintf("%.*s", (int)n, s);
}

/* Local time. A later attempt has a larger number, too. */
static bool set_time(struct handed_in *out, int year, int month, int day, int hour, int minute,
                     int second)
{
    OWNED char *text =
        xasprintf("%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute, second);
    out->timed = instant_parse_local(text, &out->submitted, NULL) == 0;
    out->number = out->timed ? (long long)out->submitted : 0;
    return out->timed;
}

/* The part from the date on: "2024-03-12-10-11-12_naive.c", or "....txt" about the attempt. Returns
 * the name of the file, "" for the text; NULL: it is no such part. */
static const char *read_blackboard_date(const char *date, struct handed_in *out)
{
    int t[6], n = 0;
    if (sscanf(date, "%4d-%2d-%2d-%2d-%2d-%2d%n", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &n) !=
        6)
        return NULL;
    const char *rest = date + n;
    if ((strcmp(rest, ".txt") != 0 && (*rest != '_' || !rest[1])) ||
        !set_time(out, t[0], t[1], t[2], t[3], t[4], t[5]))
        return NULL;
    return *rest == '_' ? rest + 1 : "";
}

/* Assignments and files, too, may be called "my_attempt_2". */
size_t dated_blackboard_head(const char *path)
{
    const char *end = path + strcspn(path, "/");
    for (const char *at = path; (at = strstr(at, ATTEMPT)) && at < end; at++) {
        struct handed_in h;
        if (read_blackboard_date(at + strlen(ATTEMPT), &h))
            return (size_t)(at - path);
    }
    return 0;
}

bool dated_read_blackboard(const char *path, const char *prefix, struct handed_in *out)
{
    const size_t head = dated_blackboard_head(path), n = strlen(prefix);
    if (head <= n || strncmp(path, prefix, n) != 0)
        return false;
    out->file = xstrdup(read_blackboard_date(path + head + strlen(ATTEMPT), out));
    out->student = piece(path + n, head - n);
    out->name = xstrdup("");
    return true;
}

/* "Mar 12, 2024 1011 AM" */
static bool read_brightspace_time(const char *s, size_t length, struct handed_in *out)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4] = "", half[3] = "";
    int day, year, clock, n = 0;
    OWNED char *text = piece(s, length);
    const bool read =
        sscanf(text, "%3s %d, %d %d %2s%n", month, &day, &year, &clock, half, &n) == 5 &&
        !text[n] && (strcmp(half, "AM") == 0 || strcmp(half, "PM") == 0);
    const char *at = read && strlen(month) == 3 ? strstr(months, month) : NULL;
    if (!at || (at - months) % 3 || clock < 0 || clock > 1259 || day < 1 || year < 1)
        return false;
    const int hour = clock / 100 % 12 + (*half == 'P' ? 12 : 0);
    return set_time(out, year, (int)(at - months) / 3 + 1, day, hour, clock % 100, 0);
}

/* A directory's name ends with the time; a file's own name can follow it:
 * "90210-73001 - Ada Berg - Mar 12, 2024 1011 AM/naive.c", or "... AM - naive.c". */
bool dated_read_brightspace(const char *path, struct handed_in *out)
{
    static const char between[] = " - ";
    const size_t n = strlen(between);
    const char *end = path + strcspn(path, "/"), *name = strstr(path, between);
    const size_t digits = strspn(path, "0123456789");
    if (!digits || path[digits] != '-' || !name || name[-1] < '0' || name[-1] > '9')
        return false;
    name += n;
    for (const char *at = name; (at = strstr(at, between)) && at < end; at++) {
        const char *time = at + n, *next = strstr(time, between);
        const bool beside = next && next < end;
        const char *stop = beside ? next : end, *file = stop + (beside ? n : *end == '/');
        if (!*file || !read_brightspace_time(time, (size_t)(stop - time), out))
            continue;
        out->student = piece(path, digits);
        out->name = piece(name, (size_t)(at - name));
        out->file = xstrdup(file);
        return true;
    }
    return false;
}
