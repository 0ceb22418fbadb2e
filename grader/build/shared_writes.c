#include "build/shared_writes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/gimple.h"

enum { NAMES_MOST = 32, SHOWN = 4, NAME = 64 };

/* A student writes the text, so nothing may look through all of it for each of its lines: how often
 * declarations are looked for, and how far before a statement its address is. */
enum { SEARCHES_MOST = 100, ADDRESS_MOST = 4 << 10 };

/* A parallel region while it is read. Depths count the braces around it. */
struct region {
    int depth;   /* of its block; 0: no region */
    int guarded; /* depth of a block that one thread at a time executes; 0: none */
    int task;    /* depth of the block of a task, which any thread executes; 0: none */
    int around;  /* what `guarded` is after the task */
    char shared[NAMES_MOST][NAME];
    bool told[NAMES_MOST];
    unsigned count, searches;
    const char *pragma; /* the line that begins it, with its clauses */
    size_t pragma_length;
};

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
    for (const char *p = line; (p = gimple_find(p, line + n, clause));) {
        p += strlen(clause);
        const size_t length = gimple_name(p);
        if (!length || length >= NAME || p[length] != ')' || r->count == NAMES_MOST ||
            find(r, p, length) < r->count)
            continue;
        r->told[r->count] = false;
        snprintf(r->shared[r->count++], NAME, "%.*s", (int)length, p);
    }
}

/* Constructs inside of the region make copies of variables: "reduction(+:sum)", "private(i)". Tasks
 * also say "shared(sum)". */
static void drop_private(struct region *r, const char *line, size_t n)
{
    for (const char *p = line; p < line + n; p++) {
        const size_t length = gimple_name(p);
        if ((p[-1] != '(' && p[-1] != ':') || !length || p[length] != ')' ||
            (p - line >= 8 && gimple_starts(p - 8, " shared(")))
            continue;
        const unsigned i = find(r, p, length);
        if (i == r->count)
            continue;
        memmove(r->shared[i], r->shared[--r->count], NAME);
        r->told[i] = r->told[r->count];
    }
}

/* Does the clause of a pragma have the name, "private(sum)" or "reduction(+:sum)"? */
static bool has_clause(const struct region *r, const char *name, size_t length)
{
    for (const char *p = r->pragma; p + length + 1 < r->pragma + r->pragma_length; p++)
        if ((*p == '(' || *p == ':') && strncmp(p + 1, name, length) == 0 && p[length + 1] == ')')
            return true;
    return false;
}

/* Does the function declare it: "int sum;"? */
static bool is_declared(const char *dump, const char *name, size_t length)
{
    struct gimple_line l;
    for (const char *at = dump; gimple_next(&at, &l);)
        if (l.length > length + 1 && l.text[l.length - 1] == ';' &&
            l.text[l.length - length - 2] == ' ' && !memchr(l.text, '=', l.length) &&
            strncmp(l.text + l.length - length - 1, name, length) == 0)
            return true;
    return false;
}

/* Does the function declare it as an array: "int sum[8];"? */
static bool is_array_declared(const char *dump, const char *name, size_t length)
{
    struct gimple_line l;
    for (const char *at = dump; gimple_next(&at, &l);)
        for (const char *p = l.text; p + length + 1 < l.text + l.length; p++)
            if (l.text[l.length - 1] == ';' && !memchr(l.text, '=', l.length) && *p == ' ' &&
                strncmp(p + 1, name, length) == 0 && p[length + 1] == '[')
                return true;
    return false;
}

/* A variable of the file has no clause, but gcc declares a copy for what is read: "int sum.0;". A
 * local variable that has such a copy is declared itself. */
