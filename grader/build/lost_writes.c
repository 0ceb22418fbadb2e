#include "build/lost_writes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/gimple.h"

/* A student writes the text: no more names are looked for in each of its lines. */
enum { NAMES_MOST = 16, NAME = 64 };

struct copy {
    char name[NAME];
    char set[GIMPLE_PLACE]; /* where; "": it is not set yet */
};

struct reader {
    struct copy copy[NAMES_MOST];
    unsigned count;
    int region; /* depth of the block of the parallel region; 0: outside */
};

static void drop(struct reader *r, unsigned i)
{
    r->copy[i] = r->copy[--r->count];
}

/* The name as a whole word of the line, but for members: "s.sum", "p->sum". */
static const char *mention(const struct gimple_line *l, const char *from, const char *name)
{
    const char *end = l->text + l->length;
    const size_t n = strlen(name);
    for (const char *p = from; (p = gimple_find(p, end, name)); p++) {
        const char before[] = {p > l->text ? p[-1] : ' ', '\0'};
        if (!gimple_name(before) && *before != '.' && *before != '>' && gimple_name(p) == n &&
            p[n] != '.')
            return p;
    }
    return NULL;
}

/* Does a clause of the pragma keep a value of the variable? */
static bool is_kept(const struct gimple_line *pragma, const char *name)
{
    char clause[NAME + 16];
    snprintf(clause, sizeof clause, "lastprivate(%s)", name);
    const char *end = pragma->text + pragma->length;
    if (gimple_find(pragma->text, end, clause))
        return true;
    snprintf(clause, sizeof clause, ":%s)", name); /* reduction(+:sum) */
    return gimple_find(pragma->text, end, clause);
}

static void take_copies(struct reader *r, const struct gimple_line *pragma)
{
    static const char *const clauses[] = {" private(", " firstprivate("};
    const char *end = pragma->text + pragma->length;
    for (size_t i = 0; i < sizeof clauses / sizeof clauses[0]; i++)
        for (const char *p = pragma->text; (p = gimple_find(p, end, clauses[i]));) {
            p += strlen(clauses[i]);
            const size_t n = gimple_name(p);
            if (!n || n >= NAME || p[n] != ')' || r->count == NAMES_MOST)
                continue;
            struct copy *c = &r->copy[r->count];
            *c = (struct copy){.set = ""};
            memcpy(c->name, p, n);
            r->count += !is_kept(pragma, c->name);
        }
}

/* "int sum;": another variable of this name. */
static bool declares(const struct gimple_line *l, const char *name)
{
    const size_t n = strlen(name);
    return l->length > n + 1 && l->text[l->length - 1] == ';' &&
           l->text[l->length - n - 2] == ' ' && !memchr(l->text, '=', l->length) &&
           strncmp(l->text + l->length - n - 1, name, n) == 0 && !gimple_starts(l->text, "return ");
}

static bool sets(const struct gimple_line *l, const char *name)
{
    const size_t n = strlen(name);
    return gimple_starts(l->text, name) && gimple_starts(l->text + n, " = ");
}

static void read_inside(struct reader *r, const struct gimple_line *l)
{
    for (unsigned i = r->count; i-- > 0;) {
        struct copy *c = &r->copy[i];
        if (declares(l, c->name) || (gimple_starts(l->text, "#pragma omp ") && is_kept(l, c->name)))
            drop(r, i);
        else if (sets(l, c->name) && !*c->set)
            memcpy(c->set, l->place, sizeof c->set);
    }
}

/* What is set anew, or given to a function that may set it, is not read. */
static char *read_after(struct reader *r, const struct gimple_line *l)
{
    for (unsigned i = r->count; i-- > 0;) {
        struct copy *c = &r->copy[i];
        const char *first = mention(l, l->text, c->name);
        if (!*c->set || (first && (*l->text == '#' || declares(l, c->name) || first[-1] == '&' ||
                                   (sets(l, c->name) && !mention(l, first + 1, c->name)))))
            drop(r, i);
        else if (first && *l->place)
            return xasprintf("%s is set in copies of threads (%s), which are lost: it is as before "
                             "where it is read (%s). reduction(...) adds copies",
                             c->name, c->set, l->place);
    }
    return NULL;
}

char *lost_writes_read(const char *dump)
{
    struct reader r = {.count = 0};
    struct gimple_line l;
    char *said = NULL;
    int depth = 0;
    for (const char *at = dump; !said && gimple_next(&at, &l);) {
        depth += gimple_is(&l, '{');
        if (gimple_is(&l, '}') && depth-- == r.region)
            r.region = 0;
        if (depth == 0)
            r.count = 0; /* another function */
        if (!r.region && gimple_starts(l.text, "#pragma omp parallel")) {
            read_after(&r, &l);
            r.region = depth + 1;
            take_copies(&r, &l);
        } else if (r.region) {
            read_inside(&r, &l);
        } else {
            said = read_after(&r, &l);
        }
    }
    return said ? said : xstrdup("");
}
