#include "history/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "base/stats.h"
#include "base/strbuf.h"

/* One line of the history. */
struct line {
    size_t node, what, day;
    double log_time;
};

struct line_list {
    struct line *item;
    size_t count;
};

/* The number of a text in a list, at the end of which it is added if it is not there. */
static size_t number_of(char ***list, size_t *count, const char *text)
{
    for (size_t i = *count; i-- > 0;)
        if (strcmp((*list)[i], text) == 0)
            return i;
    *list = xrealloc_array(*list, *count + 1, sizeof **list);
    (*list)[*count] = xstrdup(text);
    return (*count)++;
}

static size_t time_number(struct view *v, sqlite3_stmt *q)
{
    const struct view_time t = {.assignment = (char *)store_text(q, 2),
                                .tier = (char *)store_text(q, 3),
                                .launch = (char *)store_text(q, 4),
                                .size = (char *)store_text(q, 5),
                                .processor = (char *)store_text(q, 6)};
    for (size_t i = 0; i < v->panel.whats; i++) {
        const struct view_time *x = &v->time[i];
        if (strcmp(x->assignment, t.assignment) == 0 && strcmp(x->tier, t.tier) == 0 &&
            strcmp(x->launch, t.launch) == 0 && strcmp(x->size, t.size) == 0 &&
            strcmp(x->processor, t.processor) == 0)
            return i;
    }
    v->time = xrealloc_array(v->time, v->panel.whats + 1, sizeof *v->time);
    v->time[v->panel.whats] =
        (struct view_time){xstrdup(t.assignment), xstrdup(t.tier), xstrdup(t.launch),
                           xstrdup(t.size), xstrdup(t.processor)};
    return v->panel.whats++;
}

/* In the order of days. */
static int read_lines(struct store *s, struct view *v, struct line_list *l, struct err *e)
{
    sqlite3_stmt *q = store_prepare(
        s, e,
        "SELECT substr(m.at, 1, 10) AS day, t.node, t.assignment, t.tier, t.launch, t.size,"
        " f.processor, m.seconds FROM measured m JOIN time t ON t.id = m.time"
        " JOIN facts f ON f.id = m.facts WHERE day > date((SELECT max(at) FROM measured),"
        " '-' || ? || ' days') ORDER BY day, m.time, m.run",
        "i", (int64_t)VIEW_DAYS_MOST);
    int rc = q ? 1 : -1;
    size_t capacity = 0;
    while (rc == 1 && (rc = store_step(s, q, e)) == 1) {
        if (l->count == capacity) {
            capacity = 2 * capacity + 64;
            l->item = xrealloc_array(l->item, capacity, sizeof *l->item);
        }
        l->item[l->count++] =
            (struct line){.day = number_of(&v->day, &v->panel.nights, store_text(q, 0)),
                          .node = number_of(&v->node, &v->panel.nodes, store_text(q, 1)),
                          .what = time_number(v, q),
                          .log_time = log(sqlite3_column_double(q, 7))};
    }
    sqlite3_finalize(q);
    return rc;
}

static int by_row_and_day(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->log_time > y->log_time) - (x->log_time < y->log_time);
}

/* Fill in the rows. The lines are sorted. */
static void make_rows(struct view *v, const struct line_list *l)
{
    const size_t nights = v->panel.nights;
    size_t rows = 0;
    for (size_t i = 0; i < l->count; i++)
        rows +=
            !i || l->item[i].node != l->item[i - 1].node || l->item[i].what != l->item[i - 1].what;
    v->row = xcalloc(rows + 1, sizeof *v->row);
    v->value = xcalloc(rows * nights + 1, sizeof *v->value);
    for (size_t i = 0; i < rows * nights; i++)
        v->value[i] = (double)NAN;
    size_t row = 0;
    for (size_t i = 0, end; i < l->count; i = end) {
        const struct line *x = &l->item[i];
        if (i && (x->node != x[-1].node || x->what != x[-1].what))
            row++;
        double sum[2] = {0, 0};
        for (end = i; end < l->count && l->item[end].node == x->node &&
                      l->item[end].what == x->what && l->item[end].day == x->day;)
            end++;
        /* The middle one, or the two in the middle. */
        sum[0] = l->item[i + (end - i - 1) / 2].log_time;
        sum[1] = l->item[i + (end - i) / 2].log_time;
        v->value[row * nights + x->day] = (sum[0] + sum[1]) / 2;
        v->row[row] = (struct panel_row){x->node, x->what, v->value + row * nights};
    }
    v->panel.row = v->row;
    v->panel.rows = rows;
}

