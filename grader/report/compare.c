#include "report/compare.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "report/interval_json.h"
#include "report/score.h"
#include "report/text.h"
#include "rundir/measured_json.h"

/* --- rows ------------------------------------------------------------------------------------- */

static const char *tier_of(const struct run *r, unsigned unit)
{
    return r->assignment->tiers[r->plan->units[unit].tier].name;
}

/* The unit of the same submission and tier in another run, or -1. */
static int same_unit(const struct run *r, const struct run *first, unsigned unit)
{
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (strcmp(text_submission(r, i), text_submission(first, unit)) == 0 &&
            strcmp(tier_of(r, i), tier_of(first, unit)) == 0)
            return (int)i;
    return -1;
}

static const struct case_result *same_case(const struct compare_side *s,
                                           const struct unit_result *u, struct shape shape,
                                           struct launch launch)
{
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (score_timed(c) && (size_t)c->case_index < s->run->cases.count &&
            shape_equal(s->run->cases.item[c->case_index].shape, shape) &&
            launch_equal(c->launch, launch))
            return c;
    }
    return NULL;
}

size_t compare_rows(const struct compare_side side[2], struct compare_row **rows)
{
    const struct run *first = side[0].run;
    size_t n = 0;
    *rows = NULL;
    for (unsigned i = 0; i < first->plan->units_count; i++) {
        const struct unit_result *u[2] = {side[0].results->unit[i], NULL};
        const int other = same_unit(side[1].run, first, i);
        if (!u[0] || other < 0 || !(u[1] = side[1].results->unit[other]))
            continue;
        for (unsigned k = 0; k < u[0]->cases_count; k++) {
            const struct case_result *c[2] = {&u[0]->cases[k], NULL};
            if (!score_timed(c[0]) || (size_t)c[0]->case_index >= first->cases.count)
                continue;
            c[1] =
                same_case(&side[1], u[1], first->cases.item[c[0]->case_index].shape, c[0]->launch);
            if (!c[1])
                continue;
            *rows = xrealloc_array(*rows, n + 1, sizeof **rows);
            (*rows)[n++] = (struct compare_row){
                .unit = {i, (unsigned)other},
                .at = {c[0], c[1]},
                .faster = stats_over(c[0]->estimate.seconds, c[1]->estimate.seconds),
                .beside = score_over((struct case_of){u[1], c[1]}, (struct case_of){u[0], c[0]})};
        }
    }
    return n;
}

/* --- what is different ------------------------------------------------------------------------ */

static void add_once(struct strbuf *list, const char *text)
{
    OWNED char *in = xasprintf("; %s; ", list->s), *wanted = xasprintf("; %s; ", text);
    if (*text && !strstr(in, wanted))
        strbuf_addf(list, "%s%s", list->len ? "; " : "", text);
}

enum fact {
    FACT_NODE,
    FACT_PROCESSOR,
    FACT_KERNEL,
    FACT_MICROCODE,
    FACT_DRIVER,
    FACT_COMPILER,
    FACT_COUNT
};

static const char *fact_of(const struct compare_side *s, unsigned unit, enum fact f)
{
    const struct unit_result *u = s->results->unit[unit];
    const struct node_record *n = results_node(s->results, u);
    switch (f) {
    case FACT_NODE:
        return u->host;
    case FACT_COMPILER:
        return u->compiler;
    case FACT_PROCESSOR:
        return n ? n->model : "";
    case FACT_KERNEL:
        return n ? n->kernel : "";
    case FACT_MICROCODE:
        return n ? n->microcode : "";
    default:
        return n ? n->driver : "";
    }
}

/* In the JSON document, and for people. */
static const struct {
    const char *key, *name;
} facts[FACT_COUNT] = {{"node", "node"},           {"processor", "processor"},
                       {"kernel", "Linux kernel"}, {"microcode", "microcode"},
                       {"driver", "GPU driver"},   {"compiler", "compiler"}};

/* What a fact is in all rows of each side. Is it different? The caller frees both lists. */
static bool fact_differs(const struct compare_side side[2], const struct compare_row *rows,
                         size_t count, enum fact f, struct strbuf list[2])
{
    list[0] = list[1] = (struct strbuf)STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < 2; s++)
            add_once(&list[s], fact_of(&side[s], rows[i].unit[s], f));
    return strcmp(list[0].s, list[1].s) != 0;
}

static void print_facts(const struct compare_side side[2], const struct compare_row *rows,
                        size_t count, FILE *f)
{
    struct term_table *t = term_table_new("\nWhat is different");
    static const struct term_column columns[] = {
        {"", TERM_LEFT}, {"first", TERM_LEFT}, {"second", TERM_LEFT}};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    size_t different = 0;
    for (int k = 0; k < FACT_COUNT; k++) {
        struct strbuf list[2];
        if (fact_differs(side, rows, count, (enum fact)k, list)) {
            term_table_cell(t, TERM_PLAIN, "%s", facts[k].name);
            for (int s = 0; s < 2; s++)
                term_table_cell(t, TERM_PLAIN, "%s", list[s].len ? list[s].s : "unknown");
            term_table_end_row(t);
            different++;
        }
        strbuf_free(&list[0]);
        strbuf_free(&list[1]);
    }
    if (different)
        term_table_print(t, f);
    else
        term_table_discard(t);
}

