/* The class on the terminal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "report/late_marks.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/smallest.h"
#include "report/sweep.h"
#include "report/text.h"
#include "report/versus.h"

static void print_verdicts(const struct run *r, const struct results *res,
                           const struct scoreboard *b, FILE *f)
{
    const struct assignment *a = r->assignment;
    struct term_table *t = term_table_new("Verdicts");
    term_table_column(t, "submission", TERM_LEFT);
    bool *in_run = xcalloc(a->tiers_count + 1, sizeof *in_run);
    for (unsigned i = 0; i < a->tiers_count; i++) {
        in_run[i] = plan_has_tier(r->plan, (int)i);
        if (in_run[i])
            term_table_column(t, a->tiers[i].name, TERM_LEFT);
    }
    term_table_column(t, "points", TERM_RIGHT);
    term_table_column(t, "of", TERM_RIGHT);
    for (unsigned s = 0; s < r->plan->submissions_count; s++) {
        const struct submission *sub = &r->plan->submissions[s];
        term_table_cell(t, sub->is_reference ? TERM_DIM : TERM_BOLD, "%s", sub->id);
        for (unsigned i = 0; i < a->tiers_count; i++) {
            if (!in_run[i])
                continue;
            int u = plan_unit_of(r->plan, (int)s, (int)i);
            if (u < 0 || !res->unit[u])
                term_table_cell(t, TERM_DIM, "-");
            else
                term_table_cell(t, text_verdict_style(res->unit[u]->verdict), "%s",
                                verdict_name(res->unit[u]->verdict));
        }
        if (sub->is_reference) {
            term_table_cell(t, TERM_DIM, "-");
            term_table_cell(t, TERM_DIM, "-");
        } else {
            const struct submission_score *x = &b->submission[s];
            char text[TEXT_MOST];
            text_points(x->points, x->max_points, text);
            term_table_cell(t, TERM_BOLD, "%s", text);
            text_points_most(x->max_points, text);
            term_table_cell(t, TERM_PLAIN, "%s", text);
        }
        term_table_end_row(t);
    }
    term_table_print(t, f);
    free(in_run);
}

static bool measured(const struct scoreboard *b, int unit)
{
    const struct speeds of = score_speeds(b, unit);
    for (const struct speed *s = of.first; s < of.end; s++)
        if (s->graded)
            return true;
    return false;
}

/* The performance sizes of the run, in order. The caller frees them. */
static struct shape *sizes_of(const struct run *r, size_t *n)
{
    struct shape *size = xcalloc(r->cases.count + 1, sizeof *size);
    *n = 0;
    for (size_t i = 0; i < r->cases.count; i++)
        if (r->cases.item[i].kind == CASE_PERFORMANCE)
            size[(*n)++] = r->cases.item[i].shape;
    return size;
}

static bool any_copies(const struct scoreboard *b)
{
    for (unsigned i = 0; i < b->speed_count; i++)
        if (b->speed[i].end_to_end.n)
            return true;
    return false;
}

