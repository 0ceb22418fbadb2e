#include "build/pragmas.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/source_name.h"

/* --- characters ------------------------------------------------------------------------------- */

/* How a text may be read. */
enum reading { TRIGRAPHS = 1, RAW_STRINGS = 2, READINGS = 4 };

struct reader {
    const char *p, *end;
    unsigned line;
    unsigned reading;
};

enum { END = -1, TRIGRAPH = 3 };

/* Without regard to joined lines. */
static int take(struct reader *r)
{
    static const char third[] = "=/'()!<>-", is[] = "#\\^[]|{}~";
    if (r->p >= r->end)
        return END;
    if (r->reading & TRIGRAPHS && r->end - r->p >= TRIGRAPH && r->p[0] == '?' && r->p[1] == '?') {
        const char *at = memchr(third, r->p[2], sizeof third - 1);
        if (at) {
            r->p += TRIGRAPH;
            return is[at - third];
        }
    }
    return (unsigned char)*r->p++;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

/* The next character; a backslash at the end of a line, blanks behind it or not, joins the lines.
 */
static int get(struct reader *r)
{
    for (;;) {
        int c = take(r);
        if (c == '\n')
            r->line++;
        if (c != '\\')
            return c;
        struct reader ahead = *r;
        do
            c = take(&ahead);
        while (is_blank(c));
        if (c != '\n')
            return '\\';
        *r = ahead;
        r->line++;
    }
}

static int peek(const struct reader *r)
{
    struct reader ahead = *r;
    return get(&ahead);
}

static bool skip_if(struct reader *r, int c)
{
    if (peek(r) != c)
        return false;
    get(r);
    return true;
}

/* --- tokens ----------------------------------------------------------------------------------- */

enum token_kind { TOKEN_END, TOKEN_NEWLINE, TOKEN_WORD, TOKEN_STRING, TOKEN_OTHER };

struct token {
    enum token_kind kind;
    unsigned line;
    int c;              /* of TOKEN_OTHER */
    struct strbuf text; /* of words and strings, these without quotes and escapes */
};

static bool in_word(int c)
{
    return c == '_' || c == '$' || (c != END && (isalnum(c) || c >= 0x80));
}

static void add_char(struct token *t, int c)
{
    const char byte = (char)c;
    strbuf_add(&t->text, &byte, 1);
}

/* True when a comment was skipped; a '/' has been read. */
static bool skip_comment(struct reader *r)
{
    int c;
    if (skip_if(r, '/')) {
        while ((c = peek(r)) != '\n' && c != END)
            get(r);
        return true;
    }
    if (!skip_if(r, '*'))
        return false;
    while ((c = get(r)) != END)
        if (c == '*' && skip_if(r, '/'))
            break;
    return true;
}

/* To the quote, or to the end of the line where it is missing. */
static void read_quoted(struct reader *r, int quote, struct token *t)
{
    int c;
    while ((c = peek(r)) != quote && c != '\n' && c != END) {
        get(r);
        if (c == '\\') {
            c = peek(r);
            if (c == '\n' || c == END)
                break;
            get(r);
        }
        add_char(t, c);
    }
    skip_if(r, quote);
}

/* Behind R": in here nothing is joined or replaced. One that is not closed goes to the end. False,
 * with nothing read, where it is no raw string. */
static bool read_raw(struct reader *r, struct token *t)
{
    enum { DELIMITER_MOST = 16 };
    char close[DELIMITER_MOST + 3] = ")";
    size_t n = 0;
    const char *p = r->p;
    while (p < r->end && n < DELIMITER_MOST && *p != '(' && *p != ')' && *p != '\\' &&
           !isspace((unsigned char)*p))
        close[++n] = *p++;
    if (p >= r->end || *p != '(')
        return false;
    close[++n] = '"';
    const char *from = p + 1, *to = memmem(from, (size_t)(r->end - from), close, n + 1);
    const char *next = to ? to + n + 1 : r->end;
    to = to ? to : r->end;
    strbuf_clear(&t->text);
    strbuf_add(&t->text, from, (size_t)(to - from));
    for (; p < to; p++)
        r->line += *p == '\n';
    r->p = next;
    return true;
}

static void read_word(struct reader *r, int first, struct token *t)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"};
    static const char *const wide[] = {"L", "u", "U", "u8"};
    t->kind = TOKEN_WORD;
    add_char(t, first);
    while (in_word(peek(r)))
        add_char(t, get(r));
    if (peek(r) != '"')
        return;
    struct reader behind = *r;
    get(&behind);
    for (size_t i = 0; i < sizeof raw / sizeof raw[0] && r->reading & RAW_STRINGS; i++) {
        if (strcmp(t->text.s, raw[i]) == 0 && read_raw(&behind, t)) {
            *r = behind;
            t->kind = TOKEN_STRING;
            return;
        }
    }
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        if (t->kind == TOKEN_WORD && strcmp(t->text.s, wide[i]) == 0) {
            t->kind = TOKEN_STRING;
            strbuf_clear(&t->text);
            get(r);
            read_quoted(r, '"', t);
        }
    }
}

