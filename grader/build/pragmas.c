#include "build/pragmas.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tokens.h"
#include "base/tree.h"
#include "model/source_name.h"

/* --- one text -------------------------------------------------------------------------------- */

/* The kinds of tokens that are remembered: a character stands for itself, most others are OTHER. */
enum { OTHER = 256, GCC, GNU, USING, PAST = 3 };

struct pragma_search {
    struct token_reader r;
    struct token t;
    void (*f)(const struct pragma_hit *h, void *arg);
    void *arg;
    int past[PAST];  /* the previous tokens, the last one first */
    bool changes;    /* a change of options was found */
    bool operators;  /* _Pragma was seen: any string may be its operand, through a macro */
    bool attribute;  /* inside __attribute__((...)) */
    int parentheses; /* that are open there */
    bool using_gnu;  /* inside [[using gnu: ...]] */
};

struct known {
    const char *word, *change;
};

static void hit_if_known(struct pragma_search *s, unsigned line, const struct known *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!token_is_word(&s->t, k[i].word))
            continue;
        s->changes = true;
        s->f(&(struct pragma_hit){.line = line, .change = k[i].change}, s->arg);
    }
}

/* After the word GCC, wherever it is: a macro may turn both words into a string. */
static void look_for_pragma(struct pragma_search *s, unsigned line)
{
    static const struct known known[] = {
        {"optimize", "#pragma GCC optimize"},
        {"target", "#pragma GCC target"},
        {"push_options", "#pragma GCC push_options"},
    };
    hit_if_known(s, line, known, sizeof known / sizeof known[0]);
}

static void look_for_attribute(struct pragma_search *s)
{
    static const struct known known[] = {
        {"optimize", "the attribute optimize"},
        {"__optimize__", "the attribute optimize"},
        {"target", "the attribute target"},
        {"__target__", "the attribute target"},
        {"target_clones", "the attribute target_clones"},
        {"__target_clones__", "the attribute target_clones"},
    };
    hit_if_known(s, s->t.line, known, sizeof known / sizeof known[0]);
}

/* The operand of a _Pragma is read like a line. */
static void look_into_string(struct pragma_search *s)
{
    const char *text = s->t.text.s;
    struct pragma_search inner = {.r = {text, text + s->t.text.len, 1, s->r.reading},
                                  .t = {.text = STRBUF_INIT},
                                  .f = s->f,
                                  .arg = s->arg};
    token_next(&inner.r, &inner.t);
    if (token_is_word(&inner.t, "GCC")) {
        token_next(&inner.r, &inner.t);
        look_for_pragma(&inner, s->t.line);
        s->changes = s->changes || inner.changes;
    }
    strbuf_free(&inner.t.text);
}

/* True when the name of an attribute comes next: [[gnu::name]], [[using gnu: name, name]],
 * __attribute__((name, name)). */
static bool expects_attribute(struct pragma_search *s)
{
    const int *past = s->past;
    if (past[0] == ':' && past[1] == GNU && past[2] == USING)
        s->using_gnu = true;
    return (past[0] == ':' && past[1] == ':' && past[2] == GNU) ||
           (s->using_gnu && (past[0] == ':' || past[0] == ',')) ||
           (s->attribute && s->parentheses == 2 && (past[0] == '(' || past[0] == ','));
}

static int see_word(struct pragma_search *s)
{
    if (s->past[0] == GCC)
        look_for_pragma(s, s->t.line);
    if (expects_attribute(s))
        look_for_attribute(s);
    if (token_is_word(&s->t, "__attribute__") || token_is_word(&s->t, "__attribute")) {
        s->attribute = true;
        s->parentheses = 0;
    }
    s->operators = s->operators || token_is_word(&s->t, "_Pragma");
    return token_is_word(&s->t, "GCC")                                      ? GCC
           : token_is_word(&s->t, "gnu") || token_is_word(&s->t, "__gnu__") ? GNU
           : token_is_word(&s->t, "using")                                  ? USING
                                                                            : OTHER;
}

static int see_character(struct pragma_search *s)
{
    if (s->t.c == '(')
        s->parentheses++;
    else if (s->t.c == ')')
        s->parentheses--;
    if (s->parentheses <= 0)
        s->attribute = false;
    if (s->t.c == ']')
        s->using_gnu = false;
    return s->t.c;
}

static int see(struct pragma_search *s)
{
    if (s->t.kind == TOKEN_WORD)
        return see_word(s);
    if (s->t.kind == TOKEN_OTHER)
        return see_character(s);
    if (s->operators)
        look_into_string(s);
    return OTHER;
}

