/* The leaderboard: for each tier, who of those that asked for it is fastest at its largest size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/version.h"
#include "pages/leaderboard.h"
#include "report/cells.h"

struct entry {
    const char *name;
    bool reference;
    const struct speed *speed;
    unsigned rank; /* 0: none: the reference, or a time that is not confirmed */
};

/* Fastest first, and after all of them those that are not confirmed, which have no rank. Equal
 * speeds in the order of names, so that nothing depends on the plan. */
static int by_speed(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const double u = x->speed->speedup.value, v = y->speed->speedup.value;
    const bool rough = text_is_rough(x->speed->speedup), other = text_is_rough(y->speed->speedup);
    if (rough != other)
        return rough ? 1 : -1;
    return u != v ? (u < v ? 1 : -1) : strcmp(x->name, y->name);
}

/* The size with the most operations at which somebody has a time in the tier. */
static bool largest_size(const struct source *s, unsigned tier, struct shape *size)
{
    const struct kernel *k = s->run->assignment->tiers[tier].kernel;
    const struct speed *best = NULL;
    for (unsigned i = 0; i < s->board->speed_count; i++) {
        const struct speed *x = &s->board->speed[i];
        if (x->graded && s->run->plan->units[x->unit].tier == (int)tier &&
            (!best || kernel_work(k, x->shape) > kernel_work(k, best->shape)))
            best = x;
    }
    if (best)
        *size = best->shape;
    return best;
}

/* Only what passed, counts and is not flagged can be compared. */
static const struct speed *eligible(const struct source *s, int unit, struct shape size)
{
    const struct unit_result *u = find_result(s, unit);
    if (!find_passed(s, unit) || u->attested == ATTESTED_NO || s->board->unit[unit].not_gradable)
        return NULL;
    const struct speed *x = score_fastest(s->board, unit, size);
    return x && isfinite(x->speedup.value) ? x : NULL;
}

/* Entries share a rank with the first of it while their intervals overlap: nobody can say who of
 * them is faster. A speed that is not confirmed has no rank. */
static void rank(struct entry *e, size_t n)
{
    const struct entry *first = NULL;
    unsigned place = 0;
    for (size_t i = 0; i < n; i++) {
        if (e[i].reference || text_is_rough(e[i].speed->speedup))
            continue;
        place++;
        const bool shared = first && e[i].speed->speedup.high >= first->speed->speedup.low;
        e[i].rank = shared ? first->rank : place;
        first = shared ? first : &e[i];
    }
}

/* Sorted entries of a tier; the caller frees them. */
static size_t entries_of(const struct source *s, const struct leaderboard *l, unsigned tier,
                         struct shape size, struct entry **out)
{
    const struct plan *p = s->run->plan;
    struct entry *e = xcalloc(p->submissions_count + 1, sizeof *e);
    size_t n = 0;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const bool reference = p->submissions[i].is_reference;
        const int unit = plan_unit_of(s->run->plan, (int)i, (int)tier);
        const struct speed *x = reference || l->pseudonym[i] ? eligible(s, unit, size) : NULL;
        if (x)
            e[n++] = (struct entry){reference ? "the reference" : l->pseudonym[i], reference, x, 0};
    }
    qsort(e, n, sizeof *e, by_speed);
    rank(e, n);
    *out = e;
    return n;
}

enum {
    COLUMN_TIER,
    COLUMN_SIZE,
    COLUMN_RANK,
    COLUMN_PSEUDONYM,
    COLUMN_SPEEDUP,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMN_GOPS,
    COLUMN_COUNT
};

static void write_row(struct csv_out *csv, const char *tier, const char *size,
                      const struct entry *e)
{
    csv_out_str(csv, COLUMN_TIER, tier);
    csv_out_str(csv, COLUMN_SIZE, size);
    if (e->rank)
        csv_out_int(csv, COLUMN_RANK, e->rank);
    else
        csv_out_str(csv, COLUMN_RANK, "");
    csv_out_str(csv, COLUMN_PSEUDONYM, e->reference ? "reference" : e->name);
    csv_out_num(csv, COLUMN_SPEEDUP, e->speed->speedup.value, 4);
    csv_out_num(csv, COLUMN_LOW, e->speed->speedup.low, 4);
    csv_out_num(csv, COLUMN_HIGH, e->speed->speedup.high, 4);
    csv_out_num(csv, COLUMN_GOPS, e->speed->gops, 4);
    csv_out_end_row(csv);
}

static void add_entry(const struct tier *t, const struct entry *e, struct term_table *table)
{
    cell_text(table, e->name);
    term_table_cell(table, TERM_PLAIN, e->rank ? "%u" : "-", e->rank);
    cell_interval(table, TERM_PLAIN, e->speed->speedup);
    cell_measured(table, e->speed->gops, e->speed->seconds);
    cell_launch(table, t, e->speed->launch);
}

static void show_tier(const struct source *s, const struct leaderboard *l, unsigned tier,
                      struct html_page *page, struct csv_out *csv)
{
    static const struct term_column columns[] = {{"pseudonym", TERM_LEFT},
                                                 {"rank", TERM_RIGHT},
                                                 {"speed-up", TERM_RIGHT},
                                                 {"GOP/s", TERM_RIGHT},
                                                 {"launch", TERM_LEFT}};
    const struct tier *t = &s->run->assignment->tiers[tier];
    struct shape size;
    OWNED struct entry *e = NULL;
    const size_t n = largest_size(s, tier, &size) ? entries_of(s, l, tier, size, &e) : 0;
    if (n > 0 && !(n == 1 && e[0].reference)) {
        char text[SHAPE_TEXT];
        shape_format(size, text);
        OWNED char *caption = xasprintf("%s at size %s, fastest launch", t->title, text);
        struct term_table *table = term_table_new(caption);
        term_table_columns(table, columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < n; i++) {
            add_entry(t, &e[i], table);
            write_row(csv, t->name, text, &e[i]);
        }
        html_section(page, t->name, t->title);
        html_table(page, NULL, table);
        html_section_end(page);
    }
}

static int write_text(const char *dir, const char *name, const char *text, struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", dir, name);
    return fs_write_atomic(path, text, strlen(text), e);
}

int leaderboard_write(const struct source *s, const struct leaderboard *l, const char *dir,
                      struct err *e)
{
    static const char *const columns[COLUMN_COUNT] = {"tier",    "size",   "rank",    "pseudonym",
                                                      "speedup", "ci_low", "ci_high", "gops"};
    const struct assignment *a = s->run->assignment;
    struct html_page page = HTML_PAGE_INIT;
    struct csv_out *csv = csv_out_new();
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        csv_out_column(csv, columns[i]);
    for (unsigned t = 0; t < a->tiers_count; t++)
        show_tier(s, l, t, &page, csv);
    if (!page.body.len)
        html_paragraph(&page, "Nobody who asked for it has a tier that passed and was timed.");
    OWNED char *path = xasprintf("%s/leaderboard.csv", dir),
               *footer =
                   xasprintf("Only those who asked for it are listed. Entries share a rank where "
                             "their 95 %% intervals overlap. Speed-ups are over the reference's "
                             "%s. A number with ~ is not confirmed: it has no rank and comes last. "
                             "Paragrade %s.",
                             a->baseline, PARAGRADE_VERSION),
               *html = html_page_finish(&page, "Leaderboard", a->title, footer);
    int rc = csv_out_close(csv, path, e);
    if (rc == 0)
        rc = write_text(dir, "leaderboard.html", html, e);
    return rc;
}
