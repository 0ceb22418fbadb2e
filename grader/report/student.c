/* One submission, for its author: what is wrong and where, how to replay it, how fast the kernels
 * are, what they score, and what would score more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/feedback.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/smallest.h"
#include "report/text.h"
#include "report/versus.h"

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

/* The failed cases, and how to see the first one again. */
static void print_failed_cases(const struct run *r, const struct unit_result *u,
                               const struct case_result *first, const char *run_name, FILE *f)
{
    char *failed = feedback_failed_cases(r, u), *replay = feedback_replay(u, first, run_name);
    term_print(f, 4, "  %s\n", failed);
    term_print_command(f, 6, "  %sagain:%s %s\n", term_on(f, TERM_DIM), term_off(f), replay);
    free(replay);
    free(failed);
}

/* The smallest case that fails: few enough numbers to follow by hand. */
static void print_smallest(const struct run *r, int unit, const struct unit_result *u,
                           const char *run_name, FILE *f)
{
    char *text = feedback_smallest(r, (unsigned)unit, u);
    if (*text) {
        char *again = smallest_replay(run_name, u);
        term_print(f, 4, "  smallest case found that fails %s\n", text);
        term_print_command(f, 6, "  %sagain:%s %s\n", term_on(f, TERM_DIM), term_off(f), again);
        free(again);
    }
    free(text);
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
    if (c) {
        print_failed_cases(r, u, c, run_name, f);
        print_smallest(r, unit, u, run_name, f);
    }
    if (u->output[0]) {
        if (u->output_case >= 0)
            fprintf(f, "  it printed in case %d:\n", u->output_case);
        else
            fputs("  it printed:\n", f);
        print_last_lines(f, u->output, LOG_LINES);
    }
}

