/*
 * The picture of the rooflines: a script for gnuplot, which writes SVG. Both axes are logarithmic,
 * so all slopes are parallel. A tier has one colour and one mark.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "report/drawing.h"
#include "report/roofline_picture.h"
#include "report/text.h"

enum { LABEL = 17, SVG_MOST = 16 << 20 }; /* pixels of a line of text; bytes */
/* Of the legend: pixels before a text and after it, and of one character, on average. */
enum { LEGEND_MARGIN = 80, LEGEND_CHARACTER = 8 };

static double axes_width(const struct roofline_frame *f)
{
    return f->width - f->left - f->right;
}

static double axes_height(const struct roofline_frame *f)
{
    return f->height - f->top - f->bottom;
}

static double pixels_x(const struct picture *p, double from, double to)
{
    return log(to / from) / log(p->right / p->left) * axes_width(p->frame);
}

static double pixels_y(const struct picture *p, double from, double to)
{
    return log(to / from) / log(p->high / p->low) * axes_height(p->frame);
}

static void add_title(struct strbuf *sb, const struct picture *p)
{
    const struct run *r = p->run;
    OWNED char *title =
        xasprintf("Roofline of %s (%s): %s", r->assignment->kernel->problem,
                  type_name(r->assignment->kernel->type),
                  p->submission < 0 ? text_run_name(r) : r->plan->submissions[p->submission].id);
    strbuf_adds(sb, "set title ");
    drawing_add_quoted(sb, title);
    strbuf_adds(sb, "\n");
}

static void add_frame(struct strbuf *sb, const struct picture *p)
{
    const struct roofline_frame *f = p->frame;
    const double right = 1 - (double)f->right / f->width, top = 1 - (double)f->top / f->height;
    strbuf_addf(sb,
                "reset\nset terminal svg size %d,%d font 'sans-serif,14' background '#ffffff' "
                "noenhanced\n"
                "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                "set logscale xy\nset grid lc rgb '#dddddd' lw 0.7\n"
                "set xrange [%g:%g]\nset yrange [%g:%g]\nset format '%%g'\n"
                "set xlabel 'operations per byte of the operands'\nset ylabel 'GOP/s'\n",
                f->width, f->height, (double)f->left / f->width, right, top,
                (double)f->bottom / f->height, p->left, p->right, p->low, p->high);
    drawing_add_steps(sb, "x", p->left, p->right);
    drawing_add_steps(sb, "y", p->low, p->high);
    if (f->legend) {
        strbuf_addf(sb,
                    "set key at screen %.4f,%.4f left top Left reverse samplen 2 spacing 1.25\n",
                    right + (double)LABEL / f->width, top);
        add_title(sb, p);
    } else {
        strbuf_adds(sb, "unset key\n");
    }
}

/* Is there another level so many pixels above a roof's (below it: negative)? */
static bool has_level(const struct picture *p, const struct roof *r, double from, double to)
{
    for (size_t i = 0; i < p->roofs; i++) {
        const double above = pixels_y(p, r->peak, p->roof[i].peak);
        if (above > from && above < to)
            return true;
    }
    return false;
}

/* The rate of memory along a slope, at its left end, and that of arithmetic at the right end. */
static void add_roof_labels(struct strbuf *sb, const struct picture *p, const struct roof *r)
{
    char rate[TEXT_MOST];
    const double angle = atan2(pixels_y(p, 1, 10), pixels_x(p, 1, 10)) * 180 / acos(-1);
    const double from = fmax(p->left, p->low / r->bandwidth),
                 x = from * pow(p->right / p->left, 0.02);
    text_number(r->bandwidth, rate);
    if (pixels_x(p, x, r->peak / r->bandwidth) > 6 * LABEL)
        strbuf_addf(sb,
                    "set label '%s GB/s' at %g,%g left rotate by %.1f offset character -0.5,0.6 "
                    "textcolor rgb '#333333'\n",
                    rate, x, r->bandwidth * x, angle);
    text_number(r->peak, rate);
    const bool below = has_level(p, r, 1, 1.2 * LABEL) && !has_level(p, r, -1.2 * LABEL, -1);
    strbuf_addf(sb,
                "set label '%s GOP/s' at %g,%g right offset character -0.5,%s "
                "textcolor rgb '#333333'\n",
                rate, p->right, r->peak, below ? "-0.6" : "0.6");
}

