/* The values that may come next on a command line. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "cmd/check_operand.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/run_operand.h"
#include "cmd/run_state.h"
#include "cmd/site_files.h"
#include "import/class_import.h"
#include "model/assignment.h"

/* What the words so far say. */
struct so_far {
    const struct option_row *wanted; /* its value comes next; NULL: an operand */
    const char *assignment;
    const char *operand[2];
    int operands;
};

static const struct option_row *row_of_word(const struct command *c, const char *word)
{
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++)
        if ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0) ||
            (word[0] == '-' && row->letter && word[1] == row->letter && !word[2]))
            return row;
    return NULL;
}

static struct so_far read_words(const struct command *c, int argc, char *const *argv)
{
    struct so_far s = {0};
    for (int i = 0; i < argc; i++) {
        const struct option_row *row = argv[i][0] == '-' ? row_of_word(c, argv[i]) : NULL;
        if (row && row->argument && i + 1 == argc)
            s.wanted = row;
        else if (row && row->argument && strcmp(row->name, "assignment") == 0)
            s.assignment = argv[++i];
        else if (row && row->argument)
            i++;
        else if (argv[i][0] != '-' && s.operands < 2)
            s.operand[s.operands++] = argv[i];
    }
    return s;
}

/* --- of the assignment ------------------------------------------------------------------------ */

/* The file that the command would take. The shell has not replaced the tilde. */
static char *find_assignment(const struct command *c, const struct so_far *s)
{
    struct err ignored = ERR_INIT;
    const char *named = s->assignment, *home = getenv("HOME");
    char *path = NULL;
    if (c->bit == on_kernel && s->operands == 2)
        named = s->operand[1];
    if (named)
        return named[0] == '~' && named[1] == '/' && home ? xasprintf("%s%s", home, named + 1)
                                                          : xstrdup(named);
    if (c->bit == on_check) { /* that of the last check of the directory */
        const struct options o = {.quiet = true};
        FREED_BY(checked_free) struct checked checked = {0};
        if (checked_find(&checked, &o, s->operands ? s->operand[0] : NULL, false, &ignored) == 0)
            path = xstrdup(checked.assignment);
    } else if (locate_assignment(&path, &ignored) != 0) {
        path = NULL;
    }
    return path;
}

static void print_of_assignment(const struct command *c, const struct so_far *s, const char *what)
{
    struct err ignored = ERR_INIT;
    struct assignment *a;
    OWNED char *path = find_assignment(c, s);
    if (path && assignment_load(path, &a, &ignored) == 0) {
        for (unsigned i = 0; strcmp(what, "tier") == 0 && i < a->tiers_count; i++)
            puts(a->tiers[i].name);
        for (unsigned i = 0; strcmp(what, "profile") == 0 && i < a->profiles_count; i++)
            puts(a->profiles[i].name);
        for (unsigned i = 0; strcmp(what, "sweep") == 0 && i < a->sweeps_count; i++)
            puts(a->sweeps[i].name);
        assignment_free(a);
    }
}

/* --- of runs ---------------------------------------------------------------------------------- */

static void print_runs_in(const char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        if (names[i][0] != '.' && run_is_one(path))
            puts(names[i]);
    }
}

static void print_runs(void)
{
    OWNED char *tests = locate_selftests();
    print_runs_in(site_reports());
    if (fs_is_private_dir(tests))
        print_runs_in(tests);
}

/* The submissions of a run (NULL: the newest), or its units. */
static void print_of_run(const char *name, bool units)
{
    struct run r;
    struct err ignored = ERR_INIT;
    OWNED char *newest = name ? xstrdup(name) : run_newest(RUNS_OF_ALL, NULL, &ignored);
    if (newest && locate_run(newest, &r, &ignored) == 0) {
        for (unsigned i = 0; units && i < r.plan->units_count; i++)
            puts(r.plan->units[i].id);
        for (unsigned i = 0; !units && i < r.plan->submissions_count; i++)
            puts(r.plan->submissions[i].id);
        run_close(&r);
    }
}

/* Has the usage of the command a run as its operand? */
static bool takes_run(const struct command *c)
{
    return strstr(c->usage, "RUN") != NULL;
}

/* One of these words is the first operand: those of the usage that are written "one|two". */
static void print_words_of_usage(const struct command *c)
{
    for (const char *p = c->usage; *p; p += *p != '\0') {
        const char *first = p;
        while (islower((unsigned char)*p))
            p++;
        if (p > first && (*p == '|' || (first > c->usage && first[-1] == '|')))
            printf("%.*s\n", (int)(p - first), first);
    }
}

static void print_operands(const struct command *c, const struct so_far *s)
{
    if (c->bit == on_replay && !s->operands) /* a run, or a unit of the newest one */
        print_of_run(NULL, true), print_runs();
    else if (c->bit == on_replay)
        print_of_run(s->operand[0], true);
    else if (takes_run(c) && (!s->operands || c->bit == on_compare))
        print_runs();
    else if (c->bit == on_kernel && s->operands == 2)
        print_of_assignment(c, s, "tier");
    else if (!s->operands)
        print_words_of_usage(c);
}

void options_print_values(const struct command *c, int argc, char *const *argv)
{
    const struct so_far s = read_words(c, argc, argv);
    const char *name = s.wanted ? s.wanted->name : "";
    if (!s.wanted)
        print_operands(c, &s);
    else if (strcmp(name, "tier") == 0 || strcmp(name, "profile") == 0 ||
             strcmp(name, "sweep") == 0)
        print_of_assignment(c, &s, name);
    else if (strcmp(name, "student") == 0)
        print_of_run(s.operand[0], false);
    else if (strcmp(name, "only") == 0)
        print_of_run(s.operand[0], true);
    else if (strcmp(name, "run") == 0)
        print_runs();
    else if (strcmp(name, "from") == 0)
        for (int i = 0; i < SCHEME_COUNT; i++)
            puts(scheme_names[i]);
}
