/* The news as one JSON document, for programs. */
#include <string.h>

#include "base/json.h"
#include "history/news_text.h"
#include "history/nodes.h"

/* {"share": 0.1, ...}: 10 % slower. */
static json_t *change_json(const struct change *c)
{
    return json_pack("{s:o, s:o, s:o}", "share", json_number_or_null(c->share), "ci_low",
                     json_number_or_null(c->low), "ci_high", json_number_or_null(c->high));
}

/* The lines of a text. */
static json_t *lines_json(const char *text)
{
    json_t *list = json_array();
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
        json_array_append_new(list, json_stringn(p, strcspn(p, "\n")));
    return list;
}

static json_t *item_json(const struct news *n, const struct news_item *i)
{
    const struct panel_event *x = i->event;
    const struct view *v = &n->view;
    json_t *o = change_json(&x->change), *times = json_array();
    json_object_set_new(o, "node",
                        x->node == PANEL_ALL_NODES ? json_null() : json_string(v->node[x->node]));
    json_object_set_new(o, "since", json_string(v->day[x->change.since]));
    json_object_set_new(o, "seen", json_string(v->day[x->change.seen]));
    json_object_set_new(o, "new", json_boolean(news_is_alarm(i)));
    json_object_set_new(o, "changed", lines_json(i->changed));
    for (size_t k = 0; k < x->members; k++) {
        const struct view_time *t = &v->time[x->member[k].what];
        json_t *m = change_json(&x->member[k].change);
        json_object_set_new(m, "assignment", json_string(t->assignment));
        json_object_set_new(m, "tier", json_string(t->tier));
        json_object_set_new(m, "launch", json_string(t->launch));
        json_object_set_new(m, "size", json_string(t->size));
        json_array_append_new(times, m);
    }
    json_object_set_new(o, "times", times);
    return o;
}

int news_print_json(const struct news *n, bool all, const char *failures, FILE *f, struct err *e)
{
    const struct panel *p = &n->view.panel;
    json_t *changes = json_array();
    json_int_t learning = 0;
    for (size_t i = 0; i < p->rows; i++)
        learning += view_days(&n->view, i) < CHANGES_LEARN;
    for (size_t i = 0; i < n->count; i++)
        if (all || news_is_alarm(&n->item[i]))
            json_array_append_new(changes, item_json(n, &n->item[i]));
    return json_print(f,
                      json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "nodes",
                                (json_int_t)p->nodes, "times", (json_int_t)p->rows, "days",
                                (json_int_t)p->nights, "times_on_few_days", learning,
                                "new_slowdowns", (json_int_t)news_alarms(n), "changes", changes,
                                "each_node", nodes_json(n), "failures", lines_json(failures)),
                      e);
}
