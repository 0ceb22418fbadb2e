/* The nodes, and what changed, as tables: for terminals, programs and pages. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "history/nodes.h"

/* "+1.8 %", "-" if it is not known. */
static void percent_cell(struct term_table *t, enum term_style style, const char *form,
                         double share)
{
    if (isnan(share)) {
        term_table_cell(t, TERM_DIM, "-");
        return;
    }
    if (fabs(share) < 0.0005)
        term_table_cell(t, style, "0.0 %%"); /* neither "-0.0" nor "+0.0" */
    else
        term_table_cell(t, style, form, 100 * share);
    term_table_value(t, share);
}

/* `none` in place of 0. */
static void count_cell(struct term_table *t, int64_t n, const char *none)
{
    if (n)
        term_table_cell(t, TERM_PLAIN, "%lld", (long long)n);
    else
        term_table_cell(t, TERM_PLAIN, "%s", none);
    term_table_value(t, (double)n);
}

static void verdict_cell(struct term_table *t, int64_t days)
{
    if (days)
        term_table_cell(t, TERM_YELLOW, "in %lld %s", (long long)days, plural(days, "day", "days"));
    else
        term_table_cell(t, TERM_PLAIN, "-");
    term_table_value(t, (double)days);
}

static void add_change(struct term_table *t, const struct news *n, const struct news_item *i)
{
    const struct change *c = i ? &i->event->change : NULL;
    if (!c) {
        term_table_cell(t, TERM_PLAIN, "-");
        return;
    }
    OWNED char *brief =
        xasprintf("%.1f %% %s", 100 * fabs(c->share), c->share > 0 ? "slower" : "faster");
    term_table_cell(t, c->share > 0 ? TERM_RED : TERM_GREEN, "%s since %s", brief,
                    n->view.day[c->since]);
    term_table_brief(t, brief);
    term_table_mark(t);
    term_table_value(t, c->share);
}

struct term_table *nodes_table(const struct news *n, bool page)
{
    static const struct term_column columns[] = {
        {"node", TERM_NAME},    {"change", TERM_LEFT},      {"level", TERM_RIGHT},
        {"noise", TERM_RIGHT},  {"last night", TERM_RIGHT}, {"days ago", TERM_RIGHT},
        {"nights", TERM_SPARE}, {"verdict", TERM_RIGHT},    {"change", TERM_LEFT},
    };
    struct term_table *t = term_table_new("Nodes, the slowest first");
    OWNED struct node_now *node = NULL;
    const size_t count = nodes_now(n, &node);
    term_table_columns(t, columns, page ? 2 : 1);
    term_table_columns(t, columns + 2, page ? 6 : 7);
    for (size_t k = 0; k < count; k++) {
        const struct node_now *x = &node[k];
        term_table_cell(t, TERM_BOLD, "%s", n->view.node[x->node]);
        if (page)
            add_change(t, n, x->change);
        percent_cell(t, TERM_PLAIN, "%+.1f %%", x->level);
        percent_cell(t, TERM_PLAIN, "%.1f %%", x->noise);
        percent_cell(t, TERM_PLAIN, "%+.1f %%", x->last);
        count_cell(t, x->days_ago, "-");
        count_cell(t, (int64_t)x->nights, "0");
        verdict_cell(t, x->days_left);
        if (!page)
            add_change(t, n, x->change);
        term_table_end_row(t);
    }
    return t;
}

json_t *nodes_json(const struct news *n)
{
    json_t *list = json_array();
    OWNED struct node_now *node = NULL;
    const size_t count = nodes_now(n, &node);
    for (size_t k = 0; k < count; k++) {
        const struct node_now *x = &node[k];
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:s, s:I, s:I}", "node", n->view.node[x->node],
                            "level", json_number_or_null(x->level), "noise",
                            json_number_or_null(x->noise), "last_night",
                            json_number_or_null(x->last), "measured", n->view.day[x->day], "nights",
                            (json_int_t)x->nights, "days_to_verdict", (json_int_t)x->days_left));
    }
    return list;
}

/* Lines as one line. The caller frees it. */
static char *joined(const char *lines)
{
    struct strbuf sb = STRBUF_INIT;
    for (const char *p = lines; *p; p++)
        strbuf_adds(&sb, *p == '\n' ? "; " : (char[]){*p, '\0'});
    return strbuf_detach(&sb);
}

struct term_table *changes_table(const struct news *n)
{
    static const struct term_column columns[] = {
        {"node", TERM_NAME},
        {"since", TERM_LEFT},
        {"change", TERM_RIGHT},
        {"from", TERM_RIGHT},
        {"to", TERM_RIGHT},
        {"times", TERM_RIGHT},
        {"changed at that time", TERM_LEFT},
    };
    struct term_table *t = term_table_new("Changes, the newest first");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = n->count; i-- > 0;) {
        const struct panel_event *e = n->item[i].event;
        term_table_cell(t, TERM_BOLD, "%s",
                        e->node == PANEL_ALL_NODES ? "all nodes" : n->view.node[e->node]);
        term_table_cell(t, TERM_PLAIN, "%s", n->view.day[e->change.since]);
        percent_cell(t, e->change.share > 0 ? TERM_RED : TERM_GREEN, "%+.1f %%", e->change.share);
        percent_cell(t, TERM_PLAIN, "%+.1f %%", e->change.low);
        percent_cell(t, TERM_PLAIN, "%+.1f %%", e->change.high);
        count_cell(t, (int64_t)e->members, "-");
        OWNED char *changed = joined(n->item[i].changed);
        term_table_cell(t, TERM_PLAIN, "%s", changed);
        term_table_end_row(t);
    }
    return t;
}
