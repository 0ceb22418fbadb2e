#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "cmd/output_file.h"
#include "cmd/read_results.h"
#include "pages/plots.h"
#include "rundir/find_submission.h"

enum { COLUMNS = 80, COLUMNS_MOST = 110, SVG_COLUMNS = 96 };

/* Whose charts: of a sweep, all (-1); else the one that is named, or the only one beside the
 * reference, or the reference. -2 with e: there are several. */
static int whose(const struct run *r, const char *student, struct err *e)
{
    int only = -1, reference = plan_reference(r->plan);
    if (student) {
        const int found = find_submission(r->plan, student, e);
        return found < 0 ? -2 : found;
    }
    if (r->plan->sweep)
        return -1;
    for (unsigned i = 0; i < r->plan->submissions_count; i++) {
        if (r->plan->submissions[i].is_reference)
            continue;
        if (only >= 0) {
            err_input(e, "the run has several submissions: say which with --student ID");
            return -2;
        }
        only = (int)i;
    }
    return only >= 0 ? only : reference;
}

static void print_charts(const struct chart *c, size_t n)
{
    const int wide = term_columns(stdout);
    const int columns = !wide ? COLUMNS : wide < COLUMNS_MOST ? wide : COLUMNS_MOST;
    for (size_t i = 0; i < n; i++) {
        struct canvas *on =
            canvas_text_new(chart_columns(&c[i], columns), chart_rows(&c[i]), term_utf8());
        chart_draw(&c[i], on);
        canvas_text_print(on, stdout);
    }
}

static int write_svg(const struct chart *c, size_t n, const char *path, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf svg = STRBUF_INIT;
    int rows = 0, columns = SVG_COLUMNS;
    for (size_t i = 0; i < n; i++) {
        rows += chart_rows(&c[i]) + 1;
        columns = chart_columns(&c[i], columns);
    }
    canvas_svg_begin(columns, rows, &svg);
    rows = 0;
    for (size_t i = 0; i < n; i++) {
        struct canvas *on = canvas_svg_new(columns, chart_rows(&c[i]));
        chart_draw(&c[i], on);
        canvas_svg_add(on, rows, &svg);
        rows += chart_rows(&c[i]) + 1;
    }
    canvas_svg_end(&svg);
    return output_write(path, svg.s, svg.len, e);
}

static int plot(const struct options *o, const struct run *r, struct err *e)
{
    FREED_BY(results_free) struct results res = {0};
    FREED_BY(scoreboard_free) struct scoreboard board = {0};
    OWNED struct chart *charts = NULL;
    const int submission = whose(r, o->student, e);
    int rc = submission < -1 ? -1 : read_results(&cmd_plot, r, &res, e);
    size_t n = 0;
    if (rc == 0) {
        score_run(r, &res, &board);
        n = plots_make(r, &res, &board, submission, &charts);
        if (!n)
            rc = err_input(e, "there is nothing to draw: no tier that passed has a time");
        else if (o->output)
            rc = write_svg(charts, n, o->output, e);
        else
            print_charts(charts, n);
    }
    for (size_t i = 0; i < n; i++)
        chart_free(&charts[i]);
    return rc;
}

static int check(const struct options *o)
{
    struct err e = ERR_INIT;
    return o->output && output_check(o->output, &e) != 0 ? command_error(&cmd_plot, &e)
                                                         : COMMAND_GO_ON;
}

static int run(const struct options *o, struct run *r)
{
    struct err e = ERR_INIT;
    return plot(o, r, &e) == 0 ? EXIT_OK : command_error(&cmd_plot, &e);
}

const struct command cmd_plot = {
    .name = "plot",
    .usage = "plot [options] [RUN]",
    .summary = "draw a run on the terminal or as SVG: ladder, scaling, roofline, sweep",
    .about = "Draws the speed-up of each tier, the speed-up over the number of workers beside\n"
             "the ideal line, and the roofline; of a sweep, the speed of each point. Needs no\n"
             "other program.\n",
    .more = "examples:\n"
            "  paragrade plot\n"
            "  paragrade plot --student alice -o alice.svg gemm-i32-20261121-101500\n"
            "\n"
            "exit status: 0 drawn, 1 the machine failed, 2 bad arguments, or nothing to draw\n",
    .bit = on_plot,
    .runs = RUNS_OF_ALL,
    .most = 1,
    .check = check,
    .with_run = run,
};
