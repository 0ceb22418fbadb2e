#include "pages/scripts.h"

#include <math.h>
#include <stdlib.h>

#include "report/drawing.h"
#include "report/text.h"

/* Pixels. */
enum { WIDTH = 560, ROW = 40, AROUND = 80, SCALING_HEIGHT = 400 };

static void open_picture(struct strbuf *sb, int height)
{
    strbuf_addf(sb,
                "reset\nset terminal svg size %d,%d font 'sans-serif,14' background '#ffffff' "
                "noenhanced\nset grid lc rgb '#dddddd' lw 0.7\nset format '%%g'\nunset key\n",
                WIDTH, height);
}

/* --- the ladder ------------------------------------------------------------------------------- */

/* One row for each tier that somebody has a time in. */
struct ladder {
    const struct source *source;
    struct shape size;
    unsigned *tier;
    unsigned rows;
    double low, high;
};

static const struct speed *rung(const struct ladder *l, int submission, unsigned tier)
{
    const int unit = plan_unit_of(l->source->run->plan, submission, (int)tier);
    const struct speed *x =
        find_passed(l->source, unit) ? score_fastest(l->source->board, unit, l->size) : NULL;
    return x && isfinite(x->speedup.value) && x->speedup.low > 0 ? x : NULL;
}

static void widen(struct ladder *l, const struct speed *x)
{
    l->low = fmin(l->low, x->speedup.value);
    l->high = fmax(l->high, x->speedup.value);
}

/* Rows for tiers in which one of these submissions has a time. */
static void collect_rows(struct ladder *l, unsigned from, unsigned to)
{
    const struct run *r = l->source->run;
    l->low = l->high = 1;
    l->tier = xcalloc(r->assignment->tiers_count + 1, sizeof *l->tier);
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        bool any = false;
        for (unsigned i = from; i <= to; i++) {
            const struct speed *x = rung(l, (int)i, t);
            if (x && !(r->plan->submissions[i].is_reference && from != to)) {
                widen(l, x);
                any = true;
            }
        }
        const struct speed *reference = rung(l, plan_reference(l->source->run->plan), t);
        if (any && reference)
            widen(l, reference);
        if (any)
            l->tier[l->rows++] = t;
    }
    l->low /= 1.8;
    l->high *= 1.8;
}

static void add_ladder_frame(struct strbuf *sb, const struct ladder *l)
{
    const struct assignment *a = l->source->run->assignment;
    const int height = (int)l->rows * ROW + AROUND;
    char size[SHAPE_TEXT];
    shape_format(l->size, size);
    open_picture(sb, height);
    strbuf_addf(sb,
                "set logscale x\nset xrange [%g:%g]\nset yrange [%u.5:-0.5]\n"
                "set lmargin at screen 0.2\nset rmargin at screen 0.97\n"
                "set bmargin at screen %.4f\nset tmargin at screen 0.97\nset ytics (",
                l->low, l->high, l->rows - 1, 62.0 / height);
    for (unsigned i = 0; i < l->rows; i++) {
        strbuf_adds(sb, i ? ", " : "");
        drawing_add_quoted(sb, a->tiers[l->tier[i]].name);
        strbuf_addf(sb, " %u", i);
    }
    strbuf_adds(sb, ")\n");
    drawing_add_steps(sb, "x", l->low, l->high);
    OWNED char *label = xasprintf("speed-up over the reference's %s, size %s", a->baseline, size);
    strbuf_adds(sb, "set xlabel ");
    drawing_add_quoted(sb, label);
    strbuf_adds(sb, "\nset arrow from 1,graph 0 to 1,graph 1 nohead dt (4,4) lc rgb '#333333'\n");
}

/* The points of one row, from the tier's own colour. Returns how many. */
static unsigned add_rungs(struct strbuf *sb, const struct ladder *l, unsigned row, unsigned from,
                          unsigned to)
{
    const struct run *r = l->source->run;
    unsigned n = 0;
    strbuf_addf(sb, "$row%u << END\n", row);
    for (unsigned i = from; i <= to; i++) {
        const struct speed *x = rung(l, (int)i, l->tier[row]);
        if (!x || (from != to && r->plan->submissions[i].is_reference))
            continue;
        /* points of a class would hide each other in one line */
        const double y = row + (from == to ? 0 : ((double)(i * 7 % 11) - 5) / 20);
        strbuf_addf(sb, "%g %g %g %g\n", x->speedup.value, y, x->speedup.low, x->speedup.high);
        n++;
    }
    strbuf_adds(sb, "END\n");
    return n;
}

static bool add_reference(struct strbuf *sb, const struct ladder *l)
{
    bool any = false;
    strbuf_adds(sb, "$reference << END\n");
    for (unsigned i = 0; i < l->rows; i++) {
        const struct speed *x = rung(l, plan_reference(l->source->run->plan), l->tier[i]);
        if (x)
            strbuf_addf(sb, "%g %u\n", x->speedup.value, i);
        any = any || x;
    }
    strbuf_adds(sb, "END\n");
    return any;
}

