#include "pages/html.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Length of the UTF-8 sequence at s, and its character; 0: there is none. */
static size_t decode(const unsigned char *s, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = s[0] < 0x80             ? 1
                     : (s[0] & 0xe0) == 0xc0 ? 2
                     : (s[0] & 0xf0) == 0xe0 ? 3
                     : (s[0] & 0xf8) == 0xf0 ? 4
                                             : 0;
    *c = n == 1 ? s[0] : n ? s[0] & (0x7fU >> n) : 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *c = *c << 6 | (s[i] & 0x3f);
    }
    return n && *c >= least[n] && *c <= 0x10ffff && (*c < 0xd800 || *c > 0xdfff) ? n : 0;
}

/* Characters that are not shown, or that change what others look like. */
static bool is_hidden(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0x200e ||
           c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0x061c || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

void html_add(struct strbuf *sb, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        uint32_t c;
        const size_t n = decode(s, &c);
        if (!n || is_hidden(c))
            strbuf_adds(sb, REPLACEMENT);
        else if (c == '&')
            strbuf_adds(sb, "&amp;");
        else if (c == '<')
            strbuf_adds(sb, "&lt;");
        else if (c == '>')
            strbuf_adds(sb, "&gt;");
        else if (c == '"')
            strbuf_adds(sb, "&quot;");
        else if (c == '\'')
            strbuf_adds(sb, "&#39;");
        else
            strbuf_add(sb, s, n);
        s += n ? n : 1;
    }
}

static void add_formatted(struct strbuf *sb, const char *fmt, va_list ap)
{
    OWNED char *text = xvasprintf(fmt, ap);
    html_add(sb, text);
}

void html_addf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_formatted(sb, fmt, ap);
    va_end(ap);
}

/* <h2 id="ID-title">TITLE</h2> */
static void add_heading(struct strbuf *sb, int level, const char *id, const char *title)
{
    strbuf_addf(sb, "<h%d id=\"%s-title\">", level, id);
    html_add(sb, title);
    strbuf_addf(sb, "</h%d>\n", level);
}

void html_section(struct html_page *p, const char *id, const char *title)
{
    strbuf_addf(&p->nav, "<li><a href=\"#%s\">", id);
    html_add(&p->nav, title);
    strbuf_adds(&p->nav, "</a></li>\n");
    strbuf_addf(&p->body, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    add_heading(&p->body, 2, id, title);
}

void html_section_end(struct html_page *p)
{
    strbuf_adds(&p->body, "</section>\n");
}

void html_heading(struct html_page *p, const char *id, const char *title)
{
    add_heading(&p->body, 3, id, title);
}

void html_paragraph(struct html_page *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_adds(&p->body, "<p>");
    add_formatted(&p->body, fmt, ap);
    strbuf_adds(&p->body, "</p>\n");
    va_end(ap);
}

void html_total(struct html_page *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    strbuf_adds(&p->body, "<p class=\"total\">");
    add_formatted(&p->body, fmt, ap);
    strbuf_adds(&p->body, "</p>\n");
    va_end(ap);
}

void html_labelled(struct html_page *p, const char *label, const char *text)
{
    strbuf_adds(&p->body, "<p><strong>");
    html_add(&p->body, label);
    strbuf_adds(&p->body, "</strong> ");
    html_add(&p->body, text);
    strbuf_adds(&p->body, "</p>\n");
}

void html_lines(struct html_page *p, const char *label, const char *text)
{
    strbuf_adds(&p->body, "<p class=\"label\">");
    html_add(&p->body, label);
    strbuf_adds(&p->body, "</p>\n<pre><code>");
    html_add(&p->body, text);
    strbuf_adds(&p->body, "</code></pre>\n");
}

/* The policy forbids scripts, but for ours, and every request, so that text of students can do
 * nothing even if it were not escaped. The empty icon keeps browsers from asking for one. */
static const char before[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
static const char head[] =
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<title>";

char *html_page_finish(struct html_page *p, const char *title, const char *subtitle,
                       const char *footer)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, before);
    if (p->sortable) {
        char sum[DIGEST_BASE64];
        digest_base64(html_sort_script, strlen(html_sort_script), sum);
        strbuf_addf(&sb, "script-src 'sha256-%s'; ", sum);
    }
    strbuf_adds(&sb, head);
    html_add(&sb, title);
    strbuf_adds(&sb, "</title>\n<style>\n");
    html_raw_style(&sb);
    strbuf_adds(&sb, "</style>\n</head>\n");
    strbuf_adds(&sb, p->sortable ? "<body class=\"wide\">\n" : "<body>\n");
    strbuf_adds(&sb, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n<h1>");
    html_add(&sb, title);
    strbuf_adds(&sb, "</h1>\n<p>");
    html_add(&sb, subtitle);
    strbuf_adds(&sb, "</p>\n</header>\n<nav aria-label=\"Sections\">\n<ul>\n");
    strbuf_add(&sb, p->nav.s, p->nav.len);
    strbuf_adds(&sb, "</ul>\n</nav>\n<main id=\"content\" tabindex=\"-1\">\n");
    strbuf_add(&sb, p->body.s, p->body.len);
    strbuf_adds(&sb, "</main>\n<footer>\n<p>");
    html_add(&sb, footer);
    strbuf_adds(&sb, "</p>\n</footer>\n");
    if (p->sortable)
        strbuf_addf(&sb, "<script>%s</script>\n", html_sort_script);
    strbuf_adds(&sb, "</body>\n</html>\n");
    strbuf_free(&p->nav);
    strbuf_free(&p->body);
    return strbuf_detach(&sb);
}
