#include "pages/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "report/drawing.h"

/* PART: pictures of one process, which takes much longer to draw them than to start. */
enum { BYTES_MOST = 512 << 20, PART = 200 };

/* Colours of scripts, and the variables of the style that pages have in their place. */
static const struct {
    unsigned rgb;
    const char *variable;
} palette[] = {
    {0xffffff, "paper"}, {0x333333, "ink"}, {0x888888, "dim"}, {0x999999, "dim"},
    {0xdddddd, "grid"},  {0x0072b2, "s1"},  {0xd55e00, "s2"},  {0x009e73, "s3"},
    {0xcc79a7, "s4"},    {0xe69f00, "s5"},  {0x56b4e9, "s6"},  {0x000000, "s7"},
    {0x76448a, "s8"},
};

static size_t parts(const struct pictures *p)
{
    return (p->count + PART - 1) / PART;
}

int pictures_added(struct pictures *p, bool any)
{
    if (!any)
        return -1;
    if (p->count % PART == 0)
        p->part = list_one_more(p->part, parts(p), sizeof *p->part);
    struct pictures_part *part = &p->part[p->count / PART];
    strbuf_add(&part->script, p->script.s, p->script.len);
    strbuf_clear(&p->script);
    part->count++;
    return (int)p->count++;
}

static void draw_part(void *arg, size_t i)
{
    static const char begin[] = "<?xml ";
    struct pictures_part *part = &((struct pictures *)arg)->part[i];
    unsigned n = 0;
    if (drawing_run(part->script.s, BYTES_MOST, &part->drawn, &part->why) != 0)
        return;
    part->svg = xcalloc(part->count, sizeof *part->svg);
    for (char *at = part->drawn.s; (at = strstr(at, begin)); at++) {
        if (n < part->count)
            part->svg[n] = at + 1;
        n++;
        *at = '\0'; /* the end of the picture before */
    }
    if (n != part->count)
        err_system(&part->why, "gnuplot drew %u pictures instead of %u", n, part->count);
}

int pictures_draw(struct pictures *p, struct err *e)
{
    parallel_for(parts(p), draw_part, p);
    for (size_t i = 0; i < parts(p); i++)
        if (p->part[i].why.kind != ERR_NONE) {
            *e = p->part[i].why;
            return -1;
        }
    p->drawn = true;
    return 0;
}

void pictures_free(struct pictures *p)
{
    for (size_t i = 0; i < parts(p); i++) {
        strbuf_free(&p->part[i].script);
        strbuf_free(&p->part[i].drawn);
        free(p->part[i].svg);
    }
    strbuf_free(&p->script);
    free(p->part);
    *p = (struct pictures)PICTURES_INIT;
}

static void add_colour(struct strbuf *sb, unsigned rgb)
{
    for (size_t i = 0; i < sizeof palette / sizeof palette[0]; i++)
        if (palette[i].rgb == rgb) {
            strbuf_addf(sb, "var(--%s)", palette[i].variable);
            return;
        }
    strbuf_adds(sb, "currentColor");
}

/* The colour that `s` starts with, as gnuplot writes it. The length; 0: there is none. */
static int read_colour(const char *s, unsigned *rgb)
{
    char text[sizeof "rgb(000, 000, 000)"]; /* sscanf() looks for the end of what it is given */
    unsigned r, g, b;
    int n = 0;
    if (strncmp(s, "rgb(", 4) != 0)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, s);
    if (sscanf(text, "rgb(%3u,%3u,%3u)%n", &r, &g, &b, &n) == 3 && n) {
        *rgb = r << 16 | g << 8 | b;
        return n;
    }
    return 0;
}

/* What of gnuplot's SVG is replaced in a page: titles that only name its own parts are left out;
 * names get the name of the picture in front, because they must be unique on the page. */
struct replacement {
    const char *from, *to;
    bool named; /* the name of the picture comes behind `to` */
};

static const struct replacement replacements[] = {
    {"xlink:href='#", "href='#", true},
    {"id='", "id='", true},
    {"id=\"", "id=\"", true},
    {"url(#", "url(#", true},
    {"'black'", "'currentColor'", false},
    {"\"black\"", "\"currentColor\"", false},
    {"\"#ffffff\"", "\"none\"", false},
    {"\"#FFFFFF\"", "\"currentColor\"", false},
    {"\"white\"", "\"currentColor\"", false},
};

/* First characters of what is replaced, of colours, and the ends of tags. */
static const char special[] = "<>xiu'\"r";

static size_t replace(struct strbuf *sb, const char *s, const char *id)
{
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++) {
        const struct replacement *r = &replacements[i];
        if (strncmp(s, r->from, strlen(r->from)) == 0) {
            strbuf_adds(sb, r->to);
            if (r->named)
                strbuf_addf(sb, "%s-", id);
            return strlen(r->from);
        }
    }
    return 0;
}

/* Text of the picture has "<" as "&lt;", and only tags hold what is replaced. */
static void add_svg(struct strbuf *sb, const char *s, const char *id)
{
    static const char title[] = "<title>", title_end[] = "</title>";
    bool in_tag = false;
    for (;;) {
        const size_t plain = strcspn(s, in_tag ? special : "<");
        strbuf_add(sb, s, plain);
        s += plain;
        if (!*s || strncmp(s, "</svg>", 6) == 0)
            return;
        if (strncmp(s, title, strlen(title)) == 0) {
            const char *end = strstr(s, title_end);
            s = end ? end + strlen(title_end) : s + strlen(s);
            continue;
        }
        unsigned rgb;
        size_t n = in_tag ? replace(sb, s, id) : 0;
        const int colour = in_tag && !n ? read_colour(s, &rgb) : 0;
        if (colour)
            add_colour(sb, rgb);
        in_tag = *s == '<' || (in_tag && *s != '>');
        n += (size_t)colour;
        if (!n)
            strbuf_add(sb, s, 1);
        s += n ? n : 1;
    }
}

void picture_show(struct html_page *page, const struct pictures *p, int number,
                  const struct picture_text *text)
{
    struct strbuf *sb = &page->body;
    const char *svg = number >= 0 && p->drawn ? p->part[number / PART].svg[number % PART] : NULL;
    const char *canvas = svg ? strstr(svg, "<g id=\"gnuplot_canvas\"") : NULL;
    int width, height;
    const char *size = svg ? strstr(svg, "viewBox=\"0 0 ") : NULL;
    if (!canvas || !size || sscanf(size, "viewBox=\"0 0 %d %d\"", &width, &height) != 2)
        return;
    strbuf_addf(sb,
                "<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-name\" "
                "aria-describedby=\"%s-caption\">\n<title id=\"%s-name\">",
                width, height, text->id, text->id, text->id);
    html_add(sb, text->title);
    strbuf_adds(sb, "</title>\n");
    add_svg(sb, canvas, text->id);
    strbuf_addf(sb, "</svg>\n<figcaption id=\"%s-caption\">", text->id);
    html_add(sb, text->caption);
    strbuf_adds(sb, "</figcaption>\n</figure>\n");
}