/* "of roof": the share, and what bounds it. */
static void print_roof_share(const struct run *r, const struct results *res, const struct speed *s,
                             struct term_table *t)
{
    struct roofline x = {.bound = BOUND_UNKNOWN};
    if (s)
        x = roofline_speed(r, res, s, roofline_bandwidths(r, res, s)->gbs[0]);
    char text[TEXT_MOST];
    if (x.bound != BOUND_UNKNOWN) {
        text_measured_share(x.fraction, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s %s", text, bound_name(x.bound));
    } else {
        term_table_cell(t, TERM_DIM, "-");
    }
}

static void print_speedups(const struct run *r, const struct results *res,
                           const struct scoreboard *b, FILE *f)
{
    size_t n;
    struct shape *size = sizes_of(r, &n);
    char title[200], text[TEXT_MOST];
    snprintf(title, sizeof title, "\nSpeed-up over the reference's %.40s, best launch",
             r->assignment->baseline);
    struct term_table *t = term_table_new(title);
    term_table_column(t, "submission", TERM_LEFT);
    term_table_column(t, "tier", TERM_LEFT);
    term_table_keys(t, 2);
    for (size_t k = 0; k < n; k++) {
        char heading[SHAPE_TEXT];
        shape_format(size[k], heading);
        term_table_column(t, heading, TERM_RIGHT);
    }
    term_table_column(t, "GOP/s", TERM_SPARE);
    term_table_column(t, "of peak", TERM_SPARE);
    term_table_column(t, "of roof", TERM_RIGHT);
    bool copies = any_copies(b), any = false;
    if (copies)
        term_table_column(t, "with copies", TERM_RIGHT);
    for (unsigned u = 0; u < r->plan->units_count; u++) {
        if (!measured(b, (int)u))
            continue;
        any = true;
        const struct submission *sub = &r->plan->submissions[r->plan->units[u].submission];
        term_table_cell(t, sub->is_reference ? TERM_DIM : TERM_PLAIN, "%s", sub->id);
        term_table_cell(t, TERM_PLAIN, "%s", r->assignment->tiers[r->plan->units[u].tier].name);
        const struct speed *last = NULL;
        for (size_t k = 0; k < n; k++) {
            const struct speed *s = score_fastest(b, (int)u, size[k]);
            text_interval(s ? s->speedup : stats_unknown(), text);
            term_table_cell(t, TERM_PLAIN, "%s", text);
            last = s ? s : last;
        }
        const struct interval seconds = last ? last->seconds : (struct interval){0};
        text_measured(last ? last->gops : (double)NAN, seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        text_measured_share(last ? last->peak_share : (double)NAN, seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s", text);
        print_roof_share(r, res, last, t);
        if (copies && last && last->end_to_end.n) {
            text_measured(last->gops * last->seconds.value / last->end_to_end.value,
                          last->end_to_end, text);
            term_table_cell(t, TERM_PLAIN, "%s", text);
        }
        term_table_end_row(t);
    }
    term_table_print(t, f);
    free(size);
    if (!any)
        fputs("(nothing was timed)\n", f);
}

static void print_efficiencies(const struct run *r, const struct scoreboard *b, FILE *f)
{
    struct term_table *t =
        term_table_new("\nParallel efficiency: speed-up over one worker / workers");
    bool any = false;
    term_table_column(t, "submission", TERM_LEFT);
    term_table_column(t, "tier", TERM_LEFT);
    term_table_column(t, "launch", TERM_LEFT);
    term_table_column(t, "size", TERM_RIGHT);
    term_table_column(t, "efficiency", TERM_RIGHT);
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        if (!s->graded || launch_workers(s->launch) == 1 || !isfinite(s->efficiency.value))
            continue;
        const struct unit *u = &r->plan->units[s->unit];
        const struct tier *tier = &r->assignment->tiers[u->tier];
        char launch[TEXT_MOST], size[SHAPE_TEXT], text[TEXT_MOST];
        text_launch(tier, s->launch, launch);
        shape_format(s->shape, size);
        text_interval(s->efficiency, text);
        term_table_cell(t, TERM_PLAIN, "%s", r->plan->submissions[u->submission].id);
        term_table_cell(t, TERM_PLAIN, "%s", tier->name);
        term_table_cell(t, TERM_PLAIN, "%s", launch);
        term_table_cell(t, TERM_PLAIN, "%s", size);
        term_table_cell(t, s->efficiency.value < 0.7 ? TERM_YELLOW : TERM_PLAIN, "%s", text);
        term_table_end_row(t);
        any = true;
    }
    if (any)
        term_table_print(t, f);
    else
        term_table_discard(t);
}

static void print_nodes(const struct results *res, FILE *f)
{
    struct term_table *t = term_table_new("\nNodes");
    term_table_column(t, "node", TERM_LEFT);
    term_table_column(t, "processor", TERM_LEFT);
    term_table_column(t, "cores", TERM_RIGHT);
    term_table_column(t, "peak GOP/s", TERM_RIGHT);
    term_table_column(t, "copy GB/s", TERM_RIGHT);
    term_table_column(t, "overhead us", TERM_RIGHT);
    for (unsigned i = 0; i < res->node_count; i++) {
        const struct node_record *n = res->node[i];
        term_table_cell(t, TERM_PLAIN, "%s", n->host);
        term_table_cell(t, TERM_PLAIN, "%s", n->model);
        term_table_cell(t, TERM_PLAIN, "%d", n->cores);
        term_table_cell(t, TERM_PLAIN, n->device ? "%.0f in all" : "%.1f a core", n->peak_gops);
        term_table_cell(t, TERM_PLAIN, "%.1f", n->bandwidth_gbs);
        term_table_cell(t, TERM_PLAIN, "%.0f", n->overhead_us);
        term_table_end_row(t);
    }
    if (res->node_count)
        term_table_print(t, f);
    else
        term_table_discard(t);
}

/* One line for each unit that failed: what failed and how. */
static void print_failures(const struct run *r, const struct results *res, FILE *f)
{
    bool any = false;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->verdict == VERDICT_PASS || u->verdict == VERDICT_MISSING ||
            u->verdict == VERDICT_SKIPPED)
            continue;
        if (!any)
            fprintf(f, "%s\nWhat failed%s\n", term_on(f, TERM_BOLD), term_off(f));
        any = true;
        term_print(f, 4, "%s%s%s  %s%s%s  %s\n", term_on(f, TERM_BOLD), u->unit_id, term_off(f),
                   term_on(f, text_verdict_style(u->verdict)), verdict_name(u->verdict),
                   term_off(f), u->message);
        if (smallest_is_news(r, u)) {
            char *text = smallest_text(r, i, &u->smallest);
            term_print(f, 8, "    smallest: %s\n", text);
            free(text);
        }
    }
}

