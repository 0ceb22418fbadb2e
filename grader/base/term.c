#include "base/term.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"

/* What --color says. main() sets it once, before any output. It holds for the whole process, like
 * the environment variables that it overrides, so it is not passed to every function that prints.
 */
static enum term_color_mode color_mode = TERM_COLOR_AUTO;

void term_set_color(enum term_color_mode mode)
{
    color_mode = mode;
}

bool term_color(FILE *f)
{
    if (color_mode != TERM_COLOR_AUTO)
        return color_mode == TERM_COLOR_ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no && *no) || (term && strcmp(term, "dumb") == 0))
        return false;
    return isatty(fileno(f)) == 1;
}

const char *term_on(FILE *f, enum term_style style)
{
    static const char *const codes[] = {"",         "\033[1m",  "\033[2m", "\033[31m",
                                        "\033[32m", "\033[33m", "\033[36m"};
    return style != TERM_PLAIN && term_color(f) ? codes[style] : "";
}

const char *term_off(FILE *f)
{
    return term_color(f) ? "\033[0m" : "";
}

/* Characters, not bytes: everything printed here is one column wide per character. */
int term_width(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* --- tables ----------------------------------------------------------------------------------- */

struct cell {
    char *text;
    enum term_style style;
};

struct term_table {
    char *title;
    char **heading;
    enum term_align *align;
    size_t columns;
    struct cell *cell; /* rows x columns */
    size_t cells;
};

struct term_table *term_table_new(const char *title)
{
    struct term_table *t = xcalloc(1, sizeof *t);
    t->title = title ? xstrdup(title) : NULL;
    return t;
}

void term_make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if ((*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f)
            *p = ' ';
        else if (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) /* U+0080 to U+009F */
            p[0] = p[1] = ' ';
    }
}

void term_table_column(struct term_table *t, const char *heading, enum term_align align)
{
    t->heading = xrealloc_array(t->heading, t->columns + 1, sizeof *t->heading);
    t->align = xrealloc_array(t->align, t->columns + 1, sizeof *t->align);
    t->heading[t->columns] = xstrdup(heading);
    t->align[t->columns++] = align;
}

/* Takes the text. */
static void add_cell(struct term_table *t, enum term_style style, char *text)
{
    t->cell = xrealloc_array(t->cell, t->cells + 1, sizeof *t->cell);
    t->cell[t->cells++] = (struct cell){text, style};
}

void term_table_cell(struct term_table *t, enum term_style style, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *text = xcalloc((size_t)(n < 0 ? 0 : n) + 1, 1);
    if (n > 0)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(ap);
    /* One row is one line, whatever a student printed. */
    term_make_printable(text);
    for (char *p = text; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    add_cell(t, style, text);
}

void term_table_end_row(struct term_table *t)
{
    while (t->columns && t->cells % t->columns)
        add_cell(t, TERM_PLAIN, xstrdup(""));
}

enum { LEFT_OUT = -1 };

/* A column that says nothing in any row is left out. */
static int *column_widths(const struct term_table *t)
{
    int *w = xcalloc(t->columns, sizeof *w);
    for (size_t c = 0; c < t->columns; c++)
        w[c] = t->cells ? LEFT_OUT : term_width(t->heading[c]);
    for (size_t i = 0; i < t->cells; i++) {
        const size_t c = i % t->columns;
        const char *text = t->cell[i].text;
        if (w[c] == LEFT_OUT && (!*text || strcmp(text, "-") == 0))
            continue;
        if (w[c] == LEFT_OUT)
            w[c] = term_width(t->heading[c]);
        if (term_width(text) > w[c])
            w[c] = term_width(text);
    }
    return w;
}

static void print_cell(FILE *f, const char *text, enum term_style style, enum term_align align,
                       int width, bool last)
{
    int pad = width - term_width(text);
    if (align == TERM_RIGHT)
        fprintf(f, "%*s", pad, "");
    fprintf(f, "%s%s%s", term_on(f, style), text, style != TERM_PLAIN ? term_off(f) : "");
    if (align == TERM_LEFT && !last)
        fprintf(f, "%*s", pad, "");
}

/* row: its cells; NULL: the headings. */
static void print_row(const struct term_table *t, const struct cell *row, const int *w, FILE *f)
{
    size_t last = t->columns;
    while (last && w[last - 1] == LEFT_OUT)
        last--;
    for (size_t c = 0, shown = 0; c < last; c++) {
        if (w[c] == LEFT_OUT)
            continue;
        fputs(shown++ ? "  " : "", f);
        print_cell(f, row ? row[c].text : t->heading[c], row ? row[c].style : TERM_DIM, t->align[c],
                   w[c], c + 1 == last);
    }
    fputc('\n', f);
}

static void print_aligned(const struct term_table *t, FILE *f)
{
    int *w = column_widths(t);
    print_row(t, NULL, w, f);
    for (size_t i = 0; i < t->cells; i += t->columns)
        print_row(t, &t->cell[i], w, f);
    free(w);
}

static void print_plain(const struct term_table *t, FILE *f)
{
    for (size_t c = 0; c < t->columns; c++)
        fprintf(f, "%s%s", t->heading[c], c + 1 < t->columns ? "\t" : "\n");
    for (size_t i = 0; i < t->cells; i++)
        fprintf(f, "%s%s", t->cell[i].text, (i + 1) % t->columns ? "\t" : "\n");
}

void term_table_discard(struct term_table *t)
{
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i].text);
    for (size_t c = 0; c < t->columns; c++)
        free(t->heading[c]);
    free(t->cell);
    free(t->heading);
    free(t->align);
    free(t->title);
    free(t);
}

