#include "build/task_variables.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/gimple.h"

enum { NAMES_MOST = 32, NAME = 64, DEPTHS_MOST = 64 };

/* The tasks that may still have to run. */
struct reader {
    int depth, task;    /* of the block now; of the block of a task, 0: in none */
    uint64_t construct; /* depths whose block belongs to a pragma */
    bool pragma;        /* the next block does */
    char shared[NAMES_MOST][NAME];
    char at[NAMES_MOST][GIMPLE_PLACE]; /* the task that shares it */
    bool used[NAMES_MOST];             /* in the task */
    unsigned count;
};

static unsigned find(const struct reader *r, const char *name, size_t n)
{
    unsigned i = 0;
    while (i < r->count && (strlen(r->shared[i]) != n || strncmp(r->shared[i], name, n) != 0))
        i++;
    return i;
}

/* Tasks whose order is given in another way are left alone. */
static bool is_plain_task(const struct gimple_line *l)
{
    static const char *const others[] = {" if(",       " final(", " depend(",  " detach(",
                                         " mergeable", " in_red", " affinity("};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (gimple_find(l->text, l->text + l->length, others[i]))
            return false;
    }
    return gimple_starts(l->text, "#pragma omp task ");
}

static void take_task(struct reader *r, const struct gimple_line *l)
{
    static const char clause[] = " shared(";
    r->task = r->depth + 1;
    for (const char *p = l->text; (p = gimple_find(p, l->text + l->length, clause));) {
        p += strlen(clause);
        const size_t n = gimple_name(p);
        if (!n || n >= NAME || p[n] != ')' || r->count == NAMES_MOST || find(r, p, n) < r->count)
            continue;
        snprintf(r->shared[r->count], NAME, "%.*s", (int)n, p);
        snprintf(r->at[r->count], GIMPLE_PLACE, "%s", l->place);
        r->used[r->count++] = false;
    }
}

static void take_pragma(struct reader *r, const struct gimple_line *l)
{
    r->pragma = true;
    if (r->task)
        return;
    if (is_plain_task(l))
        take_task(r, l);
    else
        r->count = 0;
}

static void take_use(struct reader *r, const struct gimple_line *l)
{
    for (const char *p = l->text; p < l->text + l->length;) {
        const size_t n = gimple_name(p);
        const unsigned i = n ? find(r, p, n) : r->count;
        if (i < r->count)
            r->used[i] = true;
        p += n ? n : 1;
    }
}

/* What may wait for tasks, or leads somewhere else: a call, a jump that has no condition. */
static bool may_wait(const struct gimple_line *l)
{
    if (gimple_starts(l->text, "goto ") || gimple_starts(l->text, "return"))
        return true;
    for (const char *p = l->text; p < l->text + l->length;) {
        const size_t n = gimple_name(p);
        if (n && gimple_starts(p + n, " (") && !(n == 2 && gimple_starts(p, "if")))
            return true;
        p += n ? n : 1;
    }
    return false;
}

static void close_block(struct reader *r)
{
    if (!r->depth)
        return;
    const uint64_t bit = UINT64_C(1) << r->depth % DEPTHS_MOST;
    if (r->task == r->depth)
        r->task = 0;
    else if (r->construct & bit && !r->task)
        r->count = 0; /* its threads wait at the end */
    r->construct &= ~bit;
    r->depth--;
}

static void open_block(struct reader *r)
{
    r->depth++;
    if (r->pragma)
        r->construct |= UINT64_C(1) << r->depth % DEPTHS_MOST;
    r->pragma = false;
}

char *task_variables_read(const char *dump)
{
    struct reader r = {0};
    struct gimple_line l;
    for (const char *at = dump; gimple_next(&at, &l) && r.depth < DEPTHS_MOST;) {
        const size_t n = gimple_name(l.text);
        const unsigned i = n && gimple_starts(l.text + n, " = ") ? find(&r, l.text, n) : r.count;
        if (gimple_is(&l, '{'))
            open_block(&r);
        else if (gimple_is(&l, '}'))
            close_block(&r);
        else if (gimple_starts(l.text, "#pragma omp "))
            take_pragma(&r, &l);
        else if (r.task)
            take_use(&r, &l);
        else if (may_wait(&l) || !r.depth)
            r.count = 0;
        else if (i < r.count && r.used[i] && *l.place)
            return xasprintf(
                "%s: %s changes here, but tasks of %s share it and may run later: give "
                "each its own with firstprivate(%s)",
                l.place, r.shared[i], r.at[i], r.shared[i]);
    }
    return xstrdup("");
}