/* Does an earlier roof have the same slope? */
static bool slope_repeats(const struct picture *p, size_t roof)
{
    for (size_t i = 0; i < roof; i++)
        if (p->roof[i].bandwidth == p->roof[roof].bandwidth)
            return true;
    return false;
}

/* Labels of points that would touch an earlier one, or lie on a roof, move down. */
struct label {
    double x, y;
};

struct labels {
    struct label at[ROOFS_MOST];
    size_t count;
};

static bool lies_on_roof(const struct picture *p, double x, double y)
{
    for (size_t i = 0; i < p->roofs; i++) {
        const struct roof *r = &p->roof[i];
        const double slope = r->bandwidth > 0 ? x * r->bandwidth : r->peak;
        if (fabs(pixels_y(p, slope < r->peak ? slope : r->peak, y)) < LABEL * 0.6)
            return true;
    }
    return false;
}

static bool touches(const struct labels *l, const struct picture *p, double x, double y)
{
    for (size_t i = 0; i < l->count; i++)
        if (fabs(pixels_x(p, l->at[i].x, x)) < 8 * LABEL &&
            fabs(pixels_y(p, l->at[i].y, y)) < LABEL * 0.95)
            return true;
    return lies_on_roof(p, x, y);
}

static double free_place(struct labels *l, const struct picture *p, double x, double y)
{
    const double step = pow(p->high / p->low, (double)LABEL / axes_height(p->frame));
    while (y > p->low && touches(l, p, x, y))
        y /= step;
    if (l->count < ROOFS_MOST)
        l->at[l->count++] = (struct label){x, y};
    return y;
}

/* The point of a tier that gets its name: at the size with the most operations, the fastest one. */
static const struct point *named_point(const struct picture *p, int tier)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < p->points; i++) {
        const struct point *x = &p->point[i];
        if (x->tier == tier && (!best || x->operations > best->operations ||
                                (x->operations == best->operations && x->y > best->y)))
            best = x;
    }
    return best;
}

/* Fastest first, so that the labels that move are below. */
static int by_speed(const void *a, const void *b)
{
    const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;
    return (x->y < y->y) - (x->y > y->y);
}

static void add_point_labels(struct strbuf *sb, const struct picture *p)
{
    const struct assignment *a = p->run->assignment;
    const struct point **named = xcalloc(a->tiers_count + 1, sizeof *named);
    struct labels labels = {.count = 0};
    size_t n = 0;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        named[n] = named_point(p, (int)t);
        n += named[n] != NULL;
    }
    if (n)
        qsort(named, n, sizeof named[0], by_speed);
    for (size_t i = 0; i < n; i++) {
        const double y = free_place(&labels, p, named[i]->x, named[i]->y);
        strbuf_adds(sb, "set label ");
        drawing_add_quoted(sb, a->tiers[named[i]->tier].name);
        strbuf_addf(sb, " at %g,%g left offset character 1,0 textcolor rgb '%s'\n", named[i]->x, y,
                    drawing_colour((unsigned)named[i]->tier));
    }
    free(named);
}

