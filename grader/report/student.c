/* One submission, for its author: what is wrong and where, how to replay it, how fast the kernels
 * are, what they score, and what would score more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "model/race.h"
#include "report/adjust.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/text.h"
#include "report/versus.h"

enum { LOG_LINES = 12, FAILED_CASES = 5 };

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
    const char *from = text + strlen(text);
    int lines = 0;
    if (from > text && from[-1] == '\n')
        from--;
    while (from > text && (from[-1] != '\n' || ++lines < most))
        from--;
    if (from > text)
        fputs("    ...\n", f);
    print_lines(f, from, most);
}

static void print_replay(const struct unit_result *u, const struct case_result *c,
                         const char *run_name, FILE *f)
{
    char repeat[32] = "";
    if (c->failed_runs < c->runs)
        snprintf(repeat, sizeof repeat, " --repeat %d", race_repeat(c->failed_runs, c->runs));
    term_print_command(f, 6, "  %sagain:%s paragrade replay %s %s %d --launch %dx%d%s\n",
                       term_on(f, TERM_DIM), term_off(f), run_name, u->unit_id, c->case_index,
                       c->launch.ranks, c->launch.threads, repeat);
}

/* Further shapes that fail: often the list alone shows the mistake. */
static void print_failed_cases(const struct run *r, const struct unit_result *u, FILE *f)
{
    unsigned failed = 0, total = 0;
    int shown = 0;
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        total++;
        if (c->verdict == VERDICT_PASS)
            continue;
        failed++;
        if (c->case_index >= (int)r->cases.count || shown == FAILED_CASES)
            continue;
        char size[SHAPE_TEXT];
        shape_format(r->cases.item[c->case_index].shape, size);
        strbuf_addf(&sb, "%s%s", shown ? ", " : "", size);
        shown++;
    }
    term_print(f, 4, "  %u of %u %s failed: %s%s\n", failed, total, plural(total, "case", "cases"),
               sb.s, (int)failed > shown ? ", ..." : "");
    strbuf_free(&sb);
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
        print_failed_cases(r, u, f);
        print_replay(u, c, run_name, f);
    }
    if (u->output[0]) {
        if (u->output_case >= 0)
            fprintf(f, "  it printed in case %d:\n", u->output_case);
        else
            fputs("  it printed:\n", f);
        print_last_lines(f, u->output, LOG_LINES);
    }
}

static double metric_value(const struct speed *s, enum speed_metric m)
{
    return m == METRIC_SPEEDUP ? s->speedup.median
           : m == METRIC_GOPS  ? s->gops
                               : s->fraction.median;
}

/* "speed-up 12.0: +2.0 points": the next point of the curve for this size; "" when there is none.
 */
static void next_threshold(const struct tier *t, const struct speed *s, char *out, size_t cap)
{
    double v = metric_value(s, t->points.metric);
    out[0] = '\0';
    for (unsigned i = 0; i < t->points.speed_count; i++) {
        const struct speed_rule *rule = &t->points.speed[i];
        if (!rule->every_size && !shape_equal(rule->shape, s->shape))
            continue;
        for (unsigned k = 0; k < rule->curve_count; k++) {
            if (v >= rule->curve[k].value)
                continue;
            char n[TEXT_MOST];
            text_number(rule->curve[k].value, n);
            double more = rule->curve[k].share * rule->points - score_curve(rule, v);
            if (more > 0)
                snprintf(out, cap, "%s %.20s: +%.1f points", metric_name(t->points.metric), n,
                         more);
            return;
        }
    }
}

