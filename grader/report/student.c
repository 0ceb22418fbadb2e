/* One submission, for its author: what is wrong and where, how to replay it, how fast the kernels
 * are, what they score, and what would score more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/feedback.h"
#include "report/own_check.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/smallest.h"
#include "report/student_tables.h"
#include "report/text.h"
#include "report/versus.h"
#include "report/weak_rows.h"

enum { LOG_LINES = 12 };

static void print_lines(FILE *f, const char *text, int most)
{
    int n = 0;
    for (const char *line = text; *line; n++) {
        size_t len = strcspn(line, "\n");
        if (n == most) {
            fputs("    ...\n", f);
            return;
        }
        term_print(f, 6, "    %.*s\n", (int)(len < 300 ? len : 300), line);
        line += len + (line[len] == '\n');
    }
}

/* The last lines: what was printed last says most about what went wrong. */
static void print_last_lines(FILE *f, const char *text, int most)
{
    const char *from = feedback_last_lines(text, most);
    if (from > text)
        fputs("    ...\n", f);
    print_lines(f, from, most);
}

/* The command is freed. */
static void print_command(FILE *f, const char *label, char *command)
{
    term_print_command(f, 6, "  %s%s%s %s\n", term_on(f, TERM_DIM), label, term_off(f), command);
    free(command);
}

/* The failed cases, and how to see the smallest one again: few enough numbers to follow by hand.
 * Where none is smaller, the first one. */
static void print_failed_cases(const struct run *r, int unit, const struct unit_result *u,
                               const struct case_result *first, const char *run_name, FILE *f)
{
    OWNED char *failed = feedback_failed_cases(r, u),
               *smallest = feedback_smallest(r, (unsigned)unit, u);
    term_print(f, 4, "  %s\n", failed);
    if (*smallest)
        term_print(f, 4, "  smallest case found that fails %s\n", smallest);
    if (!run_name)
        print_command(f, "again, in your directory:", own_check(r, (unsigned)unit, first));
    if (*smallest)
        print_command(f, run_name ? "again:" : "then the smallest case:",
                      run_name ? smallest_replay(r, run_name, u)
                               : smallest_replay_own(r, text_tier(r, (unsigned)unit), u));
    else if (run_name)
        print_command(f, "again:", feedback_replay(u, first, run_name));
}

static void print_trouble(const struct run *r, int unit, const struct unit_result *u,
                          const char *run_name, FILE *f)
{
    if (u->verdict == VERDICT_PASS)
        return;
    term_print(f, 4, "  %s\n", u->message[0] ? u->message : verdict_summary(u->verdict));
    if (u->verdict == VERDICT_BUILD_ERROR && u->build_log[0]) {
        term_print_command(f, 4, "  %s%s%s\n", term_on(f, TERM_DIM), text_compile_command(r, unit),
                           term_off(f));
        print_lines(f, u->build_log, LOG_LINES);
    }
    const struct case_result *c = unit_result_first_failure(u);
    if (c)
        print_failed_cases(r, unit, u, c, run_name, f);
    if (u->output[0]) {
        if (u->output_case >= 0)
            fprintf(f, "  it printed in case %d:\n", u->output_case);
        else
            fputs("  it printed:\n", f);
        print_last_lines(f, u->output, LOG_LINES);
    }
}

/* What bounds the tier at its largest size, and what to try next. */
static void print_roofline(const struct run *r, const struct results *res,
                           const struct scoreboard *b, int unit, struct said *said, FILE *f)
{
    const struct speed *s = roofline_pick(r, b, unit);
    char text[ROOFLINE_TEXT] = "", size[SHAPE_TEXT], launch[TEXT_MOST];
    if (s)
        roofline_text(r, res, s, text);
    if (!text[0])
        return;
    shape_format(s->shape, size);
    text_launch(&r->assignment->tiers[r->plan->units[unit].tier], s->launch, launch);
    OWNED char *news = said_new(said, r->assignment->tiers[r->plan->units[unit].tier].title, text);
    if (*news)
        term_print(f, 4, "  roofline (%s, %s): %s\n", size, launch, news);
}

/* A table of a tier stands below its heading. */
static void print_table(struct term_table *t, FILE *f)
{
    term_table_indent(t, 3);
    term_table_show(t, f);
}

static void print_not_timed(const struct run *r, int unit, const struct unit_result *u,
                            struct said *said, FILE *f)
{
    char *text[] = {feedback_network(r, (unsigned)unit, u),
                    feedback_not_timed(r, (unsigned)unit, u)};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        OWNED char *news =
            said_new(said, r->assignment->tiers[r->plan->units[unit].tier].title, text[i]);
        if (*news)
            term_print(f, 4, "  %s\n", news);
        free(text[i]);
    }
}

