#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"

enum { PLOT_ROWS = 18, BAR_COLUMNS = 10, VALUE_COLUMNS = 22, TICK_COLUMNS = 8, TITLE_ROWS = 2 };

void chart_free(struct chart *c)
{
    for (size_t i = 0; i < c->bars; i++) {
        free(c->bar[i].name);
        free(c->bar[i].value);
    }
    for (size_t i = 0; i < c->series_count; i++) {
        free(c->series[i].name);
        free(c->series[i].x);
        free(c->series[i].y);
    }
    free(c->bar);
    free(c->series);
    free(c->title);
    free(c->note);
    *c = (struct chart){0};
}

void chart_add_bar(struct chart *c, struct chart_bar b)
{
    c->bar = xrealloc_array(c->bar, c->bars + 1, sizeof *c->bar);
    c->bar[c->bars++] = b;
}

struct chart_series *chart_add_series(struct chart *c, char *name, int colour)
{
    c->series = xrealloc_array(c->series, c->series_count + 1, sizeof *c->series);
    c->series[c->series_count] = (struct chart_series){.name = name, .colour = colour};
    return &c->series[c->series_count++];
}

void chart_add_point(struct chart_series *s, double x, double y)
{
    s->x = xrealloc_array(s->x, s->count + 1, sizeof *s->x);
    s->y = xrealloc_array(s->y, s->count + 1, sizeof *s->y);
    s->x[s->count] = x;
    s->y[s->count++] = y;
}

int chart_rows(const struct chart *c)
{
    const int body = c->bars ? (int)c->bars : PLOT_ROWS + 3 + (int)c->series_count;
    return TITLE_ROWS + body + (c->note ? 1 : 0) + 1;
}

/* Of the longest name of a bar. */
static int names_columns(const struct chart *c)
{
    int names = 0;
    for (size_t i = 0; i < c->bars; i++) {
        const int width = term_width(c->bar[i].name);
        names = width > names ? width : names;
    }
    return names;
}

int chart_columns(const struct chart *c, int columns)
{
    const int least = c->bars ? names_columns(c) + 2 + BAR_COLUMNS + VALUE_COLUMNS : 0;
    return least > columns ? least : columns;
}

static void write_text(struct canvas *on, double x, double row, enum canvas_align align, int colour,
                       const char *words)
{
    const double at[2] = {x, row + 0.5};
    on->text(on, at, align, colour, words);
}

/* --- bars ------------------------------------------------------------------------------------- */

static void draw_bars(const struct chart *c, struct canvas *on)
{
    const int names = names_columns(c);
    double most = 0;
    for (size_t i = 0; i < c->bars; i++)
        most = fmax(most, fmax(c->bar[i].length, isnan(c->bar[i].ring) ? 0 : c->bar[i].ring));
    const double left = names + 2, room = on->columns - left - VALUE_COLUMNS;
    for (size_t i = 0; i < c->bars; i++) {
        const struct chart_bar *b = &c->bar[i];
        const int row = TITLE_ROWS + (int)i;
        const double end = left + (most > 0 ? b->length / most * room : 0);
        double text_at = end;
        write_text(on, names, row, CANVAS_RIGHT, CANVAS_INK, b->name);
        on->bar(on, left, end, row, b->best ? 1 : 0);
        if (!isnan(b->ring)) {
            const double at[2] = {left + b->ring / most * room, row + 0.5};
            on->mark(on, at, 3, true);
            if (at[0] > end - 1 && at[0] < end + 4 + term_width(b->value)) /* it would be covered */
                text_at = fmax(text_at, at[0]);
        }
        write_text(on, text_at + 2, row, CANVAS_LEFT, CANVAS_INK, b->value);
    }
}

/* --- series on two logarithmic axes ----------------------------------------------------------- */

struct axes {
    double low[2], high[2];  /* of x and y */
    double from[2], size[2]; /* on the canvas */
};

static double place(const struct axes *a, int axis, double v)
{
    const double share = log(v / a->low[axis]) / log(a->high[axis] / a->low[axis]);
    return axis == 0 ? a->from[0] + share * a->size[0] : a->from[1] + (1 - share) * a->size[1];
}

static void find_range(const struct chart *c, struct axes *a)
{
    for (int axis = 0; axis < 2; axis++) {
        a->low[axis] = INFINITY;
        a->high[axis] = 0;
        for (size_t i = 0; i < c->series_count; i++)
            for (size_t k = 0; k < c->series[i].count; k++) {
                const double v = axis ? c->series[i].y[k] : c->series[i].x[k];
                a->low[axis] = fmin(a->low[axis], v);
                a->high[axis] = fmax(a->high[axis], v);
            }
        const double margin = axis || c->base > 2 ? 1.3 : 1.05;
        a->low[axis] /= margin;
        a->high[axis] *= margin;
    }
}

/* 1, 2, 4, ... or 1, 10, 100, ..., with 2 and 5 between them where the axis is short. */
static bool next_tick(const struct axes *a, int axis, double base, double *v)
{
    const bool fine = base > 2 && a->high[axis] / a->low[axis] < 1000;
    if (*v <= 0) {
        *v = pow(base, floor(log(a->low[axis]) / log(base)));
    } else if (!fine) {
        *v *= base;
    } else {
        const double unit = pow(10, floor(log10(*v * 1.001)));
        const int digit = (int)(*v / unit + 0.5);
        *v = unit * (digit == 1 ? 2 : digit == 2 ? 5 : 10);
    }
    return *v <= a->high[axis];
}

