#include "base/strbuf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char strbuf_empty[1];

static void *or_die(void *p)
{
    if (!p) {
        fputs("paragrade: out of memory\n", stderr);
        abort();
    }
    return p;
}

static void reserve(struct strbuf *sb, size_t extra)
{
    if (extra >= SIZE_MAX / 2 - sb->len)
        or_die(NULL); /* the sum, or the power of two above it, would wrap */
    size_t need = sb->len + extra + 1;
    if (need <= sb->cap)
        return;
    size_t cap = sb->cap ? sb->cap : 64;
    while (cap < need)
        cap *= 2;
    char *s = or_die(realloc(sb->cap ? sb->s : NULL, cap));
    if (!sb->cap)
        s[0] = '\0';
    sb->s = s;
    sb->cap = cap;
}

void strbuf_add(struct strbuf *sb, const void *data, size_t n)
{
    reserve(sb, n);
    if (n)
        memcpy(sb->s + sb->len, data, n);
    sb->len += n;
    sb->s[sb->len] = '\0';
}

void strbuf_adds(struct strbuf *sb, const char *s)
{
    strbuf_add(sb, s, strlen(s));
}

static void addv(struct strbuf *sb, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    reserve(sb, 0);
    const size_t room = sb->cap - sb->len; /* most texts fit, and are formatted once */
    const int n = vsnprintf(sb->s + sb->len, room, fmt, ap);
    if (n > 0 && (size_t)n >= room) {
        reserve(sb, (size_t)n);
        vsnprintf(sb->s + sb->len, (size_t)n + 1, fmt, again);
    }
    if (n > 0)
        sb->len += (size_t)n;
    sb->s[sb->len] = '\0'; /* after an error, too */
    va_end(again);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    addv(sb, fmt, ap);
    va_end(ap);
}

void strbuf_clear(struct strbuf *sb)
{
    sb->len = 0;
    if (sb->cap)
        sb->s[0] = '\0';
}

void strbuf_add_paragraph(struct strbuf *sb, const char *text, const char *begin, size_t columns)
{
    size_t at = 0;
    for (const char *word = text + strspn(text, " \n"); *word;) {
        const size_t n = strcspn(word, " \n");
        const bool breaks = at && at + 1 + n > columns;
        if (!at || breaks) {
            strbuf_addf(sb, "%s%s", breaks ? "\n" : "", begin);
            at = strlen(begin);
        } else {
            strbuf_adds(sb, " ");
            at++;
        }
        strbuf_add(sb, word, n);
        at += n;
        word += n;
        word += strspn(word, " \n");
    }
    strbuf_adds(sb, "\n");
}

void strbuf_keep_end(struct strbuf *sb, size_t n)
{
    if (sb->len <= n)
        return;
    memmove(sb->s, sb->s + sb->len - n, n);
    sb->len = n;
    sb->s[n] = '\0';
}

void strbuf_free(struct strbuf *sb)
{
    if (sb->cap)
        free(sb->s);
    *sb = (struct strbuf)STRBUF_INIT;
}

char *strbuf_detach(struct strbuf *sb)
{
    reserve(sb, 0);
    char *s = sb->s;
    *sb = (struct strbuf)STRBUF_INIT;
    return s;
}

char *xvasprintf(const char *fmt, va_list ap)
{
    struct strbuf sb = STRBUF_INIT;
    addv(&sb, fmt, ap);
    return strbuf_detach(&sb);
}

void owned_free(void *address_of_pointer)
{
    void *memory;
    memcpy(&memory, address_of_pointer, sizeof memory);
    free(memory);
}

void owned_texts_free(char ***texts)
{
    for (size_t i = 0; *texts && (*texts)[i]; i++)
        free((*texts)[i]);
    free(*texts);
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    return s;
}

void *xcalloc(size_t n, size_t size)
{
    return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc_array(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        or_die(NULL);
    size_t bytes = n * size;
    return or_die(realloc(p, bytes > 0 ? bytes : 1));
}

void *list_one_more(void *list, size_t count, size_t size)
{
    if (count & (count - 1)) /* there is room up to the next power of two */
        return list;
    const size_t room = count ? 2 * count : 1;
    char *larger = xrealloc_array(list, room, size);
    memset(larger + count * size, 0, (room - count) * size);
    return larger;
}

char *xstrdup(const char *s)
{
    return or_die(strdup(s));
}

char *xreplace(const char *text, const char *key, const char *value)
{
    struct strbuf sb = STRBUF_INIT;
    const char *hit;
    while ((hit = strstr(text, key))) {
        strbuf_add(&sb, text, (size_t)(hit - text));
        strbuf_adds(&sb, value);
        text = hit + strlen(key);
    }
    strbuf_adds(&sb, text);
    return strbuf_detach(&sb);
}

char **texts_copy(char *const *text, unsigned n)
{
    char **copy = xcalloc((size_t)n + 1, sizeof *copy);
    for (unsigned i = 0; i < n; i++)
        copy[i] = xstrdup(text[i]);
    return copy;
}

void texts_free(char **text, unsigned n)
{
    for (unsigned i = 0; text && i < n; i++)
        free(text[i]);
    free(text);
}
