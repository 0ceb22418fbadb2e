#include "cmd/command.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "base/term.h"

enum { HELP_COLUMNS = 80 };

int command_error(const struct command *c, const struct err *e)
{
    term_print(stderr, 2, "paragrade %s: %s\n", c->name, e->text);
    if (e->kind == ERR_SYSTEM && e->file_error)
        term_print(stderr, 2, "  This machine or its file server fails: try again when it works\n");
    return e->kind == ERR_INPUT ? EXIT_USAGE : EXIT_FAILURES;
}

void command_layout(FILE *f)
{
    const int columns = term_columns(f);
    term_layout(f, columns && columns < HELP_COLUMNS ? columns : HELP_COLUMNS);
}

int command_usage(const struct command *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    OWNED char *text = xvasprintf(fmt, ap);
    va_end(ap);
    term_print(stderr, 2, "paragrade %s: %s\n", c->name, text);
    term_print(stderr, 2, "usage: paragrade %s\nMore: paragrade help %s\n", c->usage, c->name);
    return EXIT_USAGE;
}
