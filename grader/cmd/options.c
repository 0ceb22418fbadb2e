#include "cmd/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "base/strbuf.h"
#include "base/term.h"

/* The options as getopt_long wants them. An option without a letter is known by its row. */
struct known {
    struct option *table; /* --help is the first one */
    char *letters;
};

enum { FIRST_ROW = UCHAR_MAX + 1 };

static struct known known_of(const struct command *c)
{
    struct strbuf letters = STRBUF_INIT;
    struct known k = {xcalloc(2, sizeof *k.table), NULL};
    size_t n = 0;
    k.table[n++] = (struct option){"help", no_argument, NULL, 'h'};
    strbuf_adds(&letters, "h");
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++) {
        const int value = row->letter ? row->letter : FIRST_ROW + (int)(row - option_rows);
        k.table = xrealloc_array(k.table, n + 2, sizeof *k.table);
        k.table[n++] = (struct option){row->name, row->argument ? required_argument : no_argument,
                                       NULL, value};
        if (row->letter)
            strbuf_addf(&letters, "%c%s", row->letter, row->argument ? ":" : "");
    }
    k.table[n] = (struct option){0};
    k.letters = strbuf_detach(&letters);
    return k;
}

static const struct option_row *row_of(const struct command *c, int value)
{
    const struct option_row *row = option_rows;
    if (value >= FIRST_ROW)
        return row + (value - FIRST_ROW);
    while ((row = option_of(c, row)) && row->letter != value)
        row++;
    return row;
}

static const struct option *nearest(const struct option *options, const char *name)
{
    const struct option *best = NULL;
    unsigned least = UINT_MAX;
    for (; options->name; options++)
        if (similar_more(name, options->name, &least))
            best = options;
    return best;
}

static int unknown(const struct command *c, const struct option *options, const char *name)
{
    FREED_BY(strbuf_free) struct strbuf several = STRBUF_INIT;
    size_t n = strlen(name);
    int count = 0, status;
    for (const struct option *o = options; o->name; o++)
        if (strncmp(o->name, name, n) == 0)
            strbuf_addf(&several, "%s--%s", count++ ? ", " : "", o->name);
    const struct option *near = nearest(options, name);
    if (count > 1)
        status = command_usage(c, "--%s may be any of %s", name, several.s);
    else if (near)
        status = command_usage(c, "there is no option --%s; did you mean --%s?", name, near->name);
    else
        status = command_usage(c, "there is no option --%s", name);
    return status;
}

/* Is the word "--NAME" or "--NAME=VALUE", where NAME is the option's name or its beginning? */
static bool is_word_of(const char *word, const struct option *o)
{
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, o->name, strcspn(word + 2, "=")) == 0;
}

/* getopt_long has returned '?', and has printed nothing. Say what is wrong with the option, and
 * name a similar one if there is one. Returns EXIT_USAGE. */
static int bad_option(const struct command *c, char *const *argv, const struct option *options)
{
    const char *word = optind > 0 ? argv[optind - 1] : "--";
    const struct option *known = NULL;
    for (const struct option *o = options; optopt && o->name && !known; o++)
        if (o->val == optopt)
            known = o;
    if (!optopt) { /* an unknown long option: "--name" or "--name=value" */
        const char *start = word + strspn(word, "-");
        OWNED char *name = xasprintf("%.*s", (int)strcspn(start, "="), start);
        return unknown(c, options, name);
    }
    if (known && is_word_of(word, known))
        return command_usage(
            c, known->has_arg == no_argument ? "--%s takes no value" : "--%s needs a value",
            known->name);
    return command_usage(c, known ? "-%c needs a value" : "there is no option -%c", optopt);
}

/* For programs. */
static bool list(const struct command *c, const char *word)
{
    if (strcmp(word, "--list-options") == 0)
        options_print_names(c);
    else if (strcmp(word, "--list-options=man") == 0)
        options_print_manual(c);
    else
        return false;
    return true;
}

int options_read(struct options *o, int argc, char **argv)
{
    const struct command *c = o->command;
    struct err e = ERR_INIT;
    int opt, status = COMMAND_GO_ON;
    if (argc == 2 && list(c, argv[1]))
        return EXIT_OK;
    if (argc >= 2 && strcmp(argv[1], "--list-values") == 0) {
        options_print_values(c, argc - 2, argv + 2);
        return EXIT_OK;
    }
    struct known k = known_of(c);
    opterr = 0; /* getopt prints nothing: bad_option() does */
    optind = 0; /* resets all of getopt's state, in glibc */
    while (status == COMMAND_GO_ON &&
           (opt = getopt_long(argc, argv, k.letters, k.table, NULL)) != -1) {
        const struct option_row *row = opt == 'h' || opt == '?' ? NULL : row_of(c, opt);
        if (opt == 'h') {
            options_print_help(c);
            status = EXIT_OK;
        } else if (!row) {
            status = bad_option(c, argv, k.table);
        } else if (row->take(o, row, optarg, &e) != 0) {
            status = command_error(c, &e);
        }
    }
    o->operand = argv + optind;
    o->operands = (size_t)(argc - optind);
    free(k.table);
    free(k.letters);
    if (o->tsv)
        term_set_tsv();
    return status;
}
