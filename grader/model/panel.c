#include "model/panel.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/strbuf.h"

/* Changes that were seen so few nights apart can be one. The times of a node are not all equally
 * noisy. */
enum { TOGETHER_NIGHTS = 14, SHARED_ROWS_LEAST = 3 };

/* One change of one series. */
struct found {
    size_t node, what;
    bool whole; /* of all times of the node together */
    struct change change;
};

struct found_list {
    struct found *item;
    size_t count;
};

static void look(const double *x, const struct panel *p, const struct panel_rules *rules,
                 struct found at, struct found_list *l)
{
    OWNED struct change *c = NULL;
    const double threshold = changes_threshold(panel_series(p), rules->false_alarms);
    const size_t n = changes_find(x, p->nights, threshold, rules->least, &c);
    for (size_t i = 0; i < n; i++) {
        l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
        at.change = c[i];
        l->item[l->count++] = at;
    }
}

/* --- the three kinds of series ---------------------------------------------------------------- */

/* Rows of the panel, and a copy of each that is changed. */
struct rows {
    const double **in;
    double **out;
    size_t *index; /* in the panel */
    size_t count;
};

static struct rows rows_new(const struct panel *p)
{
    return (struct rows){.in = xcalloc(p->rows + 1, sizeof(double *)),
                         .out = xcalloc(p->rows + 1, sizeof(double *)),
                         .index = xcalloc(p->rows + 1, sizeof(size_t))};
}

static void rows_free(struct rows *r)
{
    free(r->in);
    free(r->out);
    free(r->index);
}

/* A series for each row. */
static double **alone_new(const struct panel *p)
{
    double **alone = xcalloc(p->rows + 1, sizeof *alone);
    for (size_t i = 0; i < p->rows; i++)
        alone[i] = xcalloc(p->nights + 1, sizeof **alone);
    return alone;
}

static void alone_free(double **alone, const struct panel *p)
{
    for (size_t i = 0; i < p->rows; i++)
        free(alone[i]);
    free(alone);
}

/* The rows of all nodes for one time; without what they share into alone[]. */
static struct rows without_common(const struct panel *p, size_t what, double **alone,
                                  double *common)
{
    struct rows r = rows_new(p);
    for (size_t i = 0; i < p->rows; i++) {
        if (p->row[i].what != what)
            continue;
        r.in[r.count] = p->row[i].log_time;
        r.out[r.count] = alone[i];
        r.index[r.count++] = i;
    }
    changes_remove_common(r.in, r.count, p->nights, r.out, common);
    return r;
}

static void look_at_time(const struct panel *p, const struct panel_rules *rules, size_t what,
                         double **alone, struct found_list *l)
{
    OWNED double *common = xcalloc(p->nights + 1, sizeof *common);
    FREED_BY(rows_free) struct rows r = without_common(p, what, alone, common);
    for (size_t i = 0; i < r.count; i++)
        look(r.out[i], p, rules, (struct found){.node = p->row[r.index[i]].node, .what = what}, l);
    if (r.count > CHANGES_PEERS)
        look(common, p, rules, (struct found){.node = PANEL_ALL_NODES, .what = what}, l);
}

static void look_at_node(const struct panel *p, const struct panel_rules *rules, size_t node,
                         double *const *alone, struct found_list *l)
{
    FREED_BY(rows_free) struct rows r = rows_new(p);
    for (size_t i = 0; i < p->rows; i++)
        if (p->row[i].node == node)
            r.in[r.count++] = alone[i];
    if (r.count >= SHARED_ROWS_LEAST) {
        OWNED double *shared = xcalloc(p->nights + 1, sizeof *shared);
        changes_shared(r.in, r.count, p->nights, shared);
        look(shared, p, rules, (struct found){.node = node, .whole = true}, l);
    }
}

size_t panel_series(const struct panel *p)
{
    return p->rows + p->nodes + p->whats;
}

/* --- events ----------------------------------------------------------------------------------- */

static int by_night(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->change.seen != y->change.seen)
        return x->change.seen < y->change.seen ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->whole != y->whole ? y->whole - x->whole : (x->what > y->what) - (x->what < y->what);
}

static bool is_part(const struct panel_event *e, const struct found *f)
{
    if (e->node != f->node || (e->change.share > 0) != (f->change.share > 0) ||
        f->change.seen - e->change.seen > TOGETHER_NIGHTS)
        return false;
    for (size_t i = 0; i < e->members && !f->whole; i++)
        if (e->member[i].what == f->what)
            return false; /* it changed once more */
    return true;
}

static void put(struct panel_event *e, const struct found *f)
{
    if (f->whole) {
        const size_t seen =
            e->members && e->change.seen < f->change.seen ? e->change.seen : f->change.seen;
        e->change = f->change;
        e->change.seen = seen;
        return;
    }
    e->member = xrealloc_array(e->member, e->members + 1, sizeof *e->member);
    e->member[e->members++] = (struct panel_member){f->what, f->change};
}

static int by_share(const void *a, const void *b)
{
    const struct panel_member *x = a, *y = b;
    return (x->change.share > y->change.share) - (x->change.share < y->change.share);
}

static int by_what(const void *a, const void *b)
{
    const struct panel_member *x = a, *y = b;
    return (x->what > y->what) - (x->what < y->what);
}

/* Without a change of the node as a whole, its middle member stands for it. */
static void settle(struct panel_event *e, bool whole)
{
    if (!whole) {
        const size_t seen = e->change.seen;
        qsort(e->member, e->members, sizeof *e->member, by_share);
        e->change = e->member[e->members / 2].change;
        e->change.seen = seen;
    }
    if (e->members)
        qsort(e->member, e->members, sizeof *e->member, by_what);
}

size_t panel_events(const struct panel *p, const struct panel_rules *rules,
                    struct panel_event **out)
{
    struct found_list l = {0};
    double **alone = alone_new(p);
    for (size_t w = 0; w < p->whats; w++)
        look_at_time(p, rules, w, alone, &l);
    for (size_t n = 0; n < p->nodes; n++)
        look_at_node(p, rules, n, alone, &l);
    alone_free(alone, p);
    if (l.count)
        qsort(l.item, l.count, sizeof *l.item, by_night);

    struct panel_event *event = xcalloc(l.count + 1, sizeof *event);
    OWNED bool *whole = xcalloc(l.count + 1, sizeof *whole);
    size_t events = 0;
    for (size_t i = 0; i < l.count; i++) {
        size_t at = 0;
        while (at < events && !(is_part(&event[at], &l.item[i]) && !(whole[at] && l.item[i].whole)))
            at++;
        if (at == events)
            event[events++] =
                (struct panel_event){.node = l.item[i].node, .change = l.item[i].change};
        put(&event[at], &l.item[i]);
        whole[at] = whole[at] || l.item[i].whole;
    }
    for (size_t i = 0; i < events; i++)
        settle(&event[i], whole[i]);
    free(l.item);
    *out = event;
    return events;
}

void panel_events_free(struct panel_event *event, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(event[i].member);
    free(event);
}

struct changes_now *panel_now(const struct panel *p, const struct panel_rules *rules)
{
    struct changes_now *now = xcalloc(p->rows + 1, sizeof *now);
    const double threshold = changes_threshold(panel_series(p), rules->false_alarms);
    double **alone = alone_new(p);
    for (size_t w = 0; w < p->whats; w++) {
        struct rows r = without_common(p, w, alone, NULL);
        rows_free(&r);
    }
    for (size_t i = 0; i < p->rows; i++)
        changes_now(alone[i], p->nights, threshold, rules->least, &now[i]);
    alone_free(alone, p);
    return now;
}
