#include "history/nodes.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/strbuf.h"

/* The last night on which a node was measured. */
static size_t last_night(const struct panel *p, size_t node)
{
    size_t last = 0;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t t = p->nights; p->row[i].node == node && t-- > last;)
            if (!isnan(p->row[i].log_time[t]))
                last = t;
    return last;
}

/* How much slower than the median of the other nodes. The level of a time is a logarithm. */
static double beside_others(const struct panel *p, const struct changes_now *now, size_t row,
                            double *work)
{
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++)
        if (i != row && p->row[i].what == p->row[row].what && now[i].nights && !isnan(now[i].level))
            work[n++] = now[i].level;
    return n ? now[row].level - stats_median(work, n) : (double)NAN;
}

/* The median of what is known; NAN: nothing is. */
static double median_known(double *x, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[known++] = x[i];
    return known ? stats_median(x, known) : (double)NAN;
}

/* A node need not be measured every day: at its pace, `left` nights take so many days. */
static int64_t days_for(const struct view *v, const struct panel_row *r, size_t left)
{
    size_t first = 0, last = 0, nights = 0;
    for (size_t t = 0; t < v->panel.nights; t++) {
        if (isnan(r->log_time[t]))
            continue;
        first = nights++ ? first : t;
        last = t;
    }
    const int64_t days = view_day_number(v->day[last]) - view_day_number(v->day[first]);
    const double pace = nights > 1 ? (double)days / (double)(nights - 1) : 1;
    return (int64_t)ceil((double)left * pace);
}

static const struct news_item *last_change(const struct news *n, size_t node)
{
    const struct news_item *last = NULL;
    for (size_t i = 0; i < n->count; i++)
        if (n->item[i].event->node == node && n->item[i].recent)
            last = &n->item[i];
    return last;
}

static struct node_now node_of(const struct news *n, const struct changes_now *now, size_t node,
                               double *work)
{
    const struct view *v = &n->view;
    const struct panel *p = &v->panel;
    struct node_now x = {.node = node, .day = last_night(p, node), .days_left = INT64_MAX};
    OWNED double *level = xcalloc(p->rows, sizeof *level), *noise = xcalloc(p->rows, sizeof *noise),
                 *last = xcalloc(p->rows, sizeof *last);
    size_t times = 0;
    for (size_t i = 0; i < p->rows; i++) {
        if (p->row[i].node != node || isnan(p->row[i].log_time[x.day]))
            continue;
        level[times] = beside_others(p, now, i, work);
        noise[times] = now[i].noise;
        last[times++] = now[i].last;
        x.nights = now[i].nights > x.nights ? now[i].nights : x.nights;
        const int64_t left = now[i].left ? days_for(v, &p->row[i], now[i].left) : 0;
        x.days_left = left < x.days_left ? left : x.days_left;
    }
    x.level = expm1(median_known(level, times));
    x.noise = median_known(noise, times);
    x.last = expm1(median_known(last, times));
    x.days_ago = view_day_number(v->day[p->nights - 1]) - view_day_number(v->day[x.day]);
    x.change = last_change(n, node);
    return x;
}

/* Nodes without others like them come last. */
static int by_level(const void *a, const void *b)
{
    const struct node_now *x = a, *y = b;
    if (isnan(x->level) || isnan(y->level))
        return isnan(x->level) != isnan(y->level) ? (isnan(x->level) ? 1 : -1)
                                                  : (x->node > y->node) - (x->node < y->node);
    return (x->level < y->level) - (x->level > y->level);
}

size_t nodes_now(const struct news *n, struct node_now **out)
{
    const struct panel *p = &n->view.panel;
    OWNED struct changes_now *now = panel_now(p, &n->rules);
    OWNED double *work = xcalloc(p->rows + 1, sizeof *work);
    *out = xcalloc(p->nodes + 1, sizeof **out);
    for (size_t k = 0; k < p->nodes; k++)
        (*out)[k] = node_of(n, now, k, work);
    qsort(*out, p->nodes, sizeof **out, by_level);
    return p->nodes;
}
