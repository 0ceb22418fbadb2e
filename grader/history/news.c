#include "history/news.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"

/* Later nights can move the day since when a change is dated. */
enum { SAME_DAYS = 14 };

static const char *node_of(const struct news *n, const struct panel_event *e)
{
    return e->node == PANEL_ALL_NODES ? "" : n->view.node[e->node];
}

/* --- what was reported ------------------------------------------------------------------------ */

/* A slowdown that an earlier call reported. */
struct report {
    char *node;
    int64_t since; /* number of the day */
    bool matched;  /* by an event */
};

struct reports {
    struct report *item;
    size_t count;
};

static void reports_free(struct reports *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->item[i].node);
    free(l->item);
}

static int load_reports(struct store *s, struct reports *l, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, e, "SELECT node, since FROM reported WHERE slower = 1", "");
    int rc = q ? store_step(s, q, e) : -1;
    for (; rc == 1; rc = store_step(s, q, e)) {
        l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
        l->item[l->count++] =
            (struct report){xstrdup(store_text(q, 0)), view_day_number(store_text(q, 1)), false};
    }
    sqlite3_finalize(q);
    return rc;
}

static int64_t since_of(const struct news *n, const struct panel_event *e)
{
    return view_day_number(n->view.day[e->change.since]);
}

/* The event and the report, of those without a partner, that are dated closest to each other. */
static bool closest(const struct news *n, const struct reports *l, size_t *event, size_t *report)
{
    int64_t best = SAME_DAYS + 1;
    for (size_t i = 0; i < n->count; i++) {
        if (n->item[i].reported || n->event[i].change.share <= 0)
            continue;
        for (size_t k = 0; k < l->count; k++) {
            const int64_t days = llabs(since_of(n, &n->event[i]) - l->item[k].since);
            if (l->item[k].matched || days >= best ||
                strcmp(l->item[k].node, node_of(n, &n->event[i])) != 0)
                continue;
            best = days;
            *event = i;
            *report = k;
        }
    }
    return best <= SAME_DAYS;
}

/* Which events were reported? Each report is about one event, because a node can become slower
 * twice in a few days. */
static int match_reports(struct store *s, struct news *n, struct err *e)
{
    FREED_BY(reports_free) struct reports l = {0};
    size_t event = 0, report = 0;
    const int rc = load_reports(s, &l, e);
    while (rc == 0 && closest(n, &l, &event, &report)) {
        n->item[event].reported = true;
        l.item[report].matched = true;
    }
    return rc;
}

/* --- news ------------------------------------------------------------------------------------- */

static int load_item(struct store *s, struct news *n, size_t i, struct err *e)
{
    const struct view *v = &n->view;
    const struct panel_event *event = &n->event[i];
    n->item[i].event = event;
    n->item[i].changed = view_what_changed(
        s, v, event->node == PANEL_ALL_NODES ? NULL : v->node[event->node], event->change.since, e);
    n->item[i].recent =
        view_day_number(v->day[v->panel.nights - 1]) - view_day_number(v->day[event->change.seen]) <
        NEWS_DAYS;
    return n->item[i].changed ? 0 : -1;
}

int news_load(struct store *s, const struct panel_rules *rules, struct news *n, struct err *e)
{
    *n = (struct news){.rules = *rules};
    if (view_load(s, &n->view, e) != 0)
        return -1;
    n->count = panel_events(&n->view.panel, rules, &n->event);
    n->item = xcalloc(n->count + 1, sizeof *n->item);
    int rc = 0;
    for (size_t i = 0; i < n->count && rc == 0; i++)
        rc = load_item(s, n, i, e);
    if (rc == 0)
        rc = match_reports(s, n, e);
    if (rc != 0)
        news_free(n);
    return rc;
}

void news_free(struct news *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->item[i].changed);
    free(n->item);
    panel_events_free(n->event, n->count);
    view_free(&n->view);
    *n = (struct news){0};
}

bool news_is_alarm(const struct news_item *i)
{
    return i->event->change.share > 0 && i->recent && !i->reported;
}

size_t news_alarms(const struct news *n)
{
    size_t count = 0;
    for (size_t i = 0; i < n->count; i++)
        count += news_is_alarm(&n->item[i]);
    return count;
}

int news_mark(struct store *s, const struct news *n, struct err *e)
{
    char now[32];
    int rc = news_alarms(n) ? store_begin(s, e) : 0;
    clock_utc(now, sizeof now);
    for (size_t i = 0; i < n->count && rc == 0; i++) {
        const struct panel_event *event = n->item[i].event;
        if (news_is_alarm(&n->item[i]))
            rc = store_run(s, e, "INSERT INTO reported (node, slower, since, at) VALUES (?,?,?,?)",
                           "siss", node_of(n, event), (int64_t)1, n->view.day[event->change.since],
                           now);
    }
    if (rc == 0 && news_alarms(n))
        rc = store_commit(s, e);
    if (rc != 0)
        store_rollback(s);
    return rc;
}