static void draw_ticks(const struct chart *c, const struct axes *a, struct canvas *on)
{
    char words[32];
    for (double v = 0; next_tick(a, 1, c->base, &v);) {
        if (v < a->low[1])
            continue;
        const double y = place(a, 1, v), from[2] = {a->from[0], y},
                     to[2] = {a->from[0] + a->size[0], y};
        on->line(on, from, to, CANVAS_GRID, false);
        snprintf(words, sizeof words, "%g", v);
        write_text(on, a->from[0] - 1, y - 0.5, CANVAS_RIGHT, CANVAS_DIM, words);
    }
    for (double v = 0; next_tick(a, 0, c->base, &v);) {
        if (v < a->low[0])
            continue;
        snprintf(words, sizeof words, "%g", v);
        write_text(on, place(a, 0, v), TITLE_ROWS + PLOT_ROWS + 1, CANVAS_CENTRE, CANVAS_DIM,
                   words);
    }
}

static void draw_one(const struct axes *a, const struct chart_series *s, struct canvas *on)
{
    for (size_t i = 0; i < s->count; i++) {
        const double at[2] = {place(a, 0, s->x[i]), place(a, 1, s->y[i])};
        if (s->line && i) {
            const double before[2] = {place(a, 0, s->x[i - 1]), place(a, 1, s->y[i - 1])};
            on->line(on, before, at, s->colour, s->dashed);
        }
    }
    for (size_t i = 0; s->marks && i < s->count; i++) {
        const double at[2] = {place(a, 0, s->x[i]), place(a, 1, s->y[i])};
        on->mark(on, at, s->colour, false);
    }
}

/* The characters of a label: of one row, from one column to another. */
struct place {
    int row, from, to;
};

static bool overlap(struct place a, struct place b)
{
    return a.row == b.row && a.from < b.to && b.from < a.to;
}

/* Is nothing else there: another label, a point of a series that has one, the edge? */
static bool is_free(const struct chart *c, const struct axes *a, const struct place *taken,
                    size_t n, struct place p)
{
    bool ok = p.from > (int)a->from[0] && p.to <= (int)(a->from[0] + a->size[0]) &&
              p.row >= (int)a->from[1] && p.row < (int)(a->from[1] + a->size[1]);
    for (size_t i = 0; i < n && ok; i++)
        ok = !overlap(taken[i], p);
    for (size_t i = 0; i < c->series_count && ok; i++) {
        const struct chart_series *s = &c->series[i];
        if (s->label) {
            const int x = (int)place(a, 0, s->x[0]), y = (int)place(a, 1, s->y[0]);
            ok = !overlap((struct place){y, x, x + 1}, p);
        }
    }
    return ok;
}

/* Right or left of the point, or above or below it. Where there is no room, the legend has to do.
 */
static void draw_labels(const struct chart *c, const struct axes *a, struct canvas *on)
{
    static const int rows[] = {0, -1, 1};
    OWNED struct place *taken = xcalloc(c->series_count + 1, sizeof *taken);
    size_t n = 0;
    for (size_t i = 0; i < c->series_count; i++) {
        const struct chart_series *s = &c->series[i];
        if (!s->label)
            continue;
        const int x = (int)place(a, 0, s->x[0]), y = (int)place(a, 1, s->y[0]),
                  width = term_width(s->label);
        for (int k = 0; k < 6; k++) {
            const int from = k % 2 ? x - 1 - width : x + 2;
            const struct place p = {y + rows[k / 2], from, from + width};
            if (is_free(c, a, taken, n, p)) {
                taken[n++] = p;
                write_text(on, p.from, p.row, CANVAS_LEFT, s->colour, s->label);
                break;
            }
        }
    }
}

static void draw_legend(const struct chart_series *s, double x, int row, struct canvas *on)
{
    const double y = row + 0.5, from[2] = {x, y}, to[2] = {x + 3, y}, middle[2] = {x + 1.5, y};
    if (s->line)
        on->line(on, from, to, s->colour, s->dashed);
    if (s->marks)
        on->mark(on, middle, s->colour, false);
    write_text(on, x + 5, row, CANVAS_LEFT, CANVAS_INK, s->name);
}

static void draw_series(const struct chart *c, struct canvas *on)
{
    struct axes a = {.from = {TICK_COLUMNS, TITLE_ROWS},
                     .size = {on->columns - TICK_COLUMNS - 2, PLOT_ROWS}};
    find_range(c, &a);
    const double corner[2] = {a.from[0], a.from[1] + a.size[1]}, top[2] = {a.from[0], a.from[1]},
                 right[2] = {a.from[0] + a.size[0], a.from[1] + a.size[1]};
    draw_ticks(c, &a, on);
    on->line(on, corner, top, CANVAS_DIM, false);
    on->line(on, corner, right, CANVAS_DIM, false);
    write_text(on, on->columns - 2, 1, CANVAS_RIGHT, CANVAS_DIM, c->y_label);
    write_text(on, on->columns - 2, TITLE_ROWS + PLOT_ROWS + 2, CANVAS_RIGHT, CANVAS_DIM,
               c->x_label);
    for (size_t i = 0; i < c->series_count; i++) {
        draw_one(&a, &c->series[i], on);
        draw_legend(&c->series[i], TICK_COLUMNS, TITLE_ROWS + PLOT_ROWS + 3 + (int)i, on);
    }
    draw_labels(c, &a, on);
}

void chart_draw(const struct chart *c, struct canvas *on)
{
    write_text(on, 0, 0, CANVAS_LEFT, CANVAS_INK, c->title);
    if (c->bars)
        draw_bars(c, on);
    else
        draw_series(c, on);
    if (c->note)
        write_text(on, 0, chart_rows(c) - 2, CANVAS_LEFT, CANVAS_DIM, c->note);
}
