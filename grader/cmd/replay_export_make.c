#include "cmd/replay_export_make.h"

#include <stdbool.h>
#include <string.h>

#include "base/proc.h"
#include "model/source_name.h"

/* A word as make and the shell must see it. */
static void add_word(struct strbuf *sb, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    const bool quoted = !*word || word[strspn(word, plain)];
    strbuf_adds(sb, quoted ? " '" : " ");
    for (; *word; word++) {
        if (*word == '\'')
            strbuf_adds(sb, "'\\''");
        else if (*word == '$')
            strbuf_adds(sb, "$$");
        else if (*word == '#')
            strbuf_adds(sb, "\\#");
        else
            strbuf_add(sb, word, 1);
    }
    strbuf_adds(sb, quoted ? "'" : "");
}

/* A word with its placeholders filled. The caller frees it. */
static char *fill(const char *word, const char *const pairs[][2], size_t count)
{
    char *text = xstrdup(word);
    for (size_t i = 0; i < count; i++) {
        OWNED char *before = text;
        text = xreplace(before, pairs[i][0], pairs[i][1]);
    }
    return text;
}

/* Does the word, or the next one, say that a library is made, or which source and output? The
 * Makefile says that for programs. */
static bool is_of_library(const char *word, const char *next)
{
    return strstr(word, "{src}") || strstr(word, "{out}") || strcmp(word, "-shared") == 0 ||
           (strcmp(word, "-o") == 0 && next && strstr(next, "{out}"));
}

static void add_sources(struct strbuf *sb, const char *dir, char *const *sources)
{
    for (size_t i = 0; sources[i]; i++) {
        OWNED char *path = xasprintf("%s%s", dir, sources[i]);
        add_word(sb, path);
    }
}

/* The step [first, end) of a command that makes the library. Steps after it are of no use here. */
static void find_last_step(char **argv, size_t *first, size_t *end)
{
    bool found = false;
    size_t i = 0;
    for (*first = 0; argv[i] && !(found && strcmp(argv[i], COMPILE_STEP) == 0); i++) {
        found = found || strstr(argv[i], "{out}");
        if (strcmp(argv[i], COMPILE_STEP) == 0)
            *first = i + 1;
    }
    *end = i;
}

/* The steps before the last one, which run in src/. */
static void add_preparation(struct strbuf *sb, char **argv, size_t last, char *const *sources)
{
    static const char *const pairs[][2] = {
        {"{abi}", "../include"}, {"{dir}", "."}, {"{gencode}", "-arch=native"}};
    strbuf_addf(sb, "PREPARE :=%s", last ? " cd src &&" : "");
    for (size_t i = 0; i + 1 < last; i++) {
        OWNED char *word = fill(argv[i], pairs, sizeof pairs / sizeof pairs[0]);
        if (strcmp(word, "{src}") == 0)
            add_sources(sb, "", sources);
        else if (strcmp(word, COMPILE_STEP) == 0)
            strbuf_addf(sb, " %s", word);
        else
            add_word(sb, word);
    }
    strbuf_adds(sb, "\n");
}

/* The steps before the last one, then the last one: its compiler, its options, and the libraries,
 * which must come last. */
static void add_compile(struct strbuf *sb, const char *command, char *const *sources)
{
    static const char *const pairs[][2] = {
        {"{abi}", "include"}, {"{dir}", "src"}, {"{gencode}", "-arch=native"}};
    OWNED_TEXTS char **argv = proc_argv_split(command);
    FREED_BY(strbuf_free) struct strbuf libraries = STRBUF_INIT, words = STRBUF_INIT;
    size_t last, end;
    bool compiles = false; /* does the last step compile the sources? */
    find_last_step(argv, &last, &end);
    add_preparation(sb, argv, last, sources);
    for (size_t i = last; i < end; i++) {
        compiles = compiles || strcmp(argv[i], "{src}") == 0;
        if (i == last + 1)
            strbuf_adds(&words, "\nFLAGS :=");
        if (is_of_library(argv[i], argv[i + 1]))
            continue;
        OWNED char *word = fill(argv[i], pairs, sizeof pairs / sizeof pairs[0]);
        add_word(strncmp(word, "-l", 2) == 0 ? &libraries : &words, word);
    }
    strbuf_adds(sb, "SOURCES :=");
    if (compiles)
        add_sources(sb, "src/", sources);
    strbuf_addf(sb, "\nCOMPILER :=%s\nLIBS :=%s\n", words.s, libraries.s);
}

static void add_launcher(struct strbuf *sb, const char *launcher, struct launch l)
{
    OWNED char *ranks = xasprintf("%d", l.ranks), *threads = xasprintf("%d", l.threads);
    const char *const pairs[][2] = {{"{ranks}", ranks}, {"{threads}", threads}};
    OWNED_TEXTS char **argv = proc_argv_split(launcher ? launcher : "");
    strbuf_adds(sb, "LAUNCHER :=");
    for (size_t i = 0; argv[i]; i++) {
        OWNED char *word = fill(argv[i], pairs, sizeof pairs / sizeof pairs[0]);
        add_word(sb, word);
    }
    strbuf_adds(sb, "\n");
}

void replay_export_make(const struct replay_export *x, char *const *sources, struct strbuf *sb)
{
    const struct tier *t = &x->run->assignment->tiers[x->unit->tier];
    bool cxx = false;
    strbuf_addf(sb, "# %s, case %s\nKIND := %s\nTHREADS := %d\n", x->unit->id, x->case_name,
                launch_kind_name(t->kind), x->launch.threads);
    for (size_t i = 0; sources[i]; i++)
        cxx = cxx || source_is_cxx(sources[i]);
    add_compile(sb, cxx && t->compile_cxx ? t->compile_cxx : t->compile, sources);
    add_launcher(sb, t->launcher, x->launch);
}
