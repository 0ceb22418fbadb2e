#include "build/shared_writes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

enum { NAMES_MOST = 32, SHOWN = 4, NAME = 64, PLACE = 80 };

/* A parallel region while it is read. Depths count the braces around it. */
struct region {
    int depth;   /* of its block; 0: no region */
    int guarded; /* depth of a block that one thread at a time executes; 0: none */
    char shared[NAMES_MOST][NAME];
    unsigned count;
};

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static unsigned find(const struct region *r, const char *name, size_t n)
{
    unsigned i = 0;
    while (i < r->count && (strlen(r->shared[i]) != n || strncmp(r->shared[i], name, n) != 0))
        i++;
    return i;
}

static void take_shared(struct region *r, const char *line, size_t n)
{
    static const char clause[] = " shared(";
    for (const char *p = line; (p = strstr(p, clause)) && p < line + n;) {
        p += strlen(clause);
        const size_t length = name_length(p);
        if (length && length < NAME && p[length] == ')' && r->count < NAMES_MOST)
            snprintf(r->shared[r->count++], NAME, "%.*s", (int)length, p);
    }
}

/* Constructs inside of the region make copies of variables: "reduction(+:sum)", "private(i)". */
static void drop_private(struct region *r, const char *line, size_t n)
{
    for (const char *p = line; p < line + n; p++) {
        const size_t length = name_length(p);
        if ((p[-1] == '(' || p[-1] == ':') && length && p[length] == ')') {
            const unsigned i = find(r, p, length);
            if (i < r->count)
                memmove(r->shared[i], r->shared[--r->count], NAME);
        }
    }
}

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static void take_pragma(struct region *r, const char *pragma, size_t n, int depth)
{
    static const char *const guards[] = {"critical", "ordered", "single", "master",
                                         "masked",   "task",    "section"};
    const char *what = pragma + strlen("#pragma omp ");
    if (starts(what, "parallel") && !r->depth) {
        r->count = 0;
        r->depth = depth + 1;
        take_shared(r, pragma, n);
        return;
    }
    if (!r->depth)
        return;
    drop_private(r, pragma + 1, n - 1);
    for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++)
        if (starts(what, guards[i]) && !r->guarded)
            r->guarded = depth + 1;
}

/* "[DIR/openmp.c:10:17] " before a statement; what follows it. *place: "openmp.c:10". */
static const char *skip_place(const char *line, char place[PLACE])
{
    place[0] = '\0';
    while (*line == ' ')
        line++;
    const char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (!end || strcspn(line, "\n") < (size_t)(end - line))
        return line;
    const char *name = line + 1, *colon = end;
    for (const char *p = name; p < end; p++)
        if (*p == '/')
            name = p + 1;
    while (colon > name && *colon != ':')
        colon--;
    if (colon > name && colon - name < PLACE)
        snprintf(place, PLACE, "%.*s", (int)(colon - name), name);
    return end[1] == ' ' ? end + 2 : end + 1;
}

/* A statement of the region that assigns a shared variable: add it, once. */
static void take_statement(struct region *r, const char *statement, const char *place,
                           unsigned *shown, struct strbuf *out)
{
    const size_t n = name_length(statement);
    const unsigned i = find(r, statement, n);
    if (!n || !*place || strncmp(statement + n, " = ", 3) != 0 || i == r->count || *shown == SHOWN)
        return;
    strbuf_addf(out, "%s%s (%s)", (*shown)++ ? ", " : "", r->shared[i], place);
    memmove(r->shared[i], r->shared[--r->count], NAME);
}

char *shared_writes_read(const char *dump)
{
    struct region r = {0};
    struct strbuf out = STRBUF_INIT;
    unsigned shown = 0;
    int depth = 0;
    for (const char *line = dump; *line;) {
        char place[PLACE];
        const size_t n = strcspn(line, "\n");
        const char *text = skip_place(line, place);
        const size_t length = text < line + n ? (size_t)(line + n - text) : 0;
        if (length == 1 && *text == '{') {
            depth++;
        } else if (length == 1 && *text == '}') {
            if (r.guarded == depth)
                r.guarded = 0;
            if (r.depth == depth)
                r.depth = 0;
            depth--;
        } else if (starts(text, "#pragma omp ")) {
            take_pragma(&r, text, length, depth);
        } else if (r.depth && depth >= r.depth && !r.guarded) {
            take_statement(&r, text, place, &shown, &out);
        }
        line += n + (line[n] == '\n');
    }
    return strbuf_detach(&out);
}