static void print_speeds(const struct run *r, const struct scoreboard *b, int unit, bool passes,
                         FILE *f)
{
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    struct term_table *t = term_table_new(NULL);
    bool any = false;
    term_table_column(t, " ", TERM_LEFT);
    term_table_column(t, "size", TERM_RIGHT);
    term_table_column(t, "launch", TERM_LEFT);
    term_table_column(t, "time", TERM_RIGHT);
    term_table_column(t, "with copies", TERM_RIGHT);
    term_table_column(t, "GOP/s", TERM_RIGHT);
    term_table_column(t, "of peak", TERM_RIGHT);
    term_table_column(t, "speed-up", TERM_RIGHT);
    term_table_column(t, "of reference", TERM_RIGHT);
    term_table_column(t, "efficiency", TERM_RIGHT);
    term_table_column(t, "for more points", TERM_LEFT);
    term_table_keys(t, 3);
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        if (s->unit != unit)
            continue;
        any = true;
        char size[SHAPE_TEXT], text[TEXT_MOST], next[100];
        term_table_cell(t, TERM_PLAIN, " ");
        shape_format(s->shape, size);
        term_table_cell(t, TERM_PLAIN, "%s", size);
        text_launch(tier, s->launch, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_seconds(s->seconds.median, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_seconds(s->end_to_end.n ? s->end_to_end.median : (double)NAN, s->end_to_end,
                              text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured(s->gops, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_share(s->peak_share, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_interval(s->speedup, text);
        term_table_cell(t, TERM_BOLD, "%s", text);
        text_measured(s->fraction.median, s->fraction, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured(s->efficiency.median, s->efficiency, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        next[0] = '\0'; /* a tier with a failure has to become right first */
        if (passes && !subset_is_part(&r->plan->only))
            next_threshold(tier, s, next, sizeof next);
        term_table_cell(t, TERM_DIM, "%s", next);
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
    term_table_column(t, " ", TERM_LEFT);
    term_table_column(t, "share", TERM_RIGHT);
    term_table_column(t, "total", TERM_RIGHT);
    term_table_column(t, "calls", TERM_RIGHT);
    term_table_column(t, "registers", TERM_RIGHT);
    term_table_column(t, "shared", TERM_RIGHT);
    term_table_column(t, "occupancy", TERM_RIGHT);
    term_table_column(t, "name", TERM_LEFT);
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

/* What the unit earns; the caller frees it. */
static char *points_text(const struct unit_score *s, const struct subset *only)
{
    if (s->not_gradable)
        return xasprintf("(its times cannot be graded: %s; no points are lost)", s->not_gradable);
    if (subset_is_part(only))
        return xstrdup("");
    if (!s->counted)
        return xstrdup("(does not count)");
    return xasprintf("%.1f of %.0f %s", s->points, s->max_points,
                     s->max_points == 1 ? "point" : "points");
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
    char *points = points_text(&b->unit[unit], &r->plan->only);
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
    print_speeds(r, b, unit, u->verdict == VERDICT_PASS, f);
    print_roofline(r, res, b, unit, f);
    print_profile(&u->profile, f);
}

/* A late submission, and what a person decided. */
static void print_adjustments(const struct run *r, const struct scoreboard *b, int submission,
                              FILE *f)
{
    const struct submission_score *s = &b->submission[submission];
    char when[INSTANT_TEXT];
    if (s->late_s) {
        instant_format(adjust_submitted(r, (unsigned)submission), when);
        term_print(f, 2, "\nLate: submitted %s, %.1f h after the deadline: -%.1f points\n", when,
                   (double)s->late_s / 3600, s->late_penalty);
    }
    for (int u = -1; u < (int)r->plan->units_count; u++) {
        char *text = adjust_text(r, submission, u);
        if (*text)
            term_print(f, 2, "\nDecided by the instructor: %s %s\n",
                       u < 0 ? "submission" : r->assignment->tiers[r->plan->units[u].tier].name,
                       text);
        free(text);
    }
}

/* In place of the total. */
static void print_partial(const struct plan *p, FILE *f)
{
    char *part = subset_text(&p->only);
    term_print(f, 2,
               "\n%sPartial check (%s): no points%s; all of it: paragrade check without these "
               "options\n",
               term_on(f, TERM_BOLD), part, term_off(f));
    free(part);
}

void report_print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *b, int submission, const char *run_name, FILE *f)
{
    const struct plan *p = r->plan;
    const struct submission_score *s = &b->submission[submission];
    term_print(f, 2, "%s%s%s: %s%s%s%s\n", term_on(f, TERM_BOLD), r->assignment->title, term_off(f),
               p->submissions[submission].id, p->profile[0] ? "  (profile " : "", p->profile,
               p->profile[0] ? ")" : "");
    for (unsigned i = 0; i < p->units_count; i++)
        if (p->units[i].submission == submission)
            print_unit(r, res, b, (int)i, run_name, f);
    versus_print(r, res, submission, f);
    const char *remark = "";
    if (results_left(res))
        remark = "; the run is not finished";
    else if (r->assignment->performance.sizes_left_out)
        remark = " that this profile can give; the full run measures more sizes";
    print_adjustments(r, b, submission, f);
    if (subset_is_part(&p->only))
        print_partial(p, f);
    else
        term_print(f, 2, "\n%sTotal: %.1f of %.0f %s%s%s\n", term_on(f, TERM_BOLD), s->points,
                   s->max_points, s->max_points == 1 ? "point" : "points", term_off(f), remark);
    char receipt[DIGEST_HEX];
    if (receipt_lookup(r->dir, (unsigned)submission, receipt, NULL) == 0)
        fprintf(f, "%sReceipt: %s%s\n", term_on(f, TERM_DIM), receipt, term_off(f));
}
