#include "cmd/check_view.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/text.h"

/* What two checks of the same source may differ by. */
#define LEAST_POINTS 0.5

struct looked {
    struct run run;
    struct results results;
    struct scoreboard board;
};

static void close_looked(struct looked *l)
{
    scoreboard_free(&l->board);
    results_free(&l->results);
    run_close(&l->run);
}

static int look(const char *dir, bool cut, struct looked *l, struct err *e)
{
    *l = (struct looked){0};
    if (run_open(dir, &l->run, e) != 0)
        return -1;
    if (results_load(&l->run, &l->results, e) < 0) {
        close_looked(l);
        return -1;
    }
    results_end(&l->run, &l->results);
    for (unsigned i = 0; cut && i < l->results.unit_count; i++)
        if (!l->results.unit[i])
            results_skip(&l->run, &l->results, i, PIPELINE_CUT);
    score_run(&l->run, &l->results, &l->board);
    return 0;
}

static const char *verdict_of(const struct looked *l, int unit)
{
    const struct unit_result *u = unit < 0 ? NULL : l->results.unit[unit];
    const bool cut = u && u->verdict == VERDICT_SKIPPED && strcmp(u->message, PIPELINE_CUT) == 0;
    return u && !cut ? verdict_name(u->verdict) : "not run";
}

/* "simd: wrong-answer -> pass, +12". Returns whether the unit has changed. */
static bool print_change(const struct looked *was, const struct looked *is, unsigned unit)
{
    const struct unit *u = &is->run.plan->units[unit];
    const int old = plan_unit(was->run.plan, u->id);
    const char *from = verdict_of(was, old), *to = verdict_of(is, (int)unit);
    const double more = is->board.unit[unit].points - (old < 0 ? 0 : was->board.unit[old].points);
    char points[TEXT_MOST] = "";
    text_points(more < 0 ? -more : more, is->board.unit[unit].max_points, points);
    const bool moved = strcmp(from, to) != 0,
               earned = more >= LEAST_POINTS || more <= -LEAST_POINTS;
    if (!moved && !earned)
        return false;
    const enum verdict v =
        is->results.unit[unit] ? is->results.unit[unit]->verdict : VERDICT_SKIPPED;
    printf("%s%s%s: ", term_on(stdout, TERM_BOLD), text_tier(&is->run, unit), term_off(stdout));
    if (moved)
        printf("%s -> ", from);
    printf("%s%s%s", term_on(stdout, text_verdict_style(v)), to, term_off(stdout));
    if (earned)
        printf(", %s%s points", more < 0 ? "-" : "+", points);
    putchar('\n');
    return true;
}

/* What has changed, then what fails, and nothing that is as before. */
static void print_changes(const struct looked *was, const struct looked *is, int submission,
                          const char *name)
{
    const struct unit_range mine = plan_units_of(is->run.plan, submission);
    bool any = false;
    for (unsigned i = mine.first; i < mine.end; i++)
        any = print_change(was, is, i) || any;
    if (!any)
        puts("no verdict has changed");
    struct said said = {0};
    for (unsigned i = mine.first; i < mine.end; i++) {
        const struct unit_result *u = is->results.unit[i];
        if (u && u->verdict != VERDICT_MISSING && verdict_fault(u->verdict) != FAULT_NOBODY)
            report_print_unit(&is->run, &is->results, &is->board, (int)i, name, &said, stdout);
    }
    said_free(&said);
    const struct submission_score *s = &is->board.submission[submission];
    char total[TEXT_MOST];
    text_points_of(s->points, s->max_points, total);
    if (!subset_is_part(&is->run.plan->only))
        printf("\n%s\n", total);
}

static void print_student(const struct looked *l, int submission, const char *name, double seconds)
{
    json_auto_t *receipts = receipt_load(l->run.dir);
    const struct student_view v = {submission, name, receipt_of(receipts, (unsigned)submission),
                                   seconds};
    report_print_student(&l->run, &l->results, &l->board, &v, stdout);
}

static void print(const struct looked *l, const struct looked *before, const struct check_view *v)
{
    OWNED char *name = locate_run_name(l->run.dir);
    if (v->gcc_style)
        check_lines_print(&l->run, &l->results, v->given, name);
    for (unsigned i = 0; !v->gcc_style && i < l->run.plan->submissions_count; i++) {
        if (l->run.plan->submissions[i].is_reference)
            continue;
        if (before)
            print_changes(before, l, (int)i, name);
        else
            print_student(l, (int)i, name, v->seconds);
    }
}

/* Has any source been tried? */
static bool any_tried(const struct looked *l)
{
    for (unsigned i = 0; i < l->results.unit_count; i++) {
        const struct unit_result *u = l->results.unit[i];
        const unsigned owner = l->run.plan->units[i].submission;
        if (u && !l->run.plan->submissions[owner].is_reference && u->verdict != VERDICT_MISSING &&
            u->verdict != VERDICT_SKIPPED)
            return true;
    }
    return false;
}

int check_view_print(const char *dir, const struct check_view *v, struct err *e)
{
    struct looked is, was;
    struct err ignored = ERR_INIT;
    if (look(dir, v->cut, &is, e) != 0)
        return -1;
    const bool known = v->before && look(v->before, false, &was, &ignored) == 0;
    const bool silent = v->unfinished && (v->json || !any_tried(&is));
    int rc = 0;
    if (!silent && v->json)
        rc = report_print_json(&is.run, &is.results, &is.board, stdout, e);
    else if (!silent)
        print(&is, known ? &was : NULL, v);
    if (known)
        close_looked(&was);
    close_looked(&is);
    return rc;
}