/* Read the rest of a directive after '#', if it is an #include. */
static void read_include(struct pragma_search *s)
{
    static const char *const words[] = {"include", "include_next", "import"};
    struct token_reader before = s->r;
    bool is_include = false;
    token_next(&s->r, &s->t);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        is_include = is_include || token_is_word(&s->t, words[i]);
    if (!is_include) {
        s->r = before;
        return;
    }
    unsigned line = s->t.line;
    token_next(&s->r, &s->t);
    if (s->t.kind == TOKEN_OTHER && s->t.c == '<') {
        token_until(&s->r, '>', &s->t);
    } else if (s->t.kind != TOKEN_STRING) { /* a macro, perhaps at the end of the line */
        strbuf_clear(&s->t.text);
        s->r = before;
    }
    s->f(&(struct pragma_hit){.line = line, .include = s->t.text.s}, s->arg);
}

/* Search a text in one reading. True when it changes options. */
static bool search_reading(struct pragma_search *s)
{
    bool line_starts = true;
    for (;;) {
        token_next(&s->r, &s->t);
        if (s->t.kind == TOKEN_END)
            break;
        if (s->t.kind == TOKEN_NEWLINE) {
            line_starts = true;
            if (s->past[0] == GCC)
                s->past[0] = OTHER;
            continue;
        }
        bool directive = line_starts && s->t.kind == TOKEN_OTHER && s->t.c == '#';
        line_starts = false;
        if (directive)
            read_include(s);
        int seen = directive ? OTHER : see(s);
        memmove(s->past + 1, s->past, sizeof s->past - sizeof s->past[0]);
        s->past[0] = seen;
    }
    strbuf_free(&s->t.text);
    return s->changes;
}

void pragmas_scan(const char *text, size_t n, void (*f)(const struct pragma_hit *h, void *arg),
                  void *arg)
{
    unsigned matters = 0;
    if (memmem(text, n, "??", 2))
        matters |= READ_TRIGRAPHS;
    if (memmem(text, n, "R\"", 2))
        matters |= READ_RAW_STRINGS;
    for (unsigned reading = 0; reading < READINGS; reading++) {
        struct pragma_search s = {
            .r = {text, text + n, 1, reading}, .t = {.text = STRBUF_INIT}, .f = f, .arg = arg};
        if (!(reading & ~matters) && search_reading(&s))
            return;
    }
}

/* --- a source and its headers ----------------------------------------------------------------- */

enum { SHOWN = 3, FILES_MOST = 10000 };

struct search {
    char **names; /* of the files in the directory */
    bool *wanted; /* the source, and files that are included */
    bool *done;
    size_t count;
    const char *name; /* of the file that is being read */
    struct strbuf text;
    unsigned changes;
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Every file of that name, in whatever directory: which one an #include means depends on options.
 */
static void want(struct search *s, const char *path)
{
    for (size_t i = 0; i < s->count; i++)
        if (*path ? strcmp(last_part(s->names[i]), last_part(path)) == 0
                  : source_is_header(s->names[i]))
            s->wanted[i] = true;
}

static void note_hit(const struct pragma_hit *h, void *arg)
{
    struct search *s = arg;
    if (!h->change) {
        want(s, h->include);
        return;
    }
    if (source_is_adapter(s->name)) /* the instructor's; what it includes is not */
        return;
    if (s->changes == 0)
        strbuf_addf(&s->text, "%s:%u: %s changes the compiler's options of this tier", s->name,
                    h->line, h->change);
    else if (s->changes < SHOWN)
        strbuf_addf(&s->text, "%s%s:%u", s->changes == 1 ? " (also " : ", ", s->name, h->line);
    s->changes++;
}

static int scan_file(struct search *s, const char *dir, size_t max, struct err *e)
{
    char *path = xasprintf("%s/%s", dir, s->name), *text;
    size_t n;
    int rc = fs_read(path, max, &text, &n, e);
    if (rc == 0) {
        pragmas_scan(text, n, note_hit, s);
        free(text);
    }
    free(path);
    return rc;
}

/* The index of a file that is wanted and not read yet, or `count`. */
static size_t next_file(const struct search *s)
{
    size_t i = 0;
    while (i < s->count && (!s->wanted[i] || s->done[i]))
        i++;
    return i;
}

int pragmas_find(const char *dir, char *const *sources, size_t max, char **found, struct err *e)
{
    struct search s = {.text = STRBUF_INIT};
    *found = NULL;
    if (tree_list(dir, FILES_MOST, &s.names, &s.count, e) != 0)
        return -1;
    s.wanted = xcalloc(s.count + 1, sizeof *s.wanted);
    s.done = xcalloc(s.count + 1, sizeof *s.done);
    for (size_t i = 0; sources[i]; i++)
        want(&s, sources[i]);
    int rc = 0;
    for (size_t i; rc == 0 && (i = next_file(&s)) < s.count;) {
        s.done[i] = true;
        s.name = s.names[i];
        rc = scan_file(&s, dir, max, e);
    }
    if (s.changes > SHOWN)
        strbuf_addf(&s.text, " and %u more", s.changes - SHOWN);
    if (s.changes > 1)
        strbuf_adds(&s.text, ")");
    if (rc == 0 && s.changes)
        *found = strbuf_detach(&s.text);
    strbuf_free(&s.text);
    free(s.done);
    free(s.wanted);
    fs_list_free(s.names, s.count);
    return rc;
}
