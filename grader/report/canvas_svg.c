/*
 * Charts as SVG, without any other program. Dark mode is the reader's choice. Programs that know no
 * variables of CSS (rsvg-convert, Inkscape, what makes a PDF) must see colours, too.
 */
#include <stdlib.h>

#include "report/canvas.h"
#include "report/drawing.h"

/* Pixels of a character: all are as wide, also capitals, so that names fit. */
#define COLUMN 8.4
#define ROW 19.0
#define MARK 5.0
#define MARGIN 14.0
#define PAPER "#ffffff"
#define INK "#222222"
#define DIM "#767676"
#define GRID "#dddddd"
#define DARK(light, dark)                                                                          \
    "  [fill=\"" light "\"] { fill: " dark "; } [stroke=\"" light "\"] { stroke: " dark "; }\n"

static struct strbuf *out(struct canvas *c)
{
    return c->with;
}

static const char *colour_of(int colour)
{
    return colour == CANVAS_INK                              ? INK
           : colour == CANVAS_DIM                            ? DIM
           : colour == CANVAS_GRID                           ? GRID
           : colour % DRAWING_COLOURS == DRAWING_COLOURS - 1 ? INK /* the last colour is black */
                                                             : drawing_colour((unsigned)colour);
}

static void line(struct canvas *c, const double from[2], const double to[2], int colour,
                 bool dashed)
{
    strbuf_addf(out(c),
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"%s\"%s/>\n",
                from[0] * COLUMN, from[1] * ROW, to[0] * COLUMN, to[1] * ROW, colour_of(colour),
                colour < 0 ? "1" : "2", dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void mark(struct canvas *c, const double at[2], int series, bool ring)
{
    static const char *const paths[] = {"", "M-4.5-4.5h9v9h-9z", "M0-6 5.5 4h-11z",
                                        "M0-6 6 0 0 6-6 0z", "M0 6 5.5-4h-11z"};
    const char *path = paths[series % 5], *colour = colour_of(series);
    strbuf_addf(out(c), "<g transform=\"translate(%.1f %.1f)\" fill=\"%s\" stroke=\"%s\" ",
                at[0] * COLUMN, at[1] * ROW, ring ? PAPER : colour, colour);
    strbuf_adds(out(c), "stroke-width=\"1.5\">");
    if (*path)
        strbuf_addf(out(c), "<path d=\"%s\"/></g>\n", path);
    else
        strbuf_addf(out(c), "<circle r=\"%.1f\"/></g>\n", MARK);
}

static void bar(struct canvas *c, double from, double to, int row, int colour)
{
    strbuf_addf(out(c),
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" "
                "fill=\"%s\"/>\n",
                from * COLUMN, (row + 0.12) * ROW, (to - from) * COLUMN, 0.76 * ROW,
                colour_of(colour));
}

static void text(struct canvas *c, const double at[2], enum canvas_align align, int colour,
                 const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    strbuf_addf(out(c), "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">",
                at[0] * COLUMN, (at[1] + 0.25) * ROW, anchors[align],
                colour < 0 ? colour_of(colour) : INK);
    for (const char *p = words; *p; p++)
        if (*p == '<' || *p == '>' || *p == '&')
            strbuf_adds(out(c), *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;");
        else if ((unsigned char)*p >= ' ')
            strbuf_add(out(c), p, 1);
    strbuf_adds(out(c), "</text>\n");
}

struct canvas *canvas_svg_new(int columns, int rows)
{
    struct canvas *c = xcalloc(1, sizeof *c);
    struct strbuf *sb = xcalloc(1, sizeof *sb);
    *sb = (struct strbuf)STRBUF_INIT;
    *c = (struct canvas){columns, rows, line, mark, bar, text, sb};
    return c;
}

void canvas_svg_add(struct canvas *c, int row, struct strbuf *svg)
{
    OWNED struct strbuf *sb = c->with;
    strbuf_addf(svg, "<g transform=\"translate(%.1f %.1f)\">\n%s</g>\n", MARGIN, MARGIN + row * ROW,
                sb->s);
    strbuf_free(sb);
    free(c);
}

void canvas_svg_begin(int columns, int rows, struct strbuf *svg)
{
    strbuf_addf(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
        "width=\"%.0f\" height=\"%.0f\" font-family=\"monospace\" font-size=\"14\">\n"
        "<style>\n"
        "@media (prefers-color-scheme: dark) {\n" DARK(PAPER, "#16181c") DARK(INK, "#e6e6e6")
            DARK(DIM, "#8f8f8f") DARK(
                GRID, "#3a3d42") "}\n"
                                 "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"" PAPER
                                 "\"/>\n",
        columns * COLUMN + 2 * MARGIN, rows * ROW + MARGIN, columns * COLUMN + 2 * MARGIN,
        rows * ROW + MARGIN);
}

void canvas_svg_end(struct strbuf *svg)
{
    strbuf_adds(svg, "</svg>\n");
}