int view_load(struct store *s, struct view *v, struct err *e)
{
    struct line_list l = {0};
    *v = (struct view){0};
    const int rc = read_lines(s, v, &l, e);
    if (rc == 0) {
        if (l.count)
            qsort(l.item, l.count, sizeof *l.item, by_row_and_day);
        make_rows(v, &l);
    } else {
        view_free(v);
    }
    free(l.item);
    return rc;
}

void view_free(struct view *v)
{
    texts_free(v->node, (unsigned)v->panel.nodes);
    texts_free(v->day, (unsigned)v->panel.nights);
    for (size_t i = 0; i < v->panel.whats; i++) {
        free(v->time[i].assignment);
        free(v->time[i].tier);
        free(v->time[i].launch);
        free(v->time[i].size);
        free(v->time[i].processor);
    }
    free(v->time);
    free(v->row);
    free(v->value);
    *v = (struct view){0};
}

int64_t view_day_number(const char *day)
{
    int64_t at = 0;
    struct err ignored = ERR_INIT; /* days of the history have this form */
    OWNED char *noon = xasprintf("%.10sT12:00:00Z", day);
    instant_parse(noon, &at, &ignored);
    return at / SECONDS_A_DAY;
}

char *view_time_name(const struct view *v, size_t what)
{
    const struct view_time *t = &v->time[what];
    const bool one = !*t->launch || strcmp(t->launch, "1 thread") == 0;
    return xasprintf("%s%s%s %s", t->tier, one ? "" : ", ", one ? "" : t->launch, t->size);
}

size_t view_days(const struct view *v, size_t row)
{
    size_t n = 0;
    for (size_t t = 0; t < v->panel.nights; t++)
        n += !isnan(v->panel.row[row].log_time[t]);
    return n;
}

/* --- what changed ----------------------------------------------------------------------------- */

/* The distinct values of one fact on a node: on the last day before `since` on which it was timed,
 * or on the first day from then on. Of several, all: "gcc 12, gcc 13". */
static int fact_text(struct store *s, const char *sql, const char *node, const char *since,
                     struct strbuf *out, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, e, sql, "ss", node, since);
    int rc = q ? 1 : -1;
    strbuf_clear(out);
    while (rc == 1 && (rc = store_step(s, q, e)) == 1)
        if (*store_text(q, 0))
            strbuf_addf(out, "%s%s", out->len ? ", " : "", store_text(q, 0));
    sqlite3_finalize(q);
    return rc;
}

static int add_fact(struct store *s, const char *column, const char *name, const char *node,
                    const char *since, struct strbuf *out, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
    /* A tier can be compiled by another compiler than the rest, and nodes are not all alike: what
     * is the same before and after cancels out. ?1 is the node, ?2 the day. */
    static const char *const form =
        "WITH x AS (SELECT m.at AS at, f.%s AS v, t.id AS id FROM measured m"
        " JOIN time t ON t.id = m.time JOIN facts f ON f.id = m.facts"
        " WHERE (?1 = '' OR t.node = ?1)),"
        " a AS (SELECT id, v, min(at) FROM x WHERE at >= ?2 GROUP BY id),"
        " b AS (SELECT id, v, max(at) FROM x WHERE at < ?2 GROUP BY id)"
        " SELECT DISTINCT %s.v FROM a JOIN b ON a.id = b.id"
        " WHERE a.v <> b.v AND a.v <> '' AND b.v <> '' ORDER BY 1";
    OWNED char *from = xasprintf(form, column, "b"), *to = xasprintf(form, column, "a");
    int rc = fact_text(s, from, node, since, &before, e);
    if (rc == 0)
        rc = fact_text(s, to, node, since, &after, e);
    if (rc == 0 && before.len && after.len)
        strbuf_addf(out, "%s%s: %s -> %s", out->len ? "\n" : "", name, before.s, after.s);
    return rc;
}

char *view_what_changed(struct store *s, const struct view *v, const char *node, size_t since,
                        struct err *e)
{
    static const struct {
        const char *column, *name;
    } facts[] = {{"kernel", "Linux kernel"}, {"driver", "GPU driver"},
                 {"microcode", "microcode"}, {"compiler", "compiler"},
                 {"processor", "processor"}, {"source", "source of the reference"}};
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (add_fact(s, facts[i].column, facts[i].name, node ? node : "", v->day[since], &out, e) !=
            0)
            return NULL;
    }
    return strbuf_detach(&out);
}