/* 1'000'000, 0x1p-3: what counts is that its quotes are no characters' quotes. */
static void read_number(struct reader *r)
{
    for (;;) {
        int c = peek(r);
        if (c == '\'') {
            struct reader behind = *r;
            get(&behind);
            if (!in_word(peek(&behind)))
                return;
        } else if (!in_word(c) && c != '.') {
            return;
        }
        get(r);
    }
}

static void next_token(struct reader *r, struct token *t)
{
    strbuf_clear(&t->text);
    for (;;) {
        while (is_blank(peek(r)))
            get(r);
        int c = get(r);
        t->line = r->line;
        t->c = c;
        t->kind = c == END ? TOKEN_END : c == '\n' ? TOKEN_NEWLINE : TOKEN_OTHER;
        if (c == '/' && skip_comment(r))
            continue;
        if (c == '"') {
            t->kind = TOKEN_STRING;
            read_quoted(r, '"', t);
        } else if (c == '\'') {
            read_quoted(r, '\'', t);
        } else if (c == '%' && skip_if(r, ':')) {
            t->c = '#';
        } else if (c != END && isdigit(c)) {
            read_number(r);
        } else if (in_word(c)) {
            read_word(r, c, t);
        }
        return;
    }
}

/* --- what they say ---------------------------------------------------------------------------- */

/* Of tokens gone by: characters stand for themselves, everything else is OTHER. */
enum { OTHER = 256, GCC, GNU, USING, PAST = 3 };

struct scan {
    struct reader r;
    struct token t;
    void (*f)(const struct pragma_hit *h, void *arg);
    void *arg;
    int past[PAST];  /* the tokens before, the last one first */
    bool changes;    /* some were found */
    bool operators;  /* _Pragma was seen: strings may be its operands, by way of macros */
    bool attribute;  /* in __attribute__((...)) */
    int parentheses; /* open there */
    bool using_gnu;  /* in [[using gnu: ...]] */
};

static bool is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && strcmp(t->text.s, word) == 0;
}

struct known {
    const char *word, *change;
};

static void hit_if_known(struct scan *s, unsigned line, const struct known *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_word(&s->t, k[i].word))
            continue;
        s->changes = true;
        s->f(&(struct pragma_hit){.line = line, .change = k[i].change}, s->arg);
    }
}

/* Behind the word GCC, wherever it stands: a macro may make a string of the two. */
static void look_for_pragma(struct scan *s, unsigned line)
{
    static const struct known known[] = {
        {"optimize", "#pragma GCC optimize"},
        {"target", "#pragma GCC target"},
        {"push_options", "#pragma GCC push_options"},
    };
    hit_if_known(s, line, known, sizeof known / sizeof known[0]);
}

static void look_for_attribute(struct scan *s)
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

/* The operand of a _Pragma is a line of its own. */
static void look_into_string(struct scan *s)
{
    const char *text = s->t.text.s;
    struct scan inner = {.r = {text, text + s->t.text.len, 1, s->r.reading},
                         .t = {.text = STRBUF_INIT},
                         .f = s->f,
                         .arg = s->arg};
    next_token(&inner.r, &inner.t);
    if (is_word(&inner.t, "GCC")) {
        next_token(&inner.r, &inner.t);
        look_for_pragma(&inner, s->t.line);
        s->changes = s->changes || inner.changes;
    }
    strbuf_free(&inner.t.text);
}