/* --- the table -------------------------------------------------------------------------------- */

static void cell(struct term_table *t, struct interval i)
{
    char text[TEXT_MOST];
    text_interval(i, text);
    const enum term_style style = !i.n         ? TERM_DIM
                                  : i.low > 1  ? TERM_GREEN
                                  : i.high < 1 ? TERM_RED
                                               : TERM_PLAIN;
    term_table_cell(t, style, "%s", i.n ? text : "-");
}

static const char *second_is(const struct compare_row *x)
{
    return x->faster.low > 1 ? "faster" : x->faster.high < 1 ? "slower" : "same";
}

static void print_row(const struct compare_side side[2], const struct compare_row *x,
                      bool submission, struct term_table *t)
{
    const struct run *r = side[0].run;
    char text[TEXT_MOST], size[SHAPE_TEXT];
    if (submission)
        term_table_cell(t, TERM_PLAIN, "%s", text_submission(r, x->unit[0]));
    term_table_cell(t, TERM_PLAIN, "%s", tier_of(r, x->unit[0]));
    text_launch(&r->assignment->tiers[r->plan->units[x->unit[0]].tier], x->at[0]->launch, text);
    term_table_cell(t, TERM_PLAIN, "%s", text);
    shape_format(r->cases.item[x->at[0]->case_index].shape, size);
    term_table_cell(t, TERM_PLAIN, "%s", size);
    for (int s = 0; s < 2; s++) {
        text_measured_seconds(x->at[s]->estimate.seconds.value, x->at[s]->estimate.seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
    }
    cell(t, x->faster);
    cell(t, x->beside);
    term_table_cell(t, TERM_PLAIN, "%s", second_is(x));
    term_table_end_row(t);
}

/* Do all rows have the same submission? Then the title names it. */
static bool is_one(const struct compare_side side[2], const struct compare_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (side[0].run->plan->units[rows[i].unit[0]].submission !=
            side[0].run->plan->units[rows[0].unit[0]].submission)
            return false;
    return true;
}

void compare_print(const struct compare_side side[2], const struct compare_row *rows, size_t count,
                   FILE *f)
{
    const bool one = is_one(side, rows, count);
    print_facts(side, rows, count, f);
    OWNED char *title = xasprintf("\n%s%show many times as fast the second run is",
                                  one && count ? text_submission(side[0].run, rows[0].unit[0]) : "",
                                  one && count ? ": " : "");
    struct term_table *t = term_table_new(title);
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},          {"launch", TERM_LEFT},   {"size", TERM_RIGHT},
        {"first", TERM_RIGHT},        {"second", TERM_RIGHT},  {"by time", TERM_RIGHT},
        {"by yardstick", TERM_RIGHT}, {"second is", TERM_LEFT}};
    if (!one)
        term_table_column(t, "submission", TERM_LEFT);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    term_table_keys(t, one ? 3 : 4);
    for (size_t i = 0; i < count; i++)
        print_row(side, &rows[i], !one, t);
    term_table_print(t, f);
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *row_json(const struct compare_side side[2], const struct compare_row *x)
{
    const struct run *r = side[0].run;
    char size[SHAPE_TEXT];
    shape_format(r->cases.item[x->at[0]->case_index].shape, size);
    json_t *o =
        json_pack("{s:o, s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:s}", "submission",
                  json_printable(text_submission(r, x->unit[0])), "tier", tier_of(r, x->unit[0]),
                  "ranks", x->at[0]->launch.ranks, "threads", x->at[0]->launch.threads, "size",
                  size, "first_seconds", interval_json(x->at[0]->estimate.seconds),
                  "second_seconds", interval_json(x->at[1]->estimate.seconds), "by_time",
                  interval_json(x->faster), "by_yardstick",
                  x->beside.n ? interval_json(x->beside) : json_null(), "second_is", second_is(x));
    launch_to_json(o, "nodes", "gpus", x->at[0]->launch);
    return o;
}

int compare_print_json(const struct compare_side side[2], const struct compare_row *rows,
                       size_t count, FILE *f, struct err *e)
{
    json_t *different = json_object(), *times = json_array();
    for (int k = 0; k < FACT_COUNT; k++) {
        struct strbuf list[2];
        if (fact_differs(side, rows, count, (enum fact)k, list))
            json_object_set_new(
                different, facts[k].key,
                json_pack("[o, o]", json_printable(list[0].s), json_printable(list[1].s)));
        strbuf_free(&list[0]);
        strbuf_free(&list[1]);
    }
    for (size_t i = 0; i < count; i++)
        json_array_append_new(times, row_json(side, &rows[i]));
    return json_print(f,
                      json_pack("{s:o, s:o, s:o, s:o}", "first", json_printable(side[0].run->dir),
                                "second", json_printable(side[1].run->dir), "different", different,
                                "times", times),
                      e);
}