static void add_data(struct strbuf *sb, const struct picture *p)
{
    for (size_t i = 0; i < p->roofs; i++) {
        const struct roof *r = &p->roof[i];
        strbuf_addf(sb, "$roof%zu << END\n", i);
        if (r->bandwidth > 0)
            strbuf_addf(sb, "%g %g\n%g %g\n", p->left, p->left * r->bandwidth,
                        r->peak / r->bandwidth, r->peak);
        else
            strbuf_addf(sb, "%g %g\n", p->left, r->peak);
        strbuf_addf(sb, "%g %g\nEND\n", p->right, r->peak);
    }
    for (unsigned t = 0; t < p->run->assignment->tiers_count; t++) {
        if (!named_point(p, (int)t))
            continue;
        strbuf_addf(sb, "$tier%u << END\n", t);
        for (size_t i = 0; i < p->points; i++)
            if (p->point[i].tier == (int)t)
                strbuf_addf(sb, "%g %g\n", p->point[i].x, p->point[i].y);
        strbuf_adds(sb, "END\n");
    }
}

/* "simd: ~9.22 GOP/s (1024, 1 thread)" */
static char *point_title(const struct picture *p, const struct point *named)
{
    const struct tier *tier = &p->run->assignment->tiers[named->tier];
    char launch[TEXT_MOST], size[SHAPE_TEXT], rate[TEXT_MOST];
    text_launch(tier, named->speed->launch, launch);
    text_measured(named->y, named->speed->seconds, rate);
    shape_format(named->speed->shape, size);
    return xasprintf("%s: %s GOP/s (%s, %s)", tier->name, rate, size, launch);
}

static void add_plot(struct strbuf *sb, const struct picture *p)
{
    const char *between = "plot ";
    for (size_t i = 0; i < p->roofs; i++) {
        strbuf_addf(sb, "%s$roof%zu with lines %s title ", between, i, p->roof[i].style);
        drawing_add_quoted(sb, p->roof[i].label);
        between = ", \\\n  ";
    }
    for (unsigned t = 0; t < p->run->assignment->tiers_count; t++) {
        const struct point *named = named_point(p, (int)t);
        if (!named)
            continue;
        strbuf_addf(sb, "%s$tier%u with points pt %d ps 1.1 lc rgb '%s' title ", between, t,
                    drawing_mark(t), drawing_colour(t));
        OWNED char *title = point_title(p, named);
        drawing_add_quoted(sb, title);
        between = ", \\\n  ";
    }
    strbuf_adds(sb, "\n");
}

void roofline_script(const struct picture *p, struct strbuf *sb)
{
    add_frame(sb, p);
    for (size_t i = 0; i < p->roofs; i++)
        if (p->roof[i].bandwidth > 0 && !slope_repeats(p, i))
            add_roof_labels(sb, p, &p->roof[i]);
    add_point_labels(sb, p);
    add_data(sb, p);
    add_plot(sb, p);
}

/* Pixels that the legend needs. gnuplot would cut a longer text off. */
static int legend_width(const struct picture *p)
{
    size_t longest = 0;
    for (size_t i = 0; i < p->roofs; i++)
        if (strlen(p->roof[i].label) > longest)
            longest = strlen(p->roof[i].label);
    for (unsigned t = 0; t < p->run->assignment->tiers_count; t++) {
        const struct point *named = named_point(p, (int)t);
        OWNED char *title = named ? point_title(p, named) : NULL;
        if (title && strlen(title) > longest)
            longest = strlen(title);
    }
    return LEGEND_MARGIN + LEGEND_CHARACTER * (int)longest;
}

int roofline_svg(const struct picture *p, const char *path, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf script = STRBUF_INIT, svg = {0};
    struct roofline_frame frame = *p->frame;
    struct picture drawn = *p;
    const int legend = frame.legend ? legend_width(p) : 0;
    if (legend > frame.right) {
        frame.width += legend - frame.right;
        frame.right = legend;
    }
    drawn.frame = &frame;
    roofline_script(&drawn, &script);
    int rc = drawing_run(script.s, SVG_MOST, &svg, e);
    if (rc == 0)
        rc = fs_write_atomic(path, svg.s, svg.len, e);
    return rc;
}