/* [[gnu::name]], [[using gnu: name, name]], __attribute__((name, name)): a name comes next. */
static bool expects_attribute(struct scan *s)
{
    const int *past = s->past;
    if (past[0] == ':' && past[1] == GNU && past[2] == USING)
        s->using_gnu = true;
    return (past[0] == ':' && past[1] == ':' && past[2] == GNU) ||
           (s->using_gnu && (past[0] == ':' || past[0] == ',')) ||
           (s->attribute && s->parentheses == 2 && (past[0] == '(' || past[0] == ','));
}

static int see_word(struct scan *s)
{
    if (s->past[0] == GCC)
        look_for_pragma(s, s->t.line);
    if (expects_attribute(s))
        look_for_attribute(s);
    if (is_word(&s->t, "__attribute__") || is_word(&s->t, "__attribute")) {
        s->attribute = true;
        s->parentheses = 0;
    }
    s->operators = s->operators || is_word(&s->t, "_Pragma");
    return is_word(&s->t, "GCC")                                ? GCC
           : is_word(&s->t, "gnu") || is_word(&s->t, "__gnu__") ? GNU
           : is_word(&s->t, "using")                            ? USING
                                                                : OTHER;
}

static int see_character(struct scan *s)
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

static int see(struct scan *s)
{
    if (s->t.kind == TOKEN_WORD)
        return see_word(s);
    if (s->t.kind == TOKEN_OTHER)
        return see_character(s);
    if (s->operators)
        look_into_string(s);
    return OTHER;
}

/* The rest of a directive whose '#' was read, if it is an #include. */
static void read_include(struct scan *s)
{
    static const char *const words[] = {"include", "include_next", "import"};
    struct reader before = s->r;
    bool is_include = false;
    next_token(&s->r, &s->t);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        is_include = is_include || is_word(&s->t, words[i]);
    if (!is_include) {
        s->r = before;
        return;
    }
    unsigned line = s->t.line;
    next_token(&s->r, &s->t);
    if (s->t.kind == TOKEN_OTHER && s->t.c == '<') {
        int c;
        while ((c = peek(&s->r)) != '>' && c != '\n' && c != END)
            add_char(&s->t, get(&s->r));
    } else if (s->t.kind != TOKEN_STRING) { /* a macro, perhaps at the end of the line */
        strbuf_clear(&s->t.text);
        s->r = before;
    }
    s->f(&(struct pragma_hit){.line = line, .include = s->t.text.s}, s->arg);
}

/* True when there are changes. */
static bool scan_reading(struct scan *s)
{
    bool line_starts = true;
    for (;;) {
        next_token(&s->r, &s->t);
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
        matters |= TRIGRAPHS;
    if (memmem(text, n, "R\"", 2))
        matters |= RAW_STRINGS;
    for (unsigned reading = 0; reading < READINGS; reading++) {
        struct scan s = {
            .r = {text, text + n, 1, reading}, .t = {.text = STRBUF_INIT}, .f = f, .arg = arg};
        if (!(reading & ~matters) && scan_reading(&s))
            return;
    }
}

/* --- a source and its headers ----------------------------------------------------------------- */

enum { SHOWN = 3 };

struct search {
    char **names; /* of the files in the directory */
    bool *wanted; /* the source, and what is included */
    bool *done;
    size_t count;
    const char *name; /* of the file that is read */
    struct strbuf text;
    unsigned changes;
};

static void want(struct search *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < s->count; i++)
        if (*path ? strcmp(s->names[i], name) == 0 : source_is_header(s->names[i]))
            s->wanted[i] = true;
}

static void note_hit(const struct pragma_hit *h, void *arg)
{
    struct search *s = arg;
    if (!h->change) {
        want(s, h->include);
        return;
    }
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

/* The number of a file that is wanted and was not read yet, or the count. */
static size_t next_file(const struct search *s)
{
    size_t i = 0;
    while (i < s->count && (!s->wanted[i] || s->done[i]))
        i++;
    return i;
}

int pragmas_find(const char *dir, const char *source, size_t max, char **found, struct err *e)
{
    struct search s = {.text = STRBUF_INIT};
    *found = NULL;
    if (fs_list(dir, &s.names, &s.count, e) != 0)
        return -1;
    s.wanted = xcalloc(s.count + 1, sizeof *s.wanted);
    s.done = xcalloc(s.count + 1, sizeof *s.done);
    want(&s, source);
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
