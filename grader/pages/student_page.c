#include "pages/student_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "pages/advice.h"
#include "pages/scripts.h"
#include "pages/student_sections.h"
#include "pages/versus_section.h"
#include "report/adjust.h"
#include "report/cells.h"
#include "report/feedback.h"
#include "report/receipt.h"
#include "report/roofline.h"

void student_page_draw(const struct source *s, unsigned submission, struct pictures *p,
                       struct student_pictures *out)
{
    struct strbuf *sb = &p->script;
    out->ladder = pictures_added(p, script_ladder(s, submission, sb));
    out->scaling = pictures_added(p, script_scaling(s, submission, sb));
    out->roofline =
        pictures_added(p, roofline_page_script(s->run, s->results, s->board, (int)submission, sb));
}

/* --- the matrix of verdicts ------------------------------------------------------------------- */

enum group { GROUP_EDGES, GROUP_RANDOM, GROUP_MANY_THREADS, GROUP_SIZES, GROUP_COUNT };

static enum group group_of(const struct run *r, const struct case_result *c)
{
    const enum case_kind kind = r->cases.item[c->case_index].kind;
    return c->launch_index < 0   ? GROUP_MANY_THREADS
           : kind == CASE_EDGE   ? GROUP_EDGES
           : kind == CASE_RANDOM ? GROUP_RANDOM
                                 : GROUP_SIZES;
}

static void add_groups(const struct source *s, const struct unit_result *u, struct term_table *t)
{
    unsigned passed[GROUP_COUNT] = {0}, total[GROUP_COUNT] = {0};
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index >= (int)s->run->cases.count)
            continue;
        total[group_of(s->run, c)]++;
        passed[group_of(s->run, c)] += c->verdict == VERDICT_PASS;
    }
    for (int g = 0; g < GROUP_COUNT; g++) {
        if (!total[g]) {
            cell_text(t, "none");
            continue;
        }
        term_table_cell(t, passed[g] == total[g] ? TERM_GREEN : TERM_RED, "%u of %u", passed[g],
                        total[g]);
        term_table_mark(t);
    }
}

static void show_matrix(const struct source *s, unsigned submission, struct html_page *page)
{
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},       {"verdict", TERM_LEFT},      {"points", TERM_LEFT},
        {"edge cases", TERM_LEFT}, {"random cases", TERM_LEFT}, {"many threads", TERM_LEFT},
        {"timed sizes", TERM_LEFT}};
    const struct run *r = s->run;
    struct term_table *table =
        term_table_new("Verdict of each tier, and how many cases passed of those that ran");
    term_table_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const int unit = plan_unit_of(s->run->plan, (int)submission, (int)t);
        if (unit < 0)
            continue;
        const struct unit_result *u = find_result(s, unit);
        OWNED char *link = xasprintf("#tier-%s-title", r->assignment->tiers[t].name),
                   *points =
                       u ? feedback_points(&s->board->unit[unit], &r->plan->only) : xstrdup("");
        cell_text(table, r->assignment->tiers[t].title);
        term_table_link(table, link);
        cell_verdict(table, u);
        if (u && s->board->unit[unit].counted)
            points[strcspn(points, "p")] = '\0'; /* the heading says "points" */
        cell_text(table, points);
        add_groups(s, u, table);
    }
    html_table(page, NULL, table);
}

/* A late submission, and what a person decided. */
static void show_adjustments(const struct source *s, unsigned submission, struct html_page *page)
{
    char **text;
    const unsigned n = feedback_adjustments(s->run, s->board, submission, &text);
    for (unsigned i = 0; i < n; i++)
        html_paragraph(page, "%s", text[i]);
    texts_free(text, n);
}

static void show_overview(const struct source *s, unsigned submission, struct html_page *page)
{
    const struct run *r = s->run;
    const char *receipt = receipt_of(s->receipts, submission);
    html_section(page, "verdicts", "Verdicts and points");
    OWNED char *part = subset_text(&r->plan->only),
               *total = feedback_total(r, s->results, s->board, submission, 0);
    if (*part)
        html_paragraph(page, "This is a partial check (%s), without points.", part);
    html_total(page, "%s", total);
    show_adjustments(s, submission, page);
    show_matrix(s, submission, page);
    html_paragraph(page, "Edge cases have small and unusual sizes. Cases with many threads make "
                         "races show. A tier that fails earns no points for speed.");
    if (receipt[0])
        html_labelled(page, "Receipt:", receipt);
    html_section_end(page);
}

/* --- what to try next ------------------------------------------------------------------------- */

struct step {
    int unit;
    double gain; /* points that are open */
};

static int by_gain(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->gain != y->gain ? (x->gain < y->gain ? 1 : -1) : x->unit - y->unit;
}

