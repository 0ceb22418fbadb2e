#include "history/news_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fsio.h"
#include "base/instant.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"

enum { MEMBERS_SHOWN = 6, SHARE_TEXT = 32 };

/* "10.3 % slower" */
static void share_text(double share, char out[SHARE_TEXT])
{
    snprintf(out, SHARE_TEXT, "%.1f %% %s", 100 * fabs(share), share > 0 ? "slower" : "faster");
}

static void print_members(const struct news *n, const struct panel_event *e, FILE *f)
{
    for (size_t i = 0; i < e->members; i++) {
        const struct panel_member *m = &e->member[i];
        char *name = view_time_name(&n->view, m->what), share[SHARE_TEXT];
        share_text(m->change.share, share);
        if (i < MEMBERS_SHOWN || e->members == MEMBERS_SHOWN + 1)
            fprintf(f, "  %-28s %14s (%.1f to %.1f)\n", name, share, 100 * m->change.low,
                    100 * m->change.high);
        free(name);
    }
    if (e->members > MEMBERS_SHOWN + 1)
        fprintf(f, "  and %zu more\n", e->members - MEMBERS_SHOWN);
}

static size_t times_of(const struct news *n, size_t node)
{
    size_t count = 0;
    for (size_t i = 0; i < n->view.panel.rows; i++)
        count += n->view.panel.row[i].node == node;
    return count;
}

static void print_item(const struct news *n, const struct news_item *item, FILE *f)
{
    const struct panel_event *e = item->event;
    const struct view *v = &n->view;
    char share[SHARE_TEXT];
    share_text(e->change.share, share);
    fprintf(f, "%s: %s since %s\n", e->node == PANEL_ALL_NODES ? "all nodes" : v->node[e->node],
            share, v->day[e->change.since]);
    if (e->node == PANEL_ALL_NODES)
        fprintf(f, "  95 %% interval: %.1f to %.1f %%\n", 100 * e->change.low,
                100 * e->change.high);
    else
        fprintf(f,
                "  95 %% interval: %.1f to %.1f %%; by themselves, %zu of its %zu times changed\n",
                100 * e->change.low, 100 * e->change.high, e->members, times_of(n, e->node));
    print_members(n, e, f);
    term_print(f, 4,
               *item->changed ? "  Changed at that time:\n"
                              : "  Changed at that time: nothing that is recorded (kernel, driver, "
                                "microcode, compiler, source)\n");
    for (const char *p = item->changed; *p; p += strcspn(p, "\n"), p += *p == '\n')
        term_print(f, 6, "    %.*s\n", (int)strcspn(p, "\n"), p);
    fputc('\n', f);
}

void news_print(const struct news *n, bool all, FILE *f)
{
    for (size_t i = 0; i < n->count; i++)
        if (all || news_is_alarm(&n->item[i]))
            print_item(n, &n->item[i], f);
}

void news_print_summary(const struct news *n, FILE *f)
{
    const struct panel *p = &n->view.panel;
    const size_t alarms = news_alarms(n);
    size_t learning = 0;
    for (size_t i = 0; i < p->rows; i++)
        learning += view_days(&n->view, i) < CHANGES_LEARN;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%zu %s of %zu %s on %zu %s", p->rows, plural(p->rows, "time", "times"),
                p->nodes, plural(p->nodes, "node", "nodes"), p->nights,
                plural(p->nights, "day", "days"));
    if (learning)
        strbuf_addf(&sb, "; %zu of them on fewer than %d days, so changes of them are not seen yet",
                    learning, CHANGES_LEARN);
    term_print(f, 2, "%s; %zu new %s\n", sb.s, alarms, plural(alarms, "slowdown", "slowdowns"));
}

/* --- Prometheus ------------------------------------------------------------------------------- */

/* A value of a label, in quotes. */
static void add_label(struct strbuf *sb, const char *name, const char *value)
{
    strbuf_addf(sb, "%s=\"", name);
    for (; *value; value++)
        strbuf_adds(sb, *value == '"'    ? "\\\""
                        : *value == '\\' ? "\\\\"
                        : *value == '\n' ? "\\n"
                                         : (char[]){*value, '\0'});
    strbuf_adds(sb, "\"");
}

static void add_head(struct strbuf *sb, const char *name, const char *help)
{
    strbuf_addf(sb, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* The last value of a row. */
static double last_of(const struct news *n, const struct panel_row *r)
{
    for (size_t t = n->view.panel.nights; t-- > 0;)
        if (!isnan(r->log_time[t]))
            return exp(r->log_time[t]);
    return (double)NAN;
}

static void add_times(struct strbuf *sb, const struct news *n)
{
    add_head(sb, "paragrade_time_seconds", "Last measured time of one call of the reference.");
    for (size_t i = 0; i < n->view.panel.rows; i++) {
        const struct panel_row *r = &n->view.panel.row[i];
        const struct view_time *t = &n->view.time[r->what];
        strbuf_adds(sb, "paragrade_time_seconds{");
        add_label(sb, "node", n->view.node[r->node]);
        strbuf_adds(sb, ",");
        add_label(sb, "assignment", t->assignment);
        strbuf_adds(sb, ",");
        add_label(sb, "tier", t->tier);
        strbuf_adds(sb, ",");
        add_label(sb, "launch", t->launch);
        strbuf_adds(sb, ",");
        add_label(sb, "size", t->size);
        strbuf_addf(sb, "} %.9g\n", last_of(n, r));
    }
}

/* Of each node: what its changes of the last NEWS_DAYS days make together. */
static void add_slowdowns(struct strbuf *sb, const struct news *n)
{
    add_head(sb, "paragrade_slowdown_ratio",
             "Product of the changes that were seen in the last 31 days; 1.1 is 10 % slower.");
    for (size_t k = 0; k < n->view.panel.nodes; k++) {
        double ratio = 1;
        for (size_t i = 0; i < n->count; i++)
            if (n->item[i].recent && n->item[i].event->node == k)
                ratio *= 1 + n->item[i].event->change.share;
        strbuf_adds(sb, "paragrade_slowdown_ratio{");
        add_label(sb, "node", n->view.node[k]);
        strbuf_addf(sb, "} %.6g\n", ratio);
    }
}

/* The last day on which a node was measured. */
static void add_days(struct strbuf *sb, const struct news *n)
{
    add_head(sb, "paragrade_days_since_measured",
             "Days of the calendar (UTC) since the node was measured.");
    const int64_t today = (int64_t)time(NULL) / SECONDS_A_DAY;
    for (size_t k = 0; k < n->view.panel.nodes; k++) {
        size_t last = 0;
        for (size_t i = 0; i < n->view.panel.rows; i++)
            for (size_t t = n->view.panel.nights; n->view.panel.row[i].node == k && t-- > last;)
                if (!isnan(n->view.panel.row[i].log_time[t]))
                    last = t;
        strbuf_adds(sb, "paragrade_days_since_measured{");
        add_label(sb, "node", n->view.node[k]);
        strbuf_addf(sb, "} %lld\n", (long long)(today - view_day_number(n->view.day[last])));
    }
}

int news_write_metrics(const struct news *n, const char *path, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    add_times(&sb, n);
    add_slowdowns(&sb, n);
    add_days(&sb, n);
    add_head(&sb, "paragrade_new_slowdowns", "Slowdowns that were not reported before this run.");
    strbuf_addf(&sb, "paragrade_new_slowdowns %zu\n", news_alarms(n));
    return fs_write_for_all(path, sb.s, sb.len, e); /* its reader has another account */
}
