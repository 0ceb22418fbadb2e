#include "pages/class_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/version.h"
#include "pages/scripts.h"
#include "pages/verdict_cell.h"
#include "pages/versus_table.h"
#include "report/receipt.h"
#include "report/roofline.h"
#include "report/text.h"

void class_page_draw(const struct source *s, struct pictures *p, struct class_pictures *out)
{
    struct strbuf *sb = &p->script;
    out->ladder = pictures_added(p, script_class_ladder(s, sb));
    out->roofline = pictures_added(p, roofline_page_script(s->run, s->results, s->board, -1, sb));
}

/* An id has percent signs, which a link has to write as %25. */
static char *link_of(const char *id)
{
    char *file = xasprintf("%s/feedback.html", id), *link = xreplace(file, "%", "%25");
    free(file);
    return link;
}

/* in_run: by tier, whether the run has it. */
static void show_submission(const struct source *s, unsigned i, bool named, const bool *in_run,
                            struct html_page *page)
{
    const struct submission *by = &s->run->plan->submissions[i];
    const struct submission_score *x = &s->board->submission[i];
    char *link = link_of(by->id), text[TEXT_MOST];
    if (by->is_reference)
        html_row(page, by->id);
    else
        html_row_link(page, by->id, link);
    if (named)
        html_cell(page, "%s", by->name);
    text_points(x->points, x->max_points, text);
    html_number(page, by->is_reference ? "-" : text);
    text_points_most(x->max_points, text);
    html_number(page, by->is_reference ? "-" : text);
    for (unsigned t = 0; t < s->run->assignment->tiers_count; t++) {
        const int unit = plan_unit_of(s->run->plan, (int)i, (int)t);
        if (unit >= 0)
            verdict_cell(find_result(s, unit), page);
        else if (in_run[t])
            html_cell(page, "-");
    }

    html_row_end(page);
    free(link);
}

/* Has any student another name than an id? */
static bool any_name(const struct plan *p)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (strcmp(p->submissions[i].id, p->submissions[i].name) != 0)
            return true;
    return false;
}

static void show_matrix(const struct source *s, struct html_page *page)
{
    const struct assignment *a = s->run->assignment;
    struct html_column *column = xcalloc(a->tiers_count + 4, sizeof *column);
    bool *in_run = xcalloc(a->tiers_count + 1, sizeof *in_run);
    const bool named = any_name(s->run->plan);
    size_t n = 0;
    column[n++].title = "submission";
    if (named)
        column[n++].title = "name";
    column[n++] = (struct html_column){"points", true};
    column[n++] = (struct html_column){"of", true};
    for (unsigned t = 0; t < a->tiers_count; t++) {
        in_run[t] = plan_has_tier(s->run->plan, (int)t);
        if (in_run[t])
            column[n++].title = a->tiers[t].name;
    }

    html_section(page, "verdicts", "Verdicts and points");
    const unsigned left = results_left(s->results);
    if (left)
        html_paragraph(page, "The run is not finished: %u of %u %s no result yet, and no points.",
                       left, s->run->plan->units_count, plural(left, "unit has", "units have"));
    html_table(page, "Each submission: its verdict in each tier, and its points", column, n);
    for (unsigned i = 0; i < s->run->plan->submissions_count; i++)
        show_submission(s, i, named, in_run, page);
    html_table_end(page);
    html_section_end(page);
    free(in_run);
    free(column);
}

static void show_standing(const struct source *s, const struct standing *class,
                          struct html_page *page)
{
    static const struct html_column bands[] = {{"share of the points", false},
                                               {"submissions", true}},
                                    tiers[] = {
                                        {"tier", false}, {"handed in", true}, {"passed", true}};
    char text[TEXT_MOST];
    html_section(page, "class", "The class");
    html_table(page, "Points", bands, 2);
    for (unsigned i = 0; i < STANDING_BANDS; i++) {
        snprintf(text, sizeof text, "%u to %u %%", i * 100 / STANDING_BANDS,
                 (i + 1) * 100 / STANDING_BANDS);
        html_row(page, text);
        snprintf(text, sizeof text, "%u", class->band[i]);
        html_number(page, text);
        html_row_end(page);
    }
    html_table_end(page);
    html_table(page, "Tiers", tiers, 3);
    for (unsigned i = 0; i < class->tiers; i++) {
        html_row(page, s->run->assignment->tiers[class->tier[i].tier].title);
        snprintf(text, sizeof text, "%u", class->tier[i].handed_in);
        html_number(page, text);
        snprintf(text, sizeof text, "%u", class->tier[i].passed);
        html_number(page, text);
        html_row_end(page);
    }
    html_table_end(page);
    html_section_end(page);
}