static void print_remarks(const struct unit_result *u, FILE *f)
{
    char **text;
    const unsigned n = feedback_remarks(u, &text);
    for (unsigned i = 0; i < n; i++)
        term_print(f, 4, "  %sremark:%s %s\n", term_on(f, TERM_YELLOW), term_off(f), text[i]);
    texts_free(text, n);
}

void report_print_unit(const struct run *r, const struct results *res, const struct scoreboard *b,
                       int unit, const char *run_name, struct said *said, FILE *f)
{
    const struct unit_result *u = res->unit[unit];
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    if (!u) {
        fprintf(f, "\n%s%s%s  not run yet\n", term_on(f, TERM_BOLD), tier->title, term_off(f));
        return;
    }
    OWNED char *points = feedback_points(&b->unit[unit], &r->plan->only);
    term_print(f, 4, "\n%s%s%s  %s%s%s%s%s\n", term_on(f, TERM_BOLD), tier->title, term_off(f),
               term_on(f, text_verdict_style(u->verdict)), verdict_name(u->verdict), term_off(f),
               *points ? "  " : "", points);
    print_trouble(r, unit, u, run_name, f);
    const enum computes computes = unit_result_computes(u);
    if (computes == FELL_BACK)
        term_print(f, 4,
                   "  computed on the host, where there is no device to offload to: checked, not "
                   "timed\n");
    else if (computes == ON_DEVICE)
        term_print(f, 4, "  on %s\n", u->device);
    if (u->attested == ATTESTED_NO)
        term_print(f, 4,
                   "  %sflagged:%s %s (the points stay as they are; the instructor will check "
                   "this)\n",
                   term_on(f, TERM_YELLOW), term_off(f), u->evidence);
    print_remarks(u, f);
    print_table(student_speeds(r, res, b, unit), f);
    print_not_timed(r, unit, u, said, f);
    print_roofline(r, res, b, unit, said, f);
    print_table(student_profile(&u->profile), f);
}

/* Does student_speeds() have an unconfirmed number of this submission? */
static bool any_unconfirmed(const struct run *r, const struct scoreboard *b, int submission)
{
    const struct speeds of = score_speeds_of(b, plan_units_of(r->plan, submission));
    for (const struct speed *s = of.first; s < of.end; s++)
        if (text_is_rough(s->seconds) || (s->end_to_end.n && text_is_rough(s->end_to_end)) ||
            text_is_rough(s->speedup) || text_is_rough(s->fraction) || text_is_rough(s->efficiency))
            return true;
    return false;
}

/* A late submission, and what a person decided. */
static void print_adjustments(const struct run *r, const struct scoreboard *b, int submission,
                              FILE *f)
{
    char **text;
    const unsigned n = feedback_adjustments(r, b, (unsigned)submission, &text);
    for (unsigned i = 0; i < n; i++)
        term_print(f, 2, "\n%s\n", text[i]);
    texts_free(text, n);
}

/* In place of the total. */
static void print_partial(const struct plan *p, FILE *f)
{
    OWNED char *part = subset_text(&p->only);
    term_print(
        f, 2,
        "\n%sThis check was partial (%s), so it gives no points%s. For a complete check, run "
        "paragrade check without these options\n",
        term_on(f, TERM_BOLD), part, term_off(f));
}

void report_print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *b, const struct student_view *v, FILE *f)
{
    const int submission = v->submission;
    const struct plan *p = r->plan;
    OWNED char *author = text_author(&p->submissions[submission]);
    term_print(f, 2, "%s%s%s: %s%s%s%s\n", term_on(f, TERM_BOLD), r->assignment->title, term_off(f),
               author, p->profile[0] ? "  (profile " : "", p->profile, p->profile[0] ? ")" : "");
    const struct unit_range mine = plan_units_of(p, submission);
    struct said said = {0};
    for (unsigned i = mine.first; i < mine.end; i++)
        report_print_unit(r, res, b, (int)i, v->run_name, &said, f);
    said_free(&said);
    struct term_table *weak = weak_table(r, res, submission);
    if (!term_table_is_empty(weak))
        fputc('\n', f);
    term_table_show(weak, f);
    bool rough = any_unconfirmed(r, b, submission);
    struct term_table *versus = versus_table(r, res, submission, &rough);
    if (!term_table_is_empty(versus))
        fputc('\n', f);
    term_table_show(versus, f);
    if (rough)
        term_print(f, 2,
                   "\nA number with ~ is not confirmed: something disturbed the node, or the runs "
                   "differ. Another grading may give another number.\n");
    print_adjustments(r, b, submission, f);
    if (subset_is_part(&p->only))
        print_partial(p, f);
    OWNED char *total = feedback_total(r, res, b, (unsigned)submission, v->seconds);
    term_print(f, 2, "\n%s%s%s\n", term_on(f, TERM_BOLD), total, term_off(f));
    if (v->receipt[0])
        fprintf(f, "%sReceipt: %s%s\n", term_on(f, TERM_DIM), v->receipt, term_off(f));
}