void term_table_print(struct term_table *t, FILE *f)
{
    if (t->title)
        fprintf(f, "%s%s%s\n", term_on(f, TERM_BOLD), t->title, term_off(f));
    if (!t->columns)
        ; /* nothing but a title */
    else if (isatty(fileno(f)) == 1 || color_mode == TERM_COLOR_ALWAYS)
        print_aligned(t, f);
    else
        print_plain(t, f);
    term_table_discard(t);
}

/* --- progress --------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 24, BAR_EVERY_MS = 100, LINE_EVERY_MS = 5000 };

void progress_start(struct progress *p, size_t total, bool quiet)
{
    *p = (struct progress){.total = total, .quiet = quiet, .started_ns = clock_mono_ns()};
    p->bar = isatty(STDERR_FILENO) == 1;
}

static void clear_bar(const struct progress *p)
{
    if (p->bar && p->shown_ns)
        fputs("\r\033[K", stderr);
}

static void time_left(const struct progress *p, char *out, size_t cap)
{
    double spent = (double)(clock_mono_ns() - p->started_ns) * 1e-9;
    out[0] = '\0';
    if (!p->done || p->done >= p->total)
        return;
    long s = (long)(spent / (double)p->done * (double)(p->total - p->done) + 0.5);
    if (s >= 3600)
        snprintf(out, cap, ", about %ldh%02ldm left", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(out, cap, ", about %ldm%02lds left", s / 60, s % 60);
    else
        snprintf(out, cap, ", about %lds left", s);
}

/* Columns of the terminal. */
static int terminal_columns(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

void progress_update(struct progress *p, size_t done, const char *fmt, ...)
{
    bool step = done != p->done;
    p->done = done;
    if (p->quiet)
        return;
    unsigned long long now = clock_mono_ns();
    unsigned long long every = (p->bar ? BAR_EVERY_MS : LINE_EVERY_MS) * 1000000ULL;
    if (p->shown_ns && now - p->shown_ns < every && !(step && (p->bar || done == p->total)))
        return;
    char text[200], left[64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    time_left(p, left, sizeof left);
    if (p->bar) {
        size_t full = p->total ? p->done * BAR_WIDTH / p->total : 0;
        char line[400];
        snprintf(line, sizeof line, "[%.*s%*s] %zu/%zu%s  %s", (int)full,
                 "########################", (int)(BAR_WIDTH - full), "", p->done, p->total, left,
                 text);
        clear_bar(p); /* it cannot clear a bar that takes more than one line of the terminal */
        fprintf(stderr, "%.*s", terminal_columns() - 1, line);
    } else {
        fprintf(stderr, "%zu/%zu%s  %s\n", p->done, p->total, left, text);
    }
    fflush(stderr);
    p->shown_ns = now;
}

void progress_note(struct progress *p, const char *fmt, ...)
{
    clear_bar(p);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void progress_end(struct progress *p)
{
    clear_bar(p);
    p->shown_ns = 0;
    fflush(stderr);
}