static void take_global(struct region *r, const char *dump, const struct gimple_line *l)
{
    const char *end = l->text + l->length, *name = end;
    while (name > l->text && name[-1] != ' ')
        name--;
    const size_t n = gimple_name(name);
    if (!n || n >= NAME || name + n + 2 >= end || name[n] != '.' ||
        !isdigit((unsigned char)name[n + 1]) || end[-1] != ';' || strncmp(name, "D.", 2) == 0 ||
        memchr(l->text, '=', l->length) || r->count == NAMES_MOST || find(r, name, n) < r->count ||
        r->searches++ >= SEARCHES_MOST || has_clause(r, name, n) || is_declared(dump, name, n))
        return;
    r->told[r->count] = false;
    snprintf(r->shared[r->count++], NAME, "%.*s", (int)n, name);
}

static void take_pragma(struct region *r, const char *pragma, size_t n, int depth)
{
    static const char *const guards[] = {"critical", "ordered", "single",
                                         "master",   "masked",  "section"};
    const char *what = pragma + strlen("#pragma omp ");
    if (gimple_starts(what, "parallel") && !r->depth) {
        r->count = 0;
        r->depth = depth + 1;
        r->pragma = pragma;
        r->pragma_length = n;
        take_shared(r, pragma, n);
        return;
    }
    if (!r->depth)
        return;
    drop_private(r, pragma + 1, n - 1);
    if (gimple_starts(what, "task") && !gimple_starts(what, "taskgroup")) {
        take_shared(r, pragma, n);
        if (r->task)
            return;
        r->task = depth + 1;
        r->around = r->guarded;
        r->guarded = 0;
        return;
    }
    for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++)
        if (gimple_starts(what, guards[i]) && !r->guarded)
            r->guarded = depth + 1;
}

static void close_block(struct region *r, int depth)
{
    if (r->guarded == depth)
        r->guarded = 0;
    if (r->task == depth) {
        r->guarded = r->around;
        r->task = 0;
    }
    if (r->depth == depth)
        r->depth = 0;
}

/* A statement of the region that assigns a shared variable: add it, once. */
static void take_statement(struct region *r, const char *statement, const char *place,
                           unsigned *shown, struct strbuf *out)
{
    const size_t n = gimple_name(statement);
    const unsigned i = find(r, statement, n);
    if (!n || !*place || strncmp(statement + n, " = ", 3) != 0 || i == r->count || r->told[i] ||
        *shown == SHOWN)
        return;
    strbuf_addf(out, "%s%s (%s)", (*shown)++ ? ", " : "", r->shared[i], place);
    r->told[i] = true;
}

/* The name in "D.1 = std::vector<int>::operator[] ([a.cpp:5:32] &row, D.2)". Returns its length; 0:
 * it is another statement. */
static size_t subscripted(const struct gimple_line *l, const char **name)
{
    static const char call[] = "operator[] (";
    const char *p = gimple_find(l->text, l->text + l->length, call);
    if (!p)
        return 0;
    p += sizeof call - 1;
    if (*p == '[')
        p += strcspn(p, " \n");
    p += *p == ' ';
    *name = p + 1;
    return *p == '&' ? gimple_name(*name) : 0;
}

/* The name of the array whose elements the statement assigns: "row[D.1] = ...", or "*D.2 = ..."
 * after "D.2 = row + D.1" or what C++ has for it. Returns its length; 0: it is another statement.
 */
static size_t array_of(const struct region *r, const char *statement, const char **name)
{
    while (*statement == '[') /* the place of the element */
        statement += strcspn(statement, "]\n") + (strchr(statement, ']') ? 2 : 0);
    const size_t to = strcspn(statement, "=\n"), plain = gimple_name(statement);
    *name = statement;
    if (statement[to] != '=' || to < 2)
        return 0;
    if (statement[plain] == '[')
        return plain;
    struct gimple_line l;
    size_t found = 0;
    const char *pointer = statement + 1, *at = r->pragma;
    if (statement - at > ADDRESS_MOST)
        at = statement - ADDRESS_MOST + strcspn(statement - ADDRESS_MOST, "\n");
    while (*statement == '*' && gimple_next(&at, &l)) {
        if (l.text >= statement)
            break;
        /* "D.2 = ", without the star */
        if (l.length <= to || strncmp(l.text, pointer, to - 1) != 0 || l.text[to - 1] != '=')
            continue;
        *name = l.text + to + 1;
        found = gimple_name(*name);
        found = strncmp(*name + found, " + ", 3) == 0 ? found : subscripted(&l, name);
    }
    return found;
}

