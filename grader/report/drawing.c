#include "report/drawing.h"

#include <math.h>

#include "base/proc.h"

enum { DRAW_MS = 60000 };

static const char *const colours[DRAWING_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                     "#E69F00", "#56B4E9", "#000000"};
static const int marks[] = {7, 5, 9, 13, 11};

const char *drawing_colour(unsigned series)
{
    return colours[series % DRAWING_COLOURS];
}

int drawing_mark(unsigned series)
{
    return marks[series % (sizeof marks / sizeof marks[0])];
}

/* In single quotes gnuplot replaces nothing, and two of them stand for one. */
void drawing_add_quoted(struct strbuf *script, const char *text)
{
    strbuf_adds(script, "'");
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            strbuf_adds(script, "''");
        else if ((unsigned char)*c >= ' ')
            strbuf_add(script, c, 1);
    strbuf_adds(script, "'");
}

void drawing_add_steps(struct strbuf *sb, const char *axis, double low, double high)
{
    static const double step[] = {1, 2, 5};
    const double decades = log10(high / low);
    const char *between = "";
    strbuf_addf(sb, "set %stics (", axis);
    for (int e = -6; e <= 9; e++)
        for (size_t i = 0; i < (decades > 2.5 ? 1 : sizeof step / sizeof step[0]); i++) {
            const double v = step[i] * pow(10, e);
            if (v < low || v > high)
                continue;
            strbuf_addf(sb, "%s%g", between, v);
            between = ", ";
        }
    strbuf_adds(sb, ")\n");
}

int drawing_run(const char *script, size_t most, struct strbuf *svg, struct err *e)
{
    *svg = (struct strbuf)STRBUF_INIT;
    OWNED char *gnuplot = proc_which("gnuplot");
    if (!gnuplot)
        return err_system(e, "the picture " DRAWING_MISSING);
    /* -d: without the settings of the user. From "-" gnuplot reads one byte at a time. */
    char *argv[] = {gnuplot, (char[]){"-d"}, (char[]){"/dev/stdin"}, NULL};
    const struct proc_spec spec = {
        .argv = argv, .input = script, .output_max = most, .timeout_ms = DRAW_MS};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    int rc = proc_run(&spec, &r, e);
    if (rc == 0 && (!proc_ok(&r) || r.truncated || !r.out.len)) {
        char how[200];
        proc_describe(&r, how, sizeof how);
        rc = err_system(e, "gnuplot: %s: %.300s", how, r.err.s);
    }
    if (rc == 0) {
        *svg = r.out;
        r.out = (struct strbuf)STRBUF_INIT;
    }
    return rc;
}