static const char *title_of(const struct source *s, const struct step *x)
{
    return s->run->assignment->tiers[s->run->plan->units[x->unit].tier].title;
}

/* What an earlier step says already is not said again. */
static char *step_advice(const struct source *s, const struct step *step, size_t i,
                         struct said *said)
{
    const struct unit_result *u = find_result(s, step[i].unit);
    if (u->verdict == VERDICT_PASS) {
        char *advice = advice_passed(s, step[i].unit),
             *news = said_new(said, title_of(s, &step[i]), advice);
        free(advice);
        return news;
    }
    for (size_t k = 0; k < i; k++) {
        const struct unit_result *other = find_result(s, step[k].unit);
        if (other->verdict != VERDICT_PASS && strcmp(advice_failed(other), advice_failed(u)) == 0)
            return xasprintf("As in %s.", title_of(s, &step[k]));
    }
    return xstrdup(advice_failed(u));
}

static void show_step(const struct source *s, const struct step *step, size_t i, struct said *said,
                      struct html_page *page)
{
    const struct step *x = &step[i];
    OWNED char *advice = step_advice(s, step, i, said);
    strbuf_adds(&page->body, "<li><strong>");
    html_addf(&page->body, "%s: %s.", title_of(s, x),
              verdict_name(find_result(s, x->unit)->verdict));
    strbuf_adds(&page->body, "</strong> ");
    if (x->gain >= 0.05)
        html_addf(&page->body, "%.1f points are open. ", x->gain);
    html_add(&page->body, advice);
    strbuf_adds(&page->body, "</li>\n");
}

static void show_steps(const struct source *s, unsigned submission, struct said *said,
                       struct html_page *page)
{
    const struct unit_range mine = plan_units_of(s->run->plan, (int)submission);
    OWNED struct step *step = xcalloc(mine.end - mine.first + 1, sizeof *step);
    size_t n = 0, passed = 0;
    for (unsigned i = mine.first; i < mine.end; i++) {
        const struct unit_result *u = s->results->unit[i];
        passed += u && u->verdict == VERDICT_PASS;
        const double gain = adjust_open(s->run, i, s->board);
        if (u && u->verdict != VERDICT_SKIPPED &&
            (gain >= 0.05 || (u->verdict != VERDICT_PASS && u->verdict != VERDICT_MISSING)))
            step[n++] = (struct step){(int)i, gain};
    }
    html_section(page, "next", "What to try next");
    if (n) {
        qsort(step, n, sizeof *step, by_gain);
        strbuf_adds(&page->body, "<ol>\n");
        for (size_t i = 0; i < n; i++)
            show_step(s, step, i, said, page);
        strbuf_adds(&page->body, "</ol>\n");
    } else {
        html_paragraph(page, "%s, and no points are open.",
                       passed == mine.end - mine.first ? "Every tier passed" : "No tier failed");
    }
    html_section_end(page);
}

static void show_tiers(const struct source *s, unsigned submission, struct said *said,
                       struct html_page *page)
{
    html_section(page, "tiers", "Each tier");
    html_paragraph(page,
                   "Of peak: GOP/s as a share of the multiply-add rate that was measured on "
                   "the node. Of reference: speed over that of the reference in the same "
                   "tier. A number with ~ is not confirmed: another grading may give another one.");
    for (unsigned t = 0; t < s->run->assignment->tiers_count; t++) {
        const int unit = plan_unit_of(s->run->plan, (int)submission, (int)t);
        if (unit >= 0)
            student_tier(s, unit, said, page);
    }
    html_section_end(page);
}

char *student_page(const struct source *s, unsigned submission, const struct student_pictures *n,
                   const struct standing *class)
{
    const struct plan *p = s->run->plan;
    const struct submission *by = &p->submissions[submission];
    struct html_page page = HTML_PAGE_INIT;
    struct said said = {0};
    show_overview(s, submission, &page);
    show_steps(s, submission, &said, &page);
    show_tiers(s, submission, &said, &page);
    said_free(&said);
    student_ladder(s, submission, n->ladder, &page);
    show_versus(s, (int)submission, &page);
    student_scaling(s, submission, n->scaling, &page);
    student_roofline(s, submission, n->roofline, &page);
    student_class(s, submission, class, &page);
    OWNED char *title = xasprintf("Feedback for %s", by->name),
               *subtitle = xasprintf("%s%s%s%s", s->run->assignment->title,
                                     p->profile[0] ? ", profile " : "", p->profile,
                                     p->submissions[submission].is_reference ? " (reference)" : ""),
               *footer = xasprintf("Run %s, %s. Paragrade %s.", text_run_name(s->run), p->created,
                                   PARAGRADE_VERSION);
    return html_page_finish(&page, title, subtitle, footer);
}