/* A statement that assigns an element of a shared array: add the array, once. */
static void take_element(struct region *r, const char *dump, const struct gimple_line *l,
                         unsigned *shown, struct strbuf *out)
{
    const char *name;
    const size_t n = array_of(r, l->text, &name);
    unsigned i = find(r, name, n);
    if (!n || n >= NAME || !*l->place || *shown == SHOWN)
        return;
    if (i == r->count && i < NAMES_MOST && *l->text == '[' && r->searches++ < SEARCHES_MOST &&
        !is_array_declared(dump, name, n)) {
        r->told[i] = false; /* an array of the file */
        snprintf(r->shared[r->count++], NAME, "%.*s", (int)n, name);
    }
    if (i == r->count || r->told[i])
        return;
    strbuf_addf(out, "%s%s (%s)", (*shown)++ ? ", " : "", r->shared[i], l->place);
    r->told[i] = true;
}

static char *read_writes(const char *dump, bool elements)
{
    struct region r = {0};
    struct strbuf out = STRBUF_INIT;
    unsigned shown = 0;
    int depth = 0;
    struct gimple_line l;
    for (const char *at = dump; gimple_next(&at, &l);) {
        if (gimple_is(&l, '{'))
            depth++;
        else if (gimple_is(&l, '}'))
            close_block(&r, depth--);
        else if (gimple_starts(l.text, "#pragma omp "))
            take_pragma(&r, l.text, l.length, depth);
        else if (r.depth && depth >= r.depth && !r.guarded) {
            take_global(&r, dump, &l);
            if (elements)
                take_element(&r, dump, &l, &shown, &out);
            else
                take_statement(&r, l.text, l.place, &shown, &out);
        }
    }
    return strbuf_detach(&out);
}

char *shared_writes_read(const char *dump)
{
    return read_writes(dump, false);
}

char *shared_elements_read(const char *dump)
{
    return read_writes(dump, true);
}

/* A construct that threads leave without waiting, while it is read. */
struct unwaited {
    int region;                /* depth of the region's block; 0: none */
    int depth;                 /* of the construct */
    bool ended;                /* its block is closed */
    char around[GIMPLE_PLACE]; /* the region's place: "parallel for" is at the same one */
    char place[GIMPLE_PLACE];  /* the construct's; "": there is none */
};

/* Is it followed by another construct in the same region? */
static bool is_followed(struct unwaited *u, const struct gimple_line *l, int depth)
{
    static const char nowait[] = " nowait";
    const char *what = l->text + strlen("#pragma omp "), *end = l->text + l->length;
    if (!u->region && gimple_starts(what, "parallel")) {
        *u = (struct unwaited){.region = depth + 1};
        memcpy(u->around, l->place, sizeof u->around);
        return false;
    }
    if (!u->region || (*u->place && u->ended))
        return u->region;
    const char *word = strstr(what, nowait);
    if (word && word < end && strcmp(l->place, u->around) != 0) {
        memcpy(u->place, l->place, sizeof u->place);
        u->depth = depth;
        u->ended = false;
    }
    return false;
}

char *shared_unwaited_read(const char *dump)
{
    struct unwaited u = {0};
    struct gimple_line l;
    int depth = 0;
    for (const char *at = dump; gimple_next(&at, &l);) {
        if (gimple_is(&l, '{')) {
            depth++;
        } else if (gimple_is(&l, '}')) {
            u.region = u.region == depth ? 0 : u.region;
            depth--;
            u.ended = u.ended || depth <= u.depth;
        } else if (gimple_starts(l.text, "#pragma omp ") && is_followed(&u, &l, depth)) {
            return xstrdup(u.place);
        }
    }
    return xstrdup("");
}
