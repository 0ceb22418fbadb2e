#include "base/term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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

/* The locale of the process stays "C", so that numbers are read and printed in one way. */
bool term_utf8(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (l == (locale_t)0)
        return false;
    const bool is = strcmp(nl_langinfo_l(CODESET, l), "UTF-8") == 0;
    freelocale(l);
    return is;
}

bool term_for_people(FILE *f)
{
    return isatty(fileno(f)) == 1 || color_mode == TERM_COLOR_ALWAYS;
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
        fprintf(stderr, "%.*s", term_columns(stderr) - 1, line);
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
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    term_print(stderr, 0, "%s\n", text);
    free(text);
}

void progress_end(struct progress *p)
{
    clear_bar(p);
    p->shown_ns = 0;
    fflush(stderr);
}
