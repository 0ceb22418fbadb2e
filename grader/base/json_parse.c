#include "base/json_parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

enum { DEPTH_MOST = 100, DIGITS_MOST = 18 /* of integers that have 64 bits */ };

/* Each function below moves `at` past what it takes; NULL: it is not understood. */
struct parsing {
    char *at;
    int depth;
    struct strbuf text; /* of a string with escapes */
};

static json_t *value(struct parsing *p);

static void skip_blanks(struct parsing *p)
{
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')
        p->at++;
}

/* The quote that ends the string at `at`. */
static char *string_end(struct parsing *p, bool *escapes)
{
    *escapes = false;
    for (char *s = p->at + 1; (unsigned char)*s >= ' '; s++) {
        if (*s == '"') {
            p->at = s + 1;
            return s;
        }
        if (*s == '\\') {
            *escapes = true;
            s++;
        }
    }
    return NULL;
}

static bool unescape(struct strbuf *sb, const char *s, const char *end)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    strbuf_clear(sb);
    while (s < end) {
        const char *backslash = memchr(s, '\\', (size_t)(end - s));
        strbuf_add(sb, s, (size_t)((backslash ? backslash : end) - s));
        if (!backslash)
            return true;
        const char *name = strchr(names, backslash[1]);
        if (!name || !*name)
            return false;
        strbuf_add(sb, &meant[name - names], 1);
        s = backslash + 2;
    }
    return true;
}

static json_t *string(struct parsing *p)
{
    bool escapes;
    const char *s = p->at + 1, *end = string_end(p, &escapes);
    if (!end)
        return NULL;
    if (!escapes)
        return json_stringn(s, (size_t)(end - s));
    return unescape(&p->text, s, end) ? json_stringn(p->text.s, p->text.len) : NULL;
}

static size_t skip_digits(struct parsing *p)
{
    const char *first = p->at;
    while (*p->at >= '0' && *p->at <= '9')
        p->at++;
    return (size_t)(p->at - first);
}

static json_t *number(struct parsing *p)
{
    const char *s = p->at;
    bool real = false;
    p->at += *s == '-';
    const char first = *p->at;
    const size_t digits = skip_digits(p);
    if (!digits || digits > DIGITS_MOST || (first == '0' && digits > 1))
        return NULL;
    if (*p->at == '.') {
        real = true;
        p->at++;
        if (!skip_digits(p))
            return NULL;
    }
    if (*p->at == 'e' || *p->at == 'E') {
        real = true;
        p->at++;
        p->at += *p->at == '+' || *p->at == '-';
        if (!skip_digits(p))
            return NULL;
    }
    if (!real)
        return json_integer(strtoll(s, NULL, 10));
    const double v = strtod(s, NULL);
    return isfinite(v) ? json_real(v) : NULL;
}

/* A comma before the next member, or the bracket that ends the list. False: neither. */
static bool goes_on(struct parsing *p, char bracket, bool *ends)
{
    skip_blanks(p);
    *ends = *p->at == bracket;
    if (!*ends && *p->at != ',')
        return false;
    p->at++;
    return true;
}

static bool member(struct parsing *p, json_t *o)
{
    bool escapes;
    skip_blanks(p);
    if (*p->at != '"')
        return false;
    char *key = p->at + 1, *end = string_end(p, &escapes);
    if (!end || escapes)
        return false;
    skip_blanks(p);
    if (*p->at != ':')
        return false;
    p->at++;
    json_t *v = value(p);
    const size_t before = json_object_size(o);
    *end = '\0';
    const bool set = json_object_set_new(o, key, v) == 0;
    *end = '"';
    return set && json_object_size(o) > before;
}

static bool element(struct parsing *p, json_t *list)
{
    return json_array_append_new(list, value(p)) == 0;
}

static json_t *members(struct parsing *p, json_t *of, char bracket,
                       bool (*take)(struct parsing *p, json_t *of))
{
    p->at++;
    skip_blanks(p);
    bool ends = *p->at == bracket;
    if (ends)
        p->at++;
    while (!ends)
        if (!take(p, of) || !goes_on(p, bracket, &ends)) {
            json_decref(of);
            return NULL;
        }
    return of;
}

static json_t *word(struct parsing *p, const char *text, json_t *v)
{
    const size_t n = strlen(text);
    if (strncmp(p->at, text, n) != 0)
        return NULL;
    p->at += n;
    return v;
}

static json_t *value(struct parsing *p)
{
    json_t *v = NULL;
    skip_blanks(p);
    if (++p->depth > DEPTH_MOST)
        return NULL;
    switch (*p->at) {
    case '{':
        v = members(p, json_object(), '}', member);
        break;
    case '[':
        v = members(p, json_array(), ']', element);
        break;
    case '"':
        v = string(p);
        break;
    case 't':
        v = word(p, "true", json_true());
        break;
    case 'f':
        v = word(p, "false", json_false());
        break;
    case 'n':
        v = word(p, "null", json_null());
        break;
    default:
        v = number(p);
    }
    p->depth--;
    return v;
}

json_t *json_parse(char *text, size_t len)
{
    struct parsing p = {.at = text, .text = STRBUF_INIT};
    json_t *v = value(&p);
    skip_blanks(&p);
    if (v && (p.at != text + len || !(json_is_object(v) || json_is_array(v)))) {
        json_decref(v);
        v = NULL;
    }
    strbuf_free(&p.text);
    return v;
}
