/* The width of text; breaking lines at blanks, so that they fit. */
#include <stdarg.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term.h"

/* Characters, not bytes: everything printed here is one column wide per character. */
int term_width(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* How lines are broken. */
struct paragraph {
    int columns;     /* of the terminal */
    int indent;      /* of the lines after a break */
    const char *end; /* of a line that goes on in the next one, before its line feed */
};

/* Bytes of the escape sequence (of a style) at s; 0: there is none. */
static size_t escape_length(const char *s)
{
    if (strncmp(s, "\033[", 2) != 0)
        return 0;
    const size_t n = 2 + strspn(s + 2, "0123456789;");
    return s[n] == 'm' ? n + 1 : 0;
}

/* The length of the word at s in bytes; *columns: what it takes on the terminal, where escape
 * sequences take nothing. */
static size_t word_length(const char *s, int *columns)
{
    size_t n = 0;
    *columns = 0;
    while (s[n] && s[n] != ' ' && s[n] != '\n') {
        const size_t escape = escape_length(s + n);
        *columns += !escape && ((unsigned char)s[n] & 0xc0) != 0x80;
        n += escape ? escape : 1;
    }
    return n;
}

/* A word that is longer than a line gets a line of its own, and is not broken. */
static void wrap(const struct paragraph *p, const char *text, struct strbuf *out)
{
    const int most = p->columns - term_width(p->end);
    int at = 0;
    bool first = true; /* no word on this line yet */
    while (*text) {
        if (*text == '\n') {
            strbuf_adds(out, "\n");
            text++;
            at = 0;
            first = true;
            continue;
        }
        int columns;
        const int blanks = (int)strspn(text, " ");
        const size_t n = word_length(text + blanks, &columns);
        if (!first && columns && at + blanks + columns > most) {
            strbuf_addf(out, "%s\n%*s", p->end, p->indent, "");
            at = p->indent;
        } else if (text[blanks] && text[blanks] != '\n') {
            strbuf_addf(out, "%*s", blanks, "");
            at += blanks;
        }
        strbuf_add(out, text + blanks, n);
        at += columns;
        first = first && !columns;
        text += (size_t)blanks + n;
    }
}

static void print(FILE *f, int indent, const char *end, const char *fmt, va_list ap)
{
    const struct paragraph p = {term_columns(f), indent, end};
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    OWNED char *text = xvasprintf(fmt, ap);
    if (p.columns)
        wrap(&p, text, &out);
    fputs(p.columns ? out.s : text, f);
}

void term_print(FILE *f, int indent, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print(f, indent, "", fmt, ap);
    va_end(ap);
}

void term_print_command(FILE *f, int indent, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print(f, indent, " \\", fmt, ap);
    va_end(ap);
}
