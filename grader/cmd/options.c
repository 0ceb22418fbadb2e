#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "base/strbuf.h"
#include "cmd/command.h"

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
    struct strbuf several = STRBUF_INIT;
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
    strbuf_free(&several);
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
        char *name = xasprintf("%.*s", (int)strcspn(start, "="), start);
        int status = unknown(c, options, name);
        free(name);
        return status;
    }
    if (known && is_word_of(word, known))
        return command_usage(
            c, known->has_arg == no_argument ? "--%s takes no value" : "--%s needs a value",
            known->name);
    return command_usage(c, known ? "-%c needs a value" : "there is no option -%c", optopt);
}

/* The table with --help before the others. The caller frees it. */
static struct option *with_help(const struct option *table)
{
    size_t n = 0;
    while (table && table[n].name)
        n++;
    struct option *all = xcalloc(n + 2, sizeof *all);
    all[0] = (struct option){"help", no_argument, NULL, 'h'};
    if (n)
        memcpy(all + 1, table, n * sizeof *all);
    return all;
}

static void list_options(const struct option *table, const char *letters)
{
    for (; table->name; table++)
        if (table->val < OPTION_HIDDEN)
            printf("--%s%s\n", table->name, table->has_arg == no_argument ? "" : "=");
    for (; *letters; letters++)
        if (*letters != ':')
            printf("-%c\n", *letters);
}

int command_options(const struct command *c, const struct command_options *o, int argc, char **argv)
{
    struct option *table = with_help(o->table);
    char *letters = xasprintf("h%s", o->letters ? o->letters : "");
    struct err e = ERR_INIT;
    int opt, status = COMMAND_GO_ON;
    if (argc == 2 && strcmp(argv[1], "--list-options") == 0) {
        list_options(table, letters);
        status = EXIT_OK;
    }
    opterr = 0; /* getopt prints nothing: bad_option() does */
    optind = 0; /* resets all of getopt's state, in glibc */
    while (status == COMMAND_GO_ON && (opt = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        if (opt == 'h') {
            command_help(c);
            status = EXIT_OK;
        } else if (opt == '?') {
            status = bad_option(c, argv, table);
        } else if (o->take(o->with, opt, optarg, &e) != 0) {
            status = command_error(c, &e);
        }
    }
    free(letters);
    free(table);
    return status;
}
