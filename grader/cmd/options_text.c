/* What people and programs are told about options. */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"

enum { TEXT_AT = 22, INDENT = 24 }; /* where the text begins, and where it goes on */

static void print_options(const struct command *c)
{
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++) {
        if (!row->help)
            continue;
        char letter[] = "-x, ";
        letter[1] = row->letter;
        OWNED char *head = xasprintf("  %s--%s%s%s", row->letter ? letter : "", row->name,
                                     row->argument ? " " : "", row->argument ? row->argument : "");
        if (strlen(head) > TEXT_AT - 1)
            term_print(stdout, INDENT, "%s\n%*s%s\n", head, TEXT_AT, "", row->help);
        else
            term_print(stdout, INDENT, "%-*s%s\n", TEXT_AT, head, row->help);
    }
}

void options_print_help(const struct command *c)
{
    term_print(stdout, 2, "usage: paragrade %s\n\n%s\n\n", c->usage, c->summary);
    fputs(c->about ? c->about : "", stdout);
    fputs(c->about && option_of(c, option_rows) ? "\n" : "", stdout);
    command_layout(stdout);
    print_options(c);
    term_layout(NULL, 0);
    if (c->more)
        printf("\n%s", c->more);
}

void options_print_names(const struct command *c)
{
    puts("--help");
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++)
        if (row->help)
            printf("--%s%s\n", row->name, row->argument ? "=" : "");
    puts("-h");
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++)
        if (row->help && row->letter)
            printf("-%c\n", row->letter);
}

/* How many bytes of the text, at the beginning of a word, are an option or a variable of the
 * environment. */
static size_t is_name(const char *text)
{
    size_t n = strspn(text, "-$");
    if (!n)
        return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '-')
        n++;
    return n;
}

/* In roff, a bare hyphen is typographic and cannot be copied. */
static void print_roff(const char *text)
{
    size_t bold = 0;
    for (const char *p = text; *p; p++) {
        if (!bold && (p == text || strchr(" (", p[-1])) && (bold = is_name(p)))
            fputs("\\fB", stdout);
        if (strchr("-\\", *p))
            fputs(*p == '-' ? "\\-" : "\\e", stdout);
        else
            putchar(*p);
        if (bold && --bold == 0)
            fputs("\\fR", stdout);
    }
}

void options_print_manual(const struct command *c)
{
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++) {
        if (!row->help)
            continue;
        fputs(".TP\n", stdout);
        if (row->letter)
            printf("\\fB\\-%c\\fR, ", row->letter);
        fputs("\\fB\\-\\-", stdout);
        print_roff(row->name);
        printf("\\fR%s%s%s\n\\&", row->argument ? " \\fI" : "", row->argument ? row->argument : "",
               row->argument ? "\\fR" : "");
        print_roff(row->help);
        putchar('\n');
    }
}
