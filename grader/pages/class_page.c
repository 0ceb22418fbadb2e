#include "pages/class_page.h"

#include "base/plural.h"
#include "base/version.h"
#include "pages/scripts.h"
#include "pages/versus_section.h"
#include "report/class_summary.h"
#include "report/class_tables.h"
#include "report/receipt.h"
#include "report/roofline.h"
#include "report/text.h"
#include "report/weak_rows.h"

void class_page_draw(const struct source *s, struct pictures *p, struct class_pictures *out)
{
    struct strbuf *sb = &p->script;
    out->ladder = pictures_added(p, script_class_ladder(s, sb));
    out->roofline = pictures_added(p, roofline_page_script(s->run, s->results, s->board, -1, sb));
}

/* Where the class stands, and what to look at. */
static void show_standing(const struct source *s, const struct standing *class, size_t similar,
                          struct html_page *page)
{
    const unsigned left = results_left(s->results);
    html_section(page, "class", "The class");
    if (left)
        html_paragraph(page, "The run is not finished: %u of %u %s no result yet, and no points.",
                       left, s->run->plan->units_count, plural(left, "unit has", "units have"));
    html_table_or(page, NULL, class_points(s->run, s->board), NULL);
    html_table(page, "Distribution of the points", standing_bands(class, -1));
    html_table_or(page, NULL, class_tiers(s->run, s->results), NULL);
    html_table_or(page, NULL, class_attention(s->run, s->results, s->board, similar), NULL);
    html_section_end(page);
}

static void show_matrix(const struct source *s, const struct similar_list *similar,
                        struct html_page *page)
{
    html_section(page, "verdicts", "Verdicts and points");
    html_table(page, "Each submission: its verdict in each tier, and its points",
               class_verdicts(s->run, s->results, s->board, similar));
    html_section_end(page);
}

static void show_ladder(const struct source *s, int picture, struct html_page *page)
{
    html_section(page, "ladder", "Speed-ups");
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "ladder-picture",
                     "Speed-ups of the class in each tier, on a logarithmic scale",
                     "A point is a submission that passed. A ring is the reference in the same "
                     "tier. The dashed line is the speed of the reference's baseline."});
    html_table_or(page, NULL, class_speedups(s->run, s->results, s->board),
                  "Nothing that passed has a time yet.");
    html_table_or(page, NULL, class_efficiencies(s->run, s->board), NULL);
    html_table_or(page, NULL, weak_table(s->run, s->results, -1), NULL);
    html_section_end(page);
}

static void show_roofline(const struct source *s, int picture, struct html_page *page)
{
    html_section(page, "roofline", "Roofline and nodes");
    picture_show(page, s->pictures, picture,
                 &(struct picture_text){
                     "roofline-picture", "Speeds of the class below the roofs of the node",
                     "A point is a submission in one tier at one size, fastest launch. The slopes "
                     "are memory bandwidths, the levels are rates of arithmetic. The file "
                     "roofline.csv of the run has the numbers."});
    html_table_or(page, NULL, class_nodes(s->results), NULL);
    html_section_end(page);
}

static void show_not_gradable(const struct source *s, struct html_page *page)
{
    for (unsigned i = 0; i < s->run->plan->units_count; i++)
        if (s->board->unit[i].not_gradable)
            html_paragraph(page, "%s is not gradable: %s. It does not count.",
                           s->run->plan->units[i].id, s->board->unit[i].not_gradable);
}

char *class_page(const struct source *s, const struct class_pictures *n,
                 const struct standing *class, const struct similar_list *similar)
{
    const struct run *r = s->run;
    struct html_page page = HTML_PAGE_INIT;
    page.sortable = true;
    show_standing(s, class, similar->count, &page);
    show_matrix(s, similar, &page);
    html_section(&page, "failures", "What failed");
    html_table_or(&page, NULL, class_failures(r, s->results), "Failures: none.");
    html_table_or(&page, NULL, class_flagged(r, s->results), "Flagged: none.");
    html_table_or(&page, NULL, class_remarks(r, s->results), NULL);
    html_table_or(&page, NULL, class_similar(r, similar), NULL);
    show_not_gradable(s, &page);
    html_section_end(&page);
    show_ladder(s, n->ladder, &page);
    show_versus(s, -1, &page);
    show_roofline(s, n->roofline, &page);
    char digest[DIGEST_HEX] = "unknown";
    (void)receipt_run_digest(r->dir, digest, NULL);
    OWNED char *subtitle = xasprintf(
                   "Run %s%s%s. For the instructor: it has the names and points of "
                   "everybody.",
                   text_run_name(r), r->plan->profile[0] ? ", profile " : "", r->plan->profile),
               *footer = xasprintf("Run of %s. Digest: %s. Paragrade %s.", r->plan->created, digest,
                                   PARAGRADE_VERSION);
    char *html = html_page_finish(&page, r->assignment->title, subtitle, footer);
    return html;
}
