/* Charts in characters: eight eighths of a block for bars, eight dots a character for lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/term.h"
#include "report/canvas.h"

enum { DOTS_X = 2, DOTS_Y = 4, CHARACTER = 5, BRAILLE = 0x2800 };

struct cell {
    char text[CHARACTER]; /* one character, "": none */
    unsigned char dots;   /* of lines */
    int colour;
};

struct characters {
    struct cell *cell;
    bool unicode;
};

static struct cell *cell_at(struct canvas *c, int column, int row)
{
    struct characters *t = c->with;
    const bool inside = column >= 0 && column < c->columns && row >= 0 && row < c->rows;
    return inside ? &t->cell[row * c->columns + column] : NULL;
}

static void put(struct canvas *c, int column, int row, const char *text, int colour)
{
    struct cell *x = cell_at(c, column, row);
    if (!x)
        return;
    snprintf(x->text, sizeof x->text, "%s", text);
    x->colour = colour;
}

static void dot(struct canvas *c, double x, double y, int colour)
{
    static const unsigned char bits[DOTS_Y][DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const int dx = (int)floor(x * DOTS_X), dy = (int)floor(y * DOTS_Y);
    struct cell *at = dx < 0 || dy < 0 ? NULL : cell_at(c, dx / DOTS_X, dy / DOTS_Y);
    if (!at)
        return;
    at->dots |= bits[dy % DOTS_Y][dx % DOTS_X];
    if (!at->text[0])
        at->colour = colour;
}

static void line(struct canvas *c, const double from[2], const double to[2], int colour,
                 bool dashed)
{
    const double w = (to[0] - from[0]) * DOTS_X, h = (to[1] - from[1]) * DOTS_Y;
    const int n = (int)ceil(fmax(fabs(w), fabs(h)));
    for (int i = 0; i <= n; i++) {
        const double share = n ? (double)i / n : 0;
        if (colour == CANVAS_GRID ? i % 8 == 0 : !dashed || i % 4 < 2)
            dot(c, from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
                colour);
    }
}

static void mark(struct canvas *c, const double at[2], int series, bool ring)
{
    static const char *const filled[] = {"●", "■", "▲", "◆", "▼"},
                             *const hollow[] = {"○", "□", "△", "◇", "▽"},
                             *const plain[] = {"o", "#", "^", "x", "v"};
    const struct characters *t = c->with;
    const char *const *marks = !t->unicode ? plain : ring ? hollow : filled;
    put(c, (int)floor(at[0]), (int)floor(at[1]), marks[series % 5], series);
}

static void bar(struct canvas *c, double from, double to, int row, int colour)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const struct characters *t = c->with;
    int column = (int)floor(from);
    for (; column + 1 <= to; column++)
        put(c, column, row, t->unicode ? "█" : "#", colour);
    const int rest = (int)((to - column) * 8);
    if (t->unicode && rest > 0)
        put(c, column, row, eighths[rest], colour);
}

static void text(struct canvas *c, const double at[2], enum canvas_align align, int colour,
                 const char *words)
{
    const int width = term_width(words);
    int column = (int)floor(at[0]);
    column -= align == CANVAS_RIGHT ? width : align == CANVAS_CENTRE ? width / 2 : 0;
    for (const char *p = words; *p; column++) {
        char one[CHARACTER] = "";
        size_t n = 1;
        while (n < CHARACTER - 1 && ((unsigned char)p[n] & 0xc0) == 0x80)
            n++;
        memcpy(one, p, n);
        put(c, column, (int)floor(at[1]), one, colour);
        p += n;
    }
}

struct canvas *canvas_text_new(int columns, int rows, bool unicode)
{
    struct canvas *c = xcalloc(1, sizeof *c);
    struct characters *t = xcalloc(1, sizeof *t);
    t->cell = xcalloc((size_t)columns * (size_t)rows, sizeof *t->cell);
    t->unicode = unicode;
    *c = (struct canvas){columns, rows, line, mark, bar, text, t};
    return c;
}

static enum term_style style_of(int colour)
{
    static const enum term_style styles[] = {TERM_CYAN, TERM_YELLOW, TERM_GREEN, TERM_RED,
                                             TERM_BOLD};
    return colour < CANVAS_INK    ? TERM_DIM
           : colour == CANVAS_INK ? TERM_PLAIN
                                  : styles[(size_t)colour % (sizeof styles / sizeof styles[0])];
}

static void print_cell(const struct characters *t, const struct cell *x, FILE *f)
{
    const unsigned code = BRAILLE + x->dots;
    if (!x->text[0] && !x->dots) {
        putc(' ', f);
        return;
    }
    fputs(term_on(f, style_of(x->colour)), f);
    if (x->text[0])
        fputs(x->text, f);
    else if (t->unicode) /* in UTF-8 */
        fprintf(f, "%c%c%c", 0xe0 | (code >> 12), 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f));
    else
        putc('.', f);
    fputs(term_off(f), f);
}

void canvas_text_print(struct canvas *c, FILE *f)
{
    OWNED struct characters *t = c->with;
    for (int row = 0; row < c->rows; row++) {
        const struct cell *x = &t->cell[(size_t)row * (size_t)c->columns];
        int end = c->columns;
        while (end > 0 && !x[end - 1].text[0] && !x[end - 1].dots)
            end--;
        for (int i = 0; i < end; i++)
            print_cell(t, &x[i], f);
        putc('\n', f);
    }
    free(t->cell);
    free(c);
}
