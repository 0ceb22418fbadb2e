#include "driver/profile_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 200 };

/* The durations are for the median and the deviation. */
static struct entry {
    struct pg_profile_row row;
    uint64_t *ns;
    size_t count, room;
} entries[ROWS];
static unsigned entry_count;

static struct call {
    const char *name;
    uint64_t start, end;
    uint32_t thread;
    enum profile_layer layer;
} * calls;
static size_t call_count, call_room;

/* Room for one more item. False: there is no memory. */
static bool grow(void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t more = 2 * *room + 16;
    void *larger = realloc(*items, more * size);
    if (!larger)
        return false;
    *items = larger;
    *room = more;
    return true;
}

void profile_rows_reset(void)
{
    for (unsigned i = 0; i < entry_count; i++)
        free(entries[i].ns);
    free(calls);
    calls = NULL;
    entry_count = 0;
    call_count = call_room = 0;
}

static struct entry *entry_of(enum pg_activity activity, const char *name)
{
    for (unsigned i = 0; i < entry_count; i++) {
        struct pg_profile_row *r = &entries[i].row;
        if (r->activity == (int32_t)activity && strncmp(r->name, name, sizeof r->name - 1) == 0)
            return &entries[i];
    }
    if (entry_count == ROWS)
        return NULL;
    struct entry *e = &entries[entry_count++];
    *e = (struct entry){.row = {.type = PG_PROFILE_ROW, .activity = (int32_t)activity}};
    snprintf(e->row.name, sizeof e->row.name, "%s", name);
    return e;
}

struct pg_profile_row *profile_rows_add(enum pg_activity activity, const char *name, uint64_t start,
                                        uint64_t end)
{
    struct entry *e = entry_of(activity, name);
    void *ns = e ? e->ns : NULL;
    if (!e || !grow(&ns, e->count, &e->room, sizeof *e->ns))
        return NULL;
    e->ns = ns;
    e->ns[e->count++] = end > start ? end - start : 0;
    return &e->row;
}

void profile_rows_call(enum profile_layer layer, const char *name, uint32_t thread, uint64_t start,
                       uint64_t end)
{
    void *items = calls;
    if (!grow(&items, call_count, &call_room, sizeof *calls))
        return;
    calls = items;
    calls[call_count++] = (struct call){name, start, end, thread, layer};
}

/* By thread and start; a call comes before those that it makes. */
static int call_order(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (int)x->layer - (int)y->layer;
}

static void add_call(const struct call *c)
{
    char plain[sizeof entries[0].row.name];
    snprintf(plain, sizeof plain, "%s", c->name);
    char *version = strstr(plain, "_v");
    if (version)
        *version = '\0';
    profile_rows_add(PG_API, plain, c->start, c->end);
}

static void add_calls(void)
{
    const struct call *outer = NULL;
    if (call_count)
        qsort(calls, call_count, sizeof *calls, call_order);
    for (size_t i = 0; i < call_count; i++) {
        const struct call *c = &calls[i];
        const bool inside = outer && outer->thread == c->thread && c->end <= outer->end;
        if (c->layer == LAYER_DRIVER && inside)
            continue;
        if (c->layer == LAYER_RUNTIME)
            outer = c;
        add_call(c);
    }
}

static int ns_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void summarize(struct entry *e)
{
    struct pg_profile_row *r = &e->row;
    const size_t n = e->count;
    double squares = 0;
    qsort(e->ns, n, sizeof *e->ns, ns_order);
    r->calls = n;
    r->min_ns = e->ns[0];
    r->max_ns = e->ns[n - 1];
    const uint64_t lower = e->ns[(n - 1) / 2], upper = e->ns[n / 2];
    r->median_ns = ((double)lower + (double)upper) / 2;
    for (size_t i = 0; i < n; i++)
        r->total_ns += e->ns[i];
    const double mean = (double)r->total_ns / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)e->ns[i] - mean) * ((double)e->ns[i] - mean);
    r->stddev_ns = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

void profile_rows_send(void (*send)(const struct pg_profile_row *))
{
    add_calls();
    for (unsigned i = 0; i < entry_count; i++) {
        if (!entries[i].count)
            continue;
        summarize(&entries[i]);
        send(&entries[i].row);
    }
    profile_rows_reset();
}
