#include "base/term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What --color says. main() sets it once, before any output. It holds for the whole process, like
 * the environment variables that it overrides, so it is not passed to every function that prints.
 */
static enum term_color_mode color_mode = TERM_COLOR_AUTO;

/* The file that this thread lays out as a terminal is. Whoever prints a report calls one function,
 * and all functions below it must agree on the layout. */
static _Thread_local struct {
    FILE *file; /* NULL: there is none */
    int columns;
} layout;

void term_set_color(enum term_color_mode mode)
{
    color_mode = mode;
}

void term_layout(FILE *f, int columns)
{
    layout.file = f;
    layout.columns = columns;
}

bool term_color(FILE *f)
{
    if (f == layout.file)
        return false;
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

int term_columns(FILE *f)
{
    struct winsize w;
    if (f == layout.file)
        return layout.columns;
    if (isatty(fileno(f)) != 1)
        return 0;
    return ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

int term_lines(FILE *f)
{
    struct winsize w;
    if (isatty(fileno(f)) != 1)
        return 0;
    return ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_row > 0 ? w.ws_row : 24;
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
    return f == layout.file || isatty(fileno(f)) == 1 || color_mode == TERM_COLOR_ALWAYS;
}

/* U+202A to U+202E, U+2066 to U+2069: they change the order in which the rest of a line is shown.
 */
static bool is_direction(const unsigned char *p)
{
    return p[0] == 0xe2 && ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
                            (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

void term_make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if ((*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f)
            *p = ' ';
        else if (*p == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) /* U+0080 to U+009F */
            p[0] = p[1] = ' ';
        else if (is_direction(p))
            p[0] = p[1] = p[2] = ' ';
    }
}