/* Every time of the ladder's size: the numbers of its picture. */
static void show_ladder(const struct source *s, int picture, struct html_page *page)
{
    static const struct html_column columns[] = {
        {"submission", false}, {"tier", false}, {"launch", false}, {"speed-up", true},
        {"efficiency", true},  {"GOP/s", true}, {"of peak", true}};
    const struct run *r = s->run;
    struct shape size;
    char text[TEXT_MOST], size_text[SHAPE_TEXT];
    html_section(page, "ladder", "Speed-ups");
    if (!find_ladder_size(s, -1, &size)) {
        html_paragraph(page, "Nothing that passed has a time yet.");
        html_section_end(page);
        return;
    }
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "ladder-picture",
                     "Speed-ups of the class in each tier, on a logarithmic scale",
                     "A point is a submission that passed. A ring is the reference in the same "
                     "tier. The dashed line is the speed of the reference's baseline."});
    shape_format(size, size_text);
    char *caption = xasprintf("Speed-up over the reference's %s at size %s, fastest launch",
                              r->assignment->baseline, size_text);
    html_table(page, caption, columns, sizeof columns / sizeof columns[0]);
    free(caption);
    for (unsigned u = 0; u < r->plan->units_count; u++) {
        const struct speed *x =
            find_passed(s, (int)u) ? score_fastest(s->board, (int)u, size) : NULL;
        if (!x)
            continue;
        const struct tier *t = &r->assignment->tiers[r->plan->units[u].tier];
        html_row(page, text_submission(r, u));
        html_cell(page, "%s", t->title);
        text_launch(t, x->launch, text);
        html_cell(page, "%s", text);
        text_interval(x->speedup, text);
        html_number(page, text);
        text_measured_share(x->efficiency.value, x->efficiency, text);
        html_number(page, text);
        text_measured(x->gops, x->seconds, text);
        html_number(page, text);
        text_measured_share(x->peak_share, x->seconds, text);
        html_number(page, text);
        html_row_end(page);
    }
    html_table_end(page);
    html_section_end(page);
}

static void show_roofline(const struct source *s, int picture, struct html_page *page)
{
    static const struct html_column columns[] = {{"node", false},
                                                 {"processor", false},
                                                 {"cores", true},
                                                 {"peak GOP/s", true},
                                                 {"copy GB/s", true}};
    html_section(page, "roofline", "Roofline and nodes");
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "roofline-picture", "Speeds of the class below the roofs of the node",
                     "A point is a submission in one tier at one size, fastest launch. The slopes "
                     "are memory bandwidths, the levels are rates of arithmetic. The file "
                     "roofline.csv of the run has the numbers."});
    html_table(page, "Nodes", columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < s->results->node_count; i++) {
        const struct node_record *n = s->results->node[i];
        char text[TEXT_MOST];
        html_row(page, n->host);
        html_cell(page, "%s", n->model);
        snprintf(text, sizeof text, "%d", n->cores);
        html_number(page, text);
        snprintf(text, sizeof text, n->device ? "%.0f in all" : "%.1f a core", n->peak_gops);
        html_number(page, text);
        snprintf(text, sizeof text, "%.1f", n->bandwidth_gbs);
        html_number(page, text);
        html_row_end(page);
    }
    html_table_end(page);
    html_section_end(page);
}

static bool is_failure(const struct unit_result *u)
{
    return u && u->verdict != VERDICT_PASS && u->verdict != VERDICT_MISSING &&
           u->verdict != VERDICT_SKIPPED;
}

static bool is_flagged(const struct unit_result *u)
{
    return u && u->attested == ATTESTED_NO;
}

/* A table of the units that `is` picks, if there are any. */
static void show_units(const struct source *s, const char *caption,
                       bool (*is)(const struct unit_result *), bool evidence,
                       struct html_page *page)
{
    static const struct html_column columns[] = {
        {"unit", false}, {"verdict", false}, {"message", false}};
    bool any = false;
    for (unsigned i = 0; i < s->run->plan->units_count; i++) {
        const struct unit_result *u = s->results->unit[i];
        if (!is(u))
            continue;
        if (!any)
            html_table(page, caption, columns, 3);
        any = true;
        html_row(page, s->run->plan->units[i].id);
        verdict_cell(u, page);
        html_text_cell(page, evidence ? u->evidence : u->message);
        html_row_end(page);
    }
    if (any)
        html_table_end(page);
    else
        html_paragraph(page, "%s: none.", caption);
}

static void show_not_gradable(const struct source *s, struct html_page *page)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++)
        if (s->board->unit[i].not_gradable)
            html_paragraph(page, "%s is not gradable: %s. It does not count.",
                           s->run->plan->units[i].id, s->board->unit[i].not_gradable);
}

char *class_page(const struct source *s, const struct class_pictures *n,
                 const struct standing *class)
{
    const struct run *r = s->run;
    struct html_page page = HTML_PAGE_INIT;
    show_matrix(s, &page);
    show_standing(s, class, &page);
    html_section(&page, "failures", "What failed");
    show_units(s, "Failures", is_failure, false, &page);
    show_units(s, "Flagged for you to check; the points stay as they are", is_flagged, true, &page);
    show_not_gradable(s, &page);
    html_section_end(&page);
    show_ladder(s, n->ladder, &page);
    versus_table(s, -1, &page);
    show_roofline(s, n->roofline, &page);
    char digest[DIGEST_HEX] = "unknown";
    (void)receipt_run_digest(r->dir, digest, NULL);
    char *subtitle =
             xasprintf("Run %s%s%s. For the instructor: it has the names and points of "
                       "everybody.",
                       text_run_name(r), r->plan->profile[0] ? ", profile " : "", r->plan->profile),
         *footer = xasprintf("Run of %s. Digest: %s. Paragrade %s.", r->plan->created, digest,
                             PARAGRADE_VERSION),
         *html = html_page_finish(&page, r->assignment->title, subtitle, footer);
    free(subtitle);
    free(footer);
    return html;
}
