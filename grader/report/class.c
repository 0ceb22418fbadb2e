/* The class on the terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "report/class_summary.h"
#include "report/class_tables.h"
#include "report/late_marks.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/short_calls.h"
#include "report/sweep.h"
#include "report/text.h"
#include "report/versus.h"
#include "report/weak_rows.h"

/* A table after an empty line; nothing if it has no rows. */
static void show(struct term_table *t, void (*how)(struct term_table *t, FILE *f), FILE *f)
{
    if (!term_table_is_empty(t))
        fputc('\n', f);
    how(t, f);
}

static void print_speedups(const struct run *r, const struct results *res,
                           const struct scoreboard *b, FILE *f)
{
    struct term_table *t = class_speedups(r, res, b);
    const bool none = term_table_is_empty(t);
    fputc('\n', f);
    term_table_print(t, f);
    if (none)
        fputs("(nothing was timed)\n", f);
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
        FREED_BY(strbuf_free) struct strbuf tiers = STRBUF_INIT;
        strbuf_adds(&tiers, r->assignment->tiers[t].name);
        for (unsigned other = t + 1; other < n; other++) {
            if (!why[other] || strcmp(why[other], reason) != 0)
                continue;
            strbuf_addf(&tiers, ", %s", r->assignment->tiers[other].name);
            why[other] = NULL;
        }
        term_print(f, 2, "\n%s skipped: %s\n", tiers.s, reason);
    }
    free(why);
}

/* Units whose times cannot be graded: one line for each reason. */
static void print_not_gradable(const struct run *r, const struct scoreboard *b, FILE *f)
{
    const unsigned n = r->plan->units_count;
    OWNED bool *told = xcalloc(n + 1, sizeof *told);
    for (unsigned i = 0; i < n; i++) {
        const char *why = b->unit[i].not_gradable;
        if (!why || told[i])
            continue;
        FREED_BY(strbuf_free) struct strbuf units = STRBUF_INIT;
        for (unsigned k = i; k < n; k++) {
            if (!b->unit[k].not_gradable || strcmp(b->unit[k].not_gradable, why) != 0)
                continue;
            told[k] = true;
            strbuf_addf(&units, " %s", r->plan->units[k].id);
        }
        term_print(f, 2, "\n%snot gradable:%s %s:%s. These units do not count.\n",
                   term_on(f, TERM_YELLOW), term_off(f), why, units.s);
    }
}

static void print_late_marks(const struct run *r, FILE *f)
{
    OWNED char *text = late_marks(r);
    term_print(f, 2, "%s", text);
}

static void print_short_calls(const struct run *r, const struct scoreboard *b, FILE *f)
{
    char *text = short_calls(r, b);
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
    unsigned disturbed = 0, unconfirmed = 0, over = 0, far = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        for (unsigned c = 0; res->unit[i] && c < res->unit[i]->cases_count; c++) {
            const struct case_result *cr = &res->unit[i]->cases[c];
            over += score_lacks_cores(r, cr);
            far += score_lacks_cores(r, cr) && cr->launch.nodes > 1;
            unconfirmed += cr->samples_count && !cr->estimate.confirmed;
            disturbed += cr->samples_count && !cr->estimate.undisturbed;
        }
    }
    if (unconfirmed || over)
        fputc('\n', f);
    if (over)
        term_print(
            f, 0,
            "%u %s not taken, because the launch has more workers than the node has cores or GPUs. "
            "The results were checked (column oversubscribed of cases.csv). To time them, use a "
            "node "
            "with more of them, or raise slurm.cpus.%s\n",
            over, plural(over, "time was", "times were"),
            far ? " Launches over nodes need a Slurm job with so many nodes." : "");
    if (!unconfirmed)
        return;
    OWNED char *busy = disturbed
                           ? xasprintf(" During %u of them, the node was slower than it can be, so "
                                       "other programs probably ran there.",
                                       disturbed)
                           : xstrdup("");
    term_print(f, 0,
               "%u %s not confirmed. A number with ~ comes from such a time: another grading may "
               "give another one, as far off as the interval says.%s To confirm more, give more "
               "time (performance.budget), or grade again when the node is idle.\n",
               unconfirmed, plural(unconfirmed, "time is", "times are"), busy);
}

/* A class that is no larger is printed with its details. */
enum { SMALL_CLASS = 10 };

/* Where the class stands, and what to look at: on one screen. */
static void print_summary(const struct run *r, const struct results *res,
                          const struct scoreboard *b, size_t similar, FILE *f)
{
    show(class_tiers(r, res), term_table_show, f);
    show(class_points(r, b), term_table_show, f);
    show(class_attention(r, res, b, similar), term_table_lines, f);
}

static void print_details(const struct run *r, const struct results *res,
                          const struct scoreboard *b, FILE *f)
{
    fputc('\n', f);
    term_table_print(class_verdicts(r, res, b, NULL), f);
    if (r->plan->sweep) {
        report_print_sweeps(r, res, f);
    } else {
        print_speedups(r, res, b, f);
        show(class_efficiencies(r, b), term_table_show, f);
        show(weak_table(r, res, -1), term_table_show, f);
        show(versus_table(r, res, -1, NULL), term_table_show, f);
    }
    show(class_nodes(res), term_table_show, f);
    show(class_failures(r, res), term_table_lines, f);
    show(class_flagged(r, res), term_table_lines, f);
    show(class_remarks(r, res), term_table_lines, f);
}

void report_print_class(const struct run *r, const struct results *res, const struct scoreboard *b,
                        size_t similar, bool details, FILE *f)
{
    const bool all = details || r->plan->sweep || term_is_tsv() ||
                     r->plan->submissions_count <= SMALL_CLASS + 1; /* and the reference */
    const char *profile = r->plan->profile;
    OWNED char *part = subset_text(&r->plan->only);
    term_print(f, 2, "%s%s%s: %s%s%s%s%s%s%s\n", term_on(f, TERM_BOLD), r->assignment->title,
               term_off(f), text_run_name(r), profile[0] ? "  (profile " : "", profile,
               profile[0] ? ")" : "", *part ? "  (partial: " : "", part,
               *part ? "; no points)" : "");
    if (!r->plan->sweep)
        print_summary(r, res, b, similar, f);
    if (all)
        print_details(r, res, b, f);
    print_skipped(r, res, f);
    print_notes(r, res, f);
    print_not_gradable(r, b, f);
    print_short_calls(r, b, f);
    print_late_marks(r, f);
    print_unfinished(r, res, f);
    if (!all)
        fprintf(f, "\nEach submission: paragrade report --details %s\n", text_run_name(r));
    char digest[DIGEST_HEX];
    if (receipt_run_digest(r->dir, digest, NULL) == 0)
        fprintf(f, "\n%sDigest: %s%s\n", term_on(f, TERM_DIM), digest, term_off(f));
}
