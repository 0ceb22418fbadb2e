#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/command.h"

enum { LONGEST = 40 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edit distance: how many letters must be inserted, removed or changed to turn a into b. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1];
    size_t n = strlen(b);
    if (n > LONGEST)
        return LONGEST;
    for (unsigned k = 0; k <= n; k++)
        row[k] = k;
    for (unsigned i = 1; *a && i <= LONGEST; i++, a++) {
        unsigned corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= n; k++) {
            unsigned above = row[k];
            row[k] = least(above + 1, row[k - 1] + 1, corner + (*a != b[k - 1]));
            corner = above;
        }
    }
    return row[n];
}

static const struct option *nearest(const struct option *options, const char *name)
{
    const struct option *best = NULL;
    unsigned least_so_far =
        (unsigned)strlen(name) / 3 + 1; /* a larger distance is no typing error */
    for (; options->name; options++) {
        unsigned d = distance(name, options->name);
        if (d <= least_so_far && (!best || d < least_so_far)) {
            best = options;
            least_so_far = d;
        }
    }
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

int command_bad_option(const struct command *c, char *const *argv, const struct option *options)
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