static void print_speeds(const struct run *r, const struct scoreboard *b, int unit, bool passes,
                         FILE *f)
{
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    struct term_table *t = term_table_new(NULL);
    bool any = false;
    static const struct term_column columns[] = {
        {" ", TERM_LEFT},           {"size", TERM_RIGHT},          {"launch", TERM_LEFT},
        {"time", TERM_RIGHT},       {"with copies", TERM_RIGHT},   {"GOP/s", TERM_SPARE},
        {"of peak", TERM_SPARE},    {"speed-up", TERM_RIGHT},      {"of reference", TERM_RIGHT},
        {"efficiency", TERM_RIGHT}, {"for more points", TERM_LEFT}};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    term_table_keys(t, 3);
    const struct speeds of = score_speeds(b, unit);
    for (const struct speed *s = of.first; s < of.end; s++) {
        any = true;
        char size[SHAPE_TEXT], text[TEXT_MOST];
        term_table_cell(t, TERM_PLAIN, " ");
        shape_format(s->shape, size);
        term_table_cell(t, TERM_PLAIN, "%s", size);
        text_launch(tier, s->launch, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_seconds(s->seconds.value, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_seconds(s->end_to_end.n ? s->end_to_end.value : (double)NAN, s->end_to_end,
                              text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured(s->gops, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_share(s->peak_share, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_interval(s->speedup, text);
        term_table_cell(t, TERM_BOLD, "%s", text);
        text_measured(s->fraction.value, s->fraction, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured(s->efficiency.value, s->efficiency, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        /* a tier with a failure has to become right first */
        char *next = passes && !subset_is_part(&r->plan->only) ? feedback_next(r, b, s) : NULL;
        term_table_cell(t, TERM_DIM, "%s", next ? next : "");
        free(next);
        term_table_end_row(t);
    }
    if (any)
        term_table_print(t, f);
    else
        term_table_discard(t);
}

/* What bounds the tier at its largest size, and what to try next. */
static void print_roofline(const struct run *r, const struct results *res,
                           const struct scoreboard *b, int unit, FILE *f)
{
    const struct speed *s = roofline_pick(r, b, unit);
    char text[ROOFLINE_TEXT] = "", size[SHAPE_TEXT], launch[TEXT_MOST];
    if (s)
        roofline_text(r, res, s, text);
    if (!text[0])
        return;
    shape_format(s->shape, size);
    text_launch(&r->assignment->tiers[r->plan->units[unit].tier], s->launch, launch);
    term_print(f, 4, "  roofline (%s, %s): %s\n", size, launch, text);
}

/* As a profiler prints it: what the device did, and which calls the program made. */
static void print_profile(const struct device_profile *p, FILE *f)
{
    if (!p->count)
        return;
    char size[SHAPE_TEXT], title[SHAPE_TEXT + 40];
    shape_format(p->shape, size);
    snprintf(title, sizeof title, "  one call at %s, with the copies:", size);
    struct term_table *t = term_table_new(title);
    static const struct term_column columns[] = {{" ", TERM_LEFT},          {"share", TERM_RIGHT},
                                                 {"total", TERM_RIGHT},     {"calls", TERM_RIGHT},
                                                 {"registers", TERM_RIGHT}, {"shared", TERM_RIGHT},
                                                 {"occupancy", TERM_RIGHT}, {"name", TERM_LEFT}};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    term_table_keys(t, 2);
    for (unsigned i = 0; i < p->count; i++) {
        const struct profile_row *x = &p->row[i];
        char text[TEXT_MOST];
        bool kernel = x->activity == ACTIVITY_KERNEL;
        term_table_cell(t, TERM_PLAIN, " ");
        term_table_cell(t, TERM_PLAIN, "%.1f%%", 100 * profile_share(p, i));
        text_seconds(x->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        term_table_cell(t, TERM_PLAIN, "%llu", (unsigned long long)x->calls);
        term_table_cell(t, TERM_PLAIN, kernel ? "%u" : "", x->registers);
        term_table_cell(t, TERM_PLAIN, kernel ? "%u B" : "", x->shared_bytes);
        term_table_cell(t, TERM_PLAIN, kernel ? "%.0f%%" : "", 100 * x->occupancy);
        term_table_cell(t, TERM_PLAIN, "%.60s", x->name);
        term_table_end_row(t);
    }
    term_table_print(t, f);
}

static void print_not_timed(const struct run *r, int unit, const struct unit_result *u, FILE *f)
{
    char *text = feedback_not_timed(r, (unsigned)unit, u);
    if (*text)
        term_print(f, 4, "  %s\n", text);
    free(text);
}

static void print_remarks(const struct unit_result *u, FILE *f)
{
    char **text;
    const unsigned n = feedback_remarks(u, &text);
    for (unsigned i = 0; i < n; i++)
        term_print(f, 4, "  %sremark:%s %s\n", term_on(f, TERM_YELLOW), term_off(f), text[i]);
    texts_free(text, n);
}

static void print_unit(const struct run *r, const struct results *res, const struct scoreboard *b,
                       int unit, const char *run_name, FILE *f)
{
    const struct unit_result *u = res->unit[unit];
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    if (!u) {
        fprintf(f, "\n%s%s%s  not run yet\n", term_on(f, TERM_BOLD), tier->title, term_off(f));
        return;
    }
    char *points = feedback_points(&b->unit[unit], &r->plan->only);
    term_print(f, 4, "\n%s%s%s  %s%s%s  %s\n", term_on(f, TERM_BOLD), tier->title, term_off(f),
               term_on(f, text_verdict_style(u->verdict)), verdict_name(u->verdict), term_off(f),
               points);
    free(points);
    print_trouble(r, unit, u, run_name, f);
    if (strcmp(u->device, "host") == 0)
        term_print(f, 4,
                   "  computed on the host, where there is no device to offload to: checked, not "
                   "timed\n");
    else if (u->device[0])
        term_print(f, 4, "  on %s\n", u->device);
    if (u->attested == ATTESTED_NO)
        term_print(f, 4,
                   "  %sflagged:%s %s (the points stay as they are; the instructor will check "
                   "this)\n",
                   term_on(f, TERM_YELLOW), term_off(f), u->evidence);
    print_remarks(u, f);
    print_speeds(r, b, unit, u->verdict == VERDICT_PASS, f);
    print_not_timed(r, unit, u, f);
    print_roofline(r, res, b, unit, f);
    print_profile(&u->profile, f);
}

/* Does print_speeds() print an unconfirmed number of this submission? */
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
    char *part = subset_text(&p->only);
    term_print(
        f, 2,
        "\n%sThis check was partial (%s), so it gives no points%s. For a complete check, run "
        "paragrade check without these options\n",
        term_on(f, TERM_BOLD), part, term_off(f));
    free(part);
}

void report_print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *b, const struct student_view *v, FILE *f)
{
    const int submission = v->submission;
    const struct plan *p = r->plan;
    const struct submission_score *s = &b->submission[submission];
    char *author = text_author(&p->submissions[submission]);
    term_print(f, 2, "%s%s%s: %s%s%s%s\n", term_on(f, TERM_BOLD), r->assignment->title, term_off(f),
               author, p->profile[0] ? "  (profile " : "", p->profile, p->profile[0] ? ")" : "");
    free(author);
    const struct unit_range mine = plan_units_of(p, submission);
    for (unsigned i = mine.first; i < mine.end; i++)
        print_unit(r, res, b, (int)i, v->run_name, f);
    if (versus_print(r, res, submission, f) || any_unconfirmed(r, b, submission))
        term_print(f, 2,
                   "\nA number with ~ is not confirmed: something disturbed the node, or the runs "
                   "differ. Another grading may give another number.\n");
    print_adjustments(r, b, submission, f);
    char total[TEXT_MOST];
    text_points_of(s->points, s->max_points, total);
    if (subset_is_part(&p->only))
        print_partial(p, f);
    else
        term_print(f, 2, "\n%sTotal: %s%s%s\n", term_on(f, TERM_BOLD), total, term_off(f),
                   feedback_remark(r, res));
    if (v->receipt[0])
        fprintf(f, "%sReceipt: %s%s\n", term_on(f, TERM_DIM), v->receipt, term_off(f));
}