/* Units that passed without doing what their tier is about. A person must check them. */
static void print_flagged(const struct run *r, const struct results *res, FILE *f)
{
    bool any = false;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->attested != ATTESTED_NO)
            continue;
        if (!any)
            fprintf(f, "%s\nFlagged (the points stay as they are; please check)%s\n",
                    term_on(f, TERM_BOLD), term_off(f));
        any = true;
        term_print(f, 4, "%s%s%s  %sflagged:%s %s\n", term_on(f, TERM_BOLD), u->unit_id,
                   term_off(f), term_on(f, TERM_YELLOW), term_off(f), u->evidence);
    }
}

/* Mistakes that cost no points. Units that failed are listed above. */
static void print_remarks(const struct run *r, const struct results *res, FILE *f)
{
    bool any = false;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->verdict != VERDICT_PASS || !*u->remarks)
            continue;
        if (!any)
            fprintf(f, "%s\nRemarks (no points depend on them)%s\n", term_on(f, TERM_BOLD),
                    term_off(f));
        any = true;
        term_print(f, 4, "%s%s%s  %.*s\n", term_on(f, TERM_BOLD), u->unit_id, term_off(f),
                   (int)strcspn(u->remarks, "\n"), u->remarks);
    }
}

/* Why a tier was skipped, or NULL. The reason is the same for all submissions. */
static const char *skipped_because(const struct run *r, const struct results *res, unsigned tier)
{
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (r->plan->units[i].tier == (int)tier && u && u->verdict == VERDICT_SKIPPED)
            return u->message;
    }
    return NULL;
}

/* Each reason once, with all tiers that have it. */
static void print_skipped(const struct run *r, const struct results *res, FILE *f)
{
    unsigned n = r->assignment->tiers_count;
    const char **why = xcalloc(n + 1, sizeof *why);
    for (unsigned t = 0; t < n; t++)
        why[t] = skipped_because(r, res, t);
    for (unsigned t = 0; t < n; t++) {
        const char *reason = why[t];
        if (!reason)
            continue;
        struct strbuf tiers = STRBUF_INIT;
        strbuf_adds(&tiers, r->assignment->tiers[t].name);
        for (unsigned other = t + 1; other < n; other++) {
            if (!why[other] || strcmp(why[other], reason) != 0)
                continue;
            strbuf_addf(&tiers, ", %s", r->assignment->tiers[other].name);
            why[other] = NULL;
        }
        term_print(f, 2, "\n%s skipped: %s\n", tiers.s, reason);
        strbuf_free(&tiers);
    }
    free(why);
}

