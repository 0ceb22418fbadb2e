#include "cmd/command.h"

#include <stdarg.h>
#include <stdio.h>

int command_error(const struct command *c, const struct err *e)
{
    fprintf(stderr, "paragrade %s: %s\n", c->name, e->text);
    return e->kind == ERR_INPUT ? EXIT_USAGE : EXIT_FAILURES;
}

void command_help(const struct command *c)
{
    printf("usage: paragrade %s\n\n%s\n\n%s", c->usage, c->summary, c->help);
}

int command_usage(const struct command *c, const char *fmt, ...)
{
    fprintf(stderr, "paragrade %s: ", c->name);
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\nusage: paragrade %s\nMore: paragrade help %s\n", c->usage, c->name);
    return EXIT_USAGE;
}
