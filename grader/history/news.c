#include "history/news.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/strbuf.h"

/* Later nights can move the night since when a change is dated. */
enum { SAME_DAYS = 14 };

static const char *node_of(const struct news *n, const struct panel_event *e)
{
    return e->node == PANEL_ALL_NODES ? "" : n->view.node[e->node];
}

static int was_reported(struct store *s, const struct news *n, const struct panel_event *e,
                        bool *reported, struct err *err)
{
    sqlite3_stmt *q = store_prepare(s, err,
                                    "SELECT 1 FROM reported WHERE node = ? AND slower = ? AND"
                                    " abs(julianday(since) - julianday(?)) <= ?",
                                    "sisi", node_of(n, e), (int64_t)(e->change.share > 0),
                                    n->view.day[e->change.since], (int64_t)SAME_DAYS);
    const int rc = q ? store_step(s, q, err) : -1;
    sqlite3_finalize(q);
    *reported = rc == 1;
    return rc < 0 ? -1 : 0;
}

/* Days from one day of the view to another one. */
static int days_between(struct store *s, const char *from, const char *to, long long *days,
                        struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, e, "SELECT julianday(?) - julianday(?)", "ss", to, from);
    const int rc = q ? store_step(s, q, e) : -1;
    if (rc == 1)
        *days = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc < 0 ? -1 : 0;
}

static int load_item(struct store *s, struct news *n, size_t i, struct err *e)
{
    const struct view *v = &n->view;
    const struct panel_event *event = &n->event[i];
    long long age = 0;
    n->item[i].event = event;
    n->item[i].changed = view_what_changed(
        s, v, event->node == PANEL_ALL_NODES ? NULL : v->node[event->node], event->change.since, e);
    if (!n->item[i].changed || was_reported(s, n, event, &n->item[i].reported, e) != 0 ||
        days_between(s, v->day[event->change.seen], v->day[v->panel.nights - 1], &age, e) != 0)
        return -1;
    n->item[i].recent = age < NEWS_DAYS;
    return 0;
}

int news_load(struct store *s, const struct panel_rules *rules, struct news *n, struct err *e)
{
    *n = (struct news){.rules = *rules};
    if (view_load(s, &n->view, e) != 0)
        return -1;
    n->count = panel_events(&n->view.panel, rules, &n->event);
    n->item = xcalloc(n->count + 1, sizeof *n->item);
    for (size_t i = 0; i < n->count; i++) {
        if (load_item(s, n, i, e) != 0) {
            news_free(n);
            return -1;
        }
    }
    return 0;
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
