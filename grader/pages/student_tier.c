/* One tier of a student: what is wrong and how to see it again, or how fast it is and what it could
 * gain. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "pages/advice.h"
#include "pages/student_sections.h"
#include "report/feedback.h"
#include "report/own_check.h"
#include "report/smallest.h"
#include "report/student_tables.h"
#include "report/text.h"

enum { LOG_LINES = 12 };

/* The first lines of a text; the caller frees it. */
static char *first_lines(const char *text, int most)
{
    const char *end = text;
    for (int n = 0; *end && n < most; n++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    return xasprintf("%.*s%s", (int)(end - text), text, *end ? "..." : "");
}

static void show_command(const char *label, char *command, struct html_page *page)
{
    html_lines(page, label, command);
    free(command);
}

/* The failed cases, and the commands of students that show them again. */
static void show_failed_cases(const struct source *s, int unit, const struct unit_result *u,
                              const struct case_result *first, struct html_page *page)
{
    OWNED char *failed = feedback_failed_cases(s->run, u),
               *smallest = feedback_smallest(s->run, (unsigned)unit, u);
    html_labelled(page, "How often:", failed);
    if (*smallest)
        html_labelled(page, "Smallest case found that fails", smallest);
    show_command("To see it again, in the directory of your sources",
                 own_check(s->run, (unsigned)unit, first), page);
    if (*smallest)
        show_command("Then the smallest case",
                     smallest_replay_own(s->run, text_tier(s->run, (unsigned)unit), u), page);
    if (u->verdict == VERDICT_WRONG_ANSWER || u->verdict == VERDICT_CRASH)
        show_command("The case as a small program, for a debugger",
                     own_check_export(s->run, (unsigned)unit, first), page);
}

static void show_failure(const struct source *s, int unit, const struct unit_result *u,
                         struct html_page *page)
{
    html_labelled(page, "What happened:", u->message[0] ? u->message : verdict_summary(u->verdict));
    if (u->verdict == VERDICT_BUILD_ERROR && u->build_log[0]) {
        OWNED char *log = first_lines(u->build_log, LOG_LINES);
        html_lines(page, "Compile command", text_compile_command(s->run, unit));
        html_lines(page, "The compiler said", log);
    }
    const struct case_result *c = unit_result_first_failure(u);
    if (c)
        show_failed_cases(s, unit, u, c, page);
    if (u->output[0]) {
        const char *from = feedback_last_lines(u->output, LOG_LINES);
        OWNED char *label = u->output_case >= 0 ? xasprintf("It printed in case %d", u->output_case)
                                                : xstrdup("It printed");
        html_lines(page, label, from);
    }
}

static void show_remarks(const struct unit_result *u, struct html_page *page)
{
    char **text;
    const unsigned n = feedback_remarks(u, &text);
    for (unsigned i = 0; i < n; i++)
        html_labelled(page, "Remark:", text[i]);
    texts_free(text, n);
}

void student_tier(const struct source *s, int unit, struct said *said, struct html_page *page)
{
    const struct run *r = s->run;
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    const struct unit_result *u = find_result(s, unit);
    OWNED char *id = xasprintf("tier-%s", tier->name);
    html_heading(page, id, tier->title);
    if (!u) {
        html_paragraph(page, "This tier has not been run yet.");
        return;
    }
    const bool passed = u->verdict == VERDICT_PASS;
    const enum computes computes = unit_result_computes(u);
    OWNED char *points = feedback_points(&s->board->unit[unit], &r->plan->only);
    html_paragraph(page, "%s%s%s", verdict_name(u->verdict), *points ? ", " : "", points);
    if (!passed)
        show_failure(s, unit, u, page);
    if (computes == FELL_BACK)
        html_paragraph(page, "Computed on the host, where there is no device to offload to: "
                             "checked, not timed.");
    else if (computes == ON_DEVICE)
        html_paragraph(page, "Computed on %s.", u->device);
    if (u->attested == ATTESTED_NO)
        html_paragraph(page,
                       "Flagged: %s (the points stay as they are; the instructor will check "
                       "this)",
                       u->evidence);
    show_remarks(u, page);
    OWNED char *caption = xasprintf("Times of %s", tier->title);
    html_table_or(page, caption, student_speeds(r, s->results, s->board, unit), NULL);
    OWNED char *network = feedback_network(r, (unsigned)unit, u);
    if (*network)
        html_paragraph(page, "Some %s.", network);
    OWNED char *not_timed = feedback_not_timed(r, (unsigned)unit, u);
    char *news = said_new(said, tier->title, not_timed);
    if (*news)
        html_paragraph(page, "Some launches were %s", news);
    free(news);
    html_table_or(page, NULL, student_profile(&u->profile), NULL);
    if (!passed) /* the list of what to try next has it */
        return;
    OWNED char *advice = advice_passed(s, unit);
    news = said_new(said, tier->title, advice);
    if (*news)
        html_labelled(page, "What to try next:", news);
    free(news);
}