/* Both ladders: of the submissions from one index to another. */
static bool add_ladder(const struct source *s, unsigned from, unsigned to, struct strbuf *sb)
{
    struct ladder l = {.source = s};
    const bool one = from == to;
    if (!find_ladder_size(s, one ? (int)from : -1, &l.size))
        return false;
    collect_rows(&l, from, to);
    const bool any = l.rows > 0;
    if (any) {
        add_ladder_frame(sb, &l);
        for (unsigned i = 0; i < l.rows; i++)
            add_rungs(sb, &l, i, from, to);
        const bool reference = add_reference(sb, &l);
        strbuf_adds(sb, "plot ");
        for (unsigned i = 0; i < l.rows; i++)
            strbuf_addf(sb, "%s$row%u with %s pt %d ps %s lw 2 lc rgb '%s'", i ? ", " : "", i,
                        one ? "xerrorbars" : "points", drawing_mark(l.tier[i]), one ? "1.4" : "0.7",
                        drawing_colour(l.tier[i]));
        if (reference)
            strbuf_adds(sb, ", $reference with points pt 6 ps 2 lw 1.5 lc rgb '#333333'");
        strbuf_adds(sb, "\n");
    }
    free(l.tier);
    return any;
}

bool script_ladder(const struct source *s, unsigned submission, struct strbuf *script)
{
    return add_ladder(s, submission, submission, script);
}

bool script_class_ladder(const struct source *s, struct strbuf *script)
{
    const unsigned n = s->run->plan->submissions_count;
    return n > 1 && add_ladder(s, 0, n - 1, script);
}

/* --- strong scaling --------------------------------------------------------------------------- */

enum { LABEL = 18, SCALING_AROUND = 80 }; /* pixels: of a line of text; above and below the axes */

/* One tier's curve, on one node or over several. */
struct curve {
    unsigned tier;
    bool over_nodes;
    int workers;     /* the most */
    double end;      /* speed-up with them */
    double label_at; /* where its name is */
};

static int by_end(const void *a, const void *b)
{
    const struct curve *x = a, *y = b;
    return (x->end < y->end) - (x->end > y->end);
}

/* Names of curves that end close together would cover each other: the lower ones move down. */
static void place_labels(struct curve *c, unsigned n, double low, double high)
{
    const double step = pow(high / low, (double)LABEL / (SCALING_HEIGHT - SCALING_AROUND));
    qsort(c, n, sizeof *c, by_end);
    for (unsigned i = 0; i < n; i++)
        c[i].label_at = i ? fmin(c[i].end, c[i - 1].label_at / step) : c[i].end;
}

static void add_curve_data(struct strbuf *sb, const struct speed *const *x, size_t n,
                           struct curve *c)
{
    strbuf_addf(sb, "$tier%u_%d << END\n", c->tier, c->over_nodes);
    for (size_t i = 0; i < n; i++) {
        const int workers = launch_workers(x[i]->launch);
        const struct interval v = stats_scaled(x[i]->efficiency, workers);
        /* the axis is logarithmic */
        strbuf_addf(sb, "%d %g %g %g\n", workers, v.value, fmax(v.low, v.value / 100), v.high);
        c->workers = workers;
        c->end = v.value;
    }
    strbuf_adds(sb, "END\n");
}

static void add_curve_name(struct strbuf *sb, const struct assignment *a, const struct curve *c)
{
    OWNED char *name =
        xasprintf("%s%s", a->tiers[c->tier].name, c->over_nodes ? ", over nodes" : "");
    drawing_add_quoted(sb, name);
}

static void add_scaling(struct strbuf *sb, const struct assignment *a, struct curve *c, unsigned n)
{
    double low = 1, high = 1;
    int most = 1;
    for (unsigned i = 0; i < n; i++) {
        most = c[i].workers > most ? c[i].workers : most;
        low = fmin(low, c[i].end);
        high = fmax(high, c[i].end);
    }
    low /= 1.3;
    high = fmax(high, most) * 1.3;
    place_labels(c, n, low, high);
    strbuf_addf(sb,
                "set logscale xy 2\nset xrange [0.9:%g]\nset yrange [%g:%g]\n"
                "set xlabel 'workers (ranks x threads)'\nset ylabel 'speed-up over one worker'\n",
                1.1 * most * pow(most, 0.3), low, high);
    for (unsigned i = 0; i < n; i++) {
        strbuf_adds(sb, "set label ");
        add_curve_name(sb, a, &c[i]);
        strbuf_addf(sb, " at %d,%g left offset character 1.2,0 textcolor rgb '%s'\n", c[i].workers,
                    c[i].label_at, drawing_colour(c[i].tier));
    }
    strbuf_adds(sb, "plot x with lines dt (4,4) lw 1.5 lc rgb '#333333'");
    for (unsigned i = 0; i < n; i++)
        strbuf_addf(sb, ", $tier%u_%d with yerrorlines pt %d ps 1.3 lw 1.8 dt %d lc rgb '%s'",
                    c[i].tier, c[i].over_nodes, drawing_mark(c[i].tier), 1 + c[i].over_nodes,
                    drawing_colour(c[i].tier));
    strbuf_adds(sb, "\n");
}

bool script_scaling(const struct source *s, unsigned submission, struct strbuf *script)
{
    const struct assignment *a = s->run->assignment;
    OWNED struct curve *curve = xcalloc(2 * a->tiers_count + 1, sizeof *curve);
    FREED_BY(strbuf_free) struct strbuf data = STRBUF_INIT;
    unsigned n = 0;
    for (unsigned i = 0; i < 2 * a->tiers_count; i++) {
        const struct speed *x[WORKERS_MOST];
        const unsigned t = i / 2;
        const bool over_nodes = i % 2;
        const size_t points = find_scaling(s, plan_unit_of(s->run->plan, (int)submission, (int)t),
                                           over_nodes, x, WORKERS_MOST);
        curve[n] = (struct curve){.tier = t, .over_nodes = over_nodes};
        if (points)
            add_curve_data(&data, x, points, &curve[n++]);
    }
    if (n) {
        open_picture(script, SCALING_HEIGHT);
        strbuf_add(script, data.s, data.len);
        add_scaling(script, a, curve, n);
    }
    return n > 0;
}