/* Units whose times cannot be graded: one line for each reason. */
static void print_not_gradable(const struct run *r, const struct scoreboard *b, FILE *f)
{
    const unsigned n = r->plan->units_count;
    bool *told = xcalloc(n + 1, sizeof *told);
    for (unsigned i = 0; i < n; i++) {
        const char *why = b->unit[i].not_gradable;
        if (!why || told[i])
            continue;
        struct strbuf units = STRBUF_INIT;
        for (unsigned k = i; k < n; k++) {
            if (!b->unit[k].not_gradable || strcmp(b->unit[k].not_gradable, why) != 0)
                continue;
            told[k] = true;
            strbuf_addf(&units, " %s", r->plan->units[k].id);
        }
        term_print(f, 2, "\n%snot gradable:%s %s:%s. These units do not count.\n",
                   term_on(f, TERM_YELLOW), term_off(f), why, units.s);
        strbuf_free(&units);
    }
    free(told);
}

static void print_late_marks(const struct run *r, FILE *f)
{
    char *text = late_marks(r);
    term_print(f, 2, "%s", text);
    free(text);
}

static void print_unfinished(const struct run *r, const struct results *res, FILE *f)
{
    unsigned left = results_left(res);
    if (left)
        term_print(f, 0, "\n%sunfinished:%s %u of %u %s no result yet, and no points.\n",
                   term_on(f, TERM_YELLOW), term_off(f), left, r->plan->units_count,
                   plural(r->plan->units_count, "unit has", "units have"));
}

static void print_notes(const struct run *r, const struct results *res, FILE *f)
{
    unsigned disturbed = 0, unconfirmed = 0, over = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        for (unsigned c = 0; res->unit[i] && c < res->unit[i]->cases_count; c++) {
            const struct case_result *cr = &res->unit[i]->cases[c];
            over += score_lacks_cores(r, cr);
            unconfirmed += cr->samples_count && !cr->estimate.confirmed;
            disturbed += cr->samples_count && !cr->estimate.undisturbed;
        }
    }
    if (unconfirmed || over)
        fputc('\n', f);
    if (over)
        term_print(
            f, 0,
            "%u %s not taken, because the launch has more workers than the node has cores. The "
            "results were checked (column oversubscribed of cases.csv). To time them, use a node "
            "with more cores, or raise slurm.cpus.\n",
            over, plural(over, "time was", "times were"));
    if (unconfirmed)
        term_print(
            f, 0,
            "%u %s not confirmed. A number with ~ comes from such a time: another grading may give "
            "another one, as far off as the interval says. During %u of them, the node was "
            "slower than it can be, so other programs probably ran there. To confirm more, give "
            "more time (performance.budget), or grade again when the node is idle.\n",
            unconfirmed, plural(unconfirmed, "time is", "times are"), disturbed);
}

/* One line that says how many pairs there are. */
static void print_similar(size_t pairs, FILE *f)
{
    if (pairs)
        term_print(f, 0,
                   "\nSources that resemble each other: %zu %s of units (similarity.csv has the "
                   "lines). Read both before you draw a conclusion.\n",
                   pairs, plural(pairs, "pair", "pairs"));
}

void report_print_class(const struct run *r, const struct results *res, const struct scoreboard *b,
                        size_t similar, FILE *f)
{
    const char *profile = r->plan->profile;
    char *part = subset_text(&r->plan->only);
    term_print(f, 2, "%s%s%s: %s%s%s%s%s%s%s\n\n", term_on(f, TERM_BOLD), r->assignment->title,
               term_off(f), text_run_name(r), profile[0] ? "  (profile " : "", profile,
               profile[0] ? ")" : "", *part ? "  (partial: " : "", part,
               *part ? "; no points)" : "");
    free(part);
    print_verdicts(r, res, b, f);
    if (r->plan->sweep) {
        report_print_sweeps(r, res, f);
    } else {
        print_speedups(r, res, b, f);
        print_efficiencies(r, b, f);
        versus_print(r, res, -1, f);
    }
    print_nodes(res, f);
    print_failures(r, res, f);
    print_flagged(r, res, f);
    print_remarks(r, res, f);
    print_skipped(r, res, f);
    print_notes(r, res, f);
    print_similar(similar, f);
    print_not_gradable(r, b, f);
    print_late_marks(r, f);
    print_unfinished(r, res, f);
    char digest[DIGEST_HEX];
    if (receipt_run_digest(r->dir, digest, NULL) == 0)
        fprintf(f, "\n%sDigest: %s%s\n", term_on(f, TERM_DIM), digest, term_off(f));
}
