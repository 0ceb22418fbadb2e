#include "build/pragmas.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/tokens.h"

/* The kinds of tokens that are remembered: a character stands for itself, most others are OTHER. */
enum { OTHER = 256, GCC, GNU, USING, PAST = 3 };

/* Assembler of one source, in characters. An inner loop takes about 200; what compilers make of a
 * kernel, more than 1000. */
enum { ASSEMBLER_MOST = 500 };
#define ASSEMBLER "assembler of more than 500 characters"
#define ASSEMBLER_FILE "assembler that reads a file"

struct pragma_search {
    struct token_reader r;
    struct token t;
    void (*f)(const struct pragma_hit *h, void *arg);
    void *arg;
    int past[PAST];   /* the previous tokens, the last one first */
    bool changes;     /* a change of options was found */
    bool reaches;     /* the previous token is _Pragma */
    int operand;      /* parentheses that are open since then, with the operand in them */
    bool attribute;   /* inside __attribute__((...)) */
    int parentheses;  /* that are open there */
    bool using_gnu;   /* inside [[using gnu: ...]] */
    size_t assembler; /* characters */
};

struct known {
    const char *word, *change;
};

#define CHANGE(token, known) change_of(token, known, sizeof(known) / sizeof((known)[0]))

static const char *change_of(const struct token *t, const struct known *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (token_is_word(t, k[i].word))
            return k[i].change;
    return NULL;
}

static void hit(struct pragma_search *s, const char *change)
{
    if (!change)
        return;
    s->changes = true;
    s->f(&(struct pragma_hit){.line = s->t.line, .change = change}, s->arg);
}

/* After the word GCC, wherever it is: a macro may turn both words into a string. */
static const char *change_of_pragma(const struct token *t)
{
    static const struct known known[] = {
        {"optimize", "#pragma GCC optimize"},
        {"target", "#pragma GCC target"},
        {"push_options", "#pragma GCC push_options"},
    };
    return CHANGE(t, known);
}

static const char *change_of_attribute(const struct token *t)
{
    static const struct known known[] = {
        {"optimize", "the attribute optimize"},
        {"__optimize__", "the attribute optimize"},
        {"target", "the attribute target"},
        {"__target__", "the attribute target"},
        {"target_clones", "the attribute target_clones"},
        {"__target_clones__", "the attribute target_clones"},
        {"target_version", "the attribute target_version"},
        {"__target_version__", "the attribute target_version"},
        {"cpu_specific", "the attribute cpu_specific"},
        {"cpu_dispatch", "the attribute cpu_dispatch"},
    };
    return CHANGE(t, known);
}

/* The operand of a _Pragma is read like a line. */
static const char *change_in_string(const struct pragma_search *s)
{
    const char *text = s->t.text.s, *change = NULL;
    struct token_reader r = {text, text + s->t.text.len, 1, s->r.reading};
    struct token t = {.text = STRBUF_INIT};
    token_next(&r, &t);
    if (token_is_word(&t, "GCC")) {
        token_next(&r, &t);
        change = change_of_pragma(&t);
    }
    strbuf_free(&t.text);
    return change;
}

/* Follow the parentheses after _Pragma. */
static void see_parenthesis(struct pragma_search *s)
{
    const bool opens = s->t.kind == TOKEN_OTHER && s->t.c == '(';
    const bool closes = s->t.kind == TOKEN_OTHER && s->t.c == ')';
    if (opens && (s->reaches || s->operand))
        s->operand++;
    else if (closes && s->operand)
        s->operand--;
    s->reaches = false;
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

/* After a question of the preprocessor, such as __has_include: its file, if it is named there. */
static void read_question(struct pragma_search *s)
{
    const struct token_reader before = s->r;
    const unsigned line = s->t.line;
    token_next(&s->r, &s->t);
    if (s->t.kind == TOKEN_OTHER && s->t.c == '(') {
        token_next(&s->r, &s->t);
        const bool angle = s->t.kind == TOKEN_OTHER && s->t.c == '<';
        if (angle)
            token_until(&s->r, '>', &s->t);
        if (angle || s->t.kind == TOKEN_STRING)
            s->f(&(struct pragma_hit){.line = line, .include = s->t.text.s, .asks = true}, s->arg);
    }
    s->r = before;
}

/* Characters of the text after "asm volatile (", and whether it reads a file. */
static size_t read_assembler(struct pragma_search *s, bool *file)
{
    const struct token_reader before = s->r;
    size_t n = 0;
    do
        token_next(&s->r, &s->t);
    while (s->t.kind == TOKEN_WORD || s->t.kind == TOKEN_NEWLINE);
    for (bool reads = s->t.kind == TOKEN_OTHER && s->t.c == '('; reads;) {
        token_next(&s->r, &s->t);
        reads = s->t.kind != TOKEN_OTHER && s->t.kind != TOKEN_END;
        if (s->t.kind != TOKEN_STRING)
            continue;
        n += s->t.text.len;
        *file = *file || strstr(s->t.text.s, ".inc"); /* .include, .incbin */
    }
    s->r = before;
    return n;
}

static void see_assembler(struct pragma_search *s)
{
    const unsigned line = s->t.line;
    const size_t before = s->assembler;
    bool file = false;
    s->assembler += read_assembler(s, &file);
    const bool long_now = before <= ASSEMBLER_MOST && s->assembler > ASSEMBLER_MOST;
    if (!file && !long_now)
        return;
    s->changes = true;
    s->f(&(struct pragma_hit){.line = line,
                              .change = file ? ASSEMBLER_FILE : ASSEMBLER,
                              .evades = true},
         s->arg);
}

static int see_word(struct pragma_search *s)
{
    if (token_is_word(&s->t, "asm") || token_is_word(&s->t, "__asm") ||
        token_is_word(&s->t, "__asm__")) {
        see_assembler(s);
        return OTHER;
    }
    if (s->past[0] == GCC)
        hit(s, change_of_pragma(&s->t));
    if (expects_attribute(s))
        hit(s, change_of_attribute(&s->t));
    s->reaches = token_is_word(&s->t, "_Pragma");
    if (token_is_word(&s->t, "__attribute__") || token_is_word(&s->t, "__attribute")) {
        s->attribute = true;
        s->parentheses = 0;
    }
    const int kind = token_is_word(&s->t, "GCC")                                      ? GCC
                     : token_is_word(&s->t, "gnu") || token_is_word(&s->t, "__gnu__") ? GNU
                     : token_is_word(&s->t, "using")                                  ? USING
                                                                                      : OTHER;
    if (token_is_word(&s->t, "__has_include") || token_is_word(&s->t, "__has_include_next") ||
        token_is_word(&s->t, "__has_embed"))
        read_question(s);
    return kind;
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
    see_parenthesis(s);
    if (s->t.kind == TOKEN_WORD)
        return see_word(s);
    if (s->t.kind == TOKEN_OTHER)
        return see_character(s);
    if (s->operand)
        hit(s, change_in_string(s));
    return OTHER;
}

static void read_include(struct pragma_search *s)
{
    const struct token_reader before = s->r;
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

/* The words of a message mean nothing. */
static void skip_message(struct pragma_search *s)
{
    struct token_reader before;
    do {
        before = s->r;
        token_next(&s->r, &s->t);
    } while (s->t.kind != TOKEN_NEWLINE && s->t.kind != TOKEN_END);
    s->r = before;
}

/* After a '#' at the start of a line. What is not read here is read like other text. */
static void read_directive(struct pragma_search *s)
{
    static const struct {
        const char *word;
        void (*read)(struct pragma_search *s);
    } directives[] = {
        {"include", read_include}, {"include_next", read_include}, {"import", read_include},
        {"embed", read_include},   {"error", skip_message},        {"warning", skip_message},
    };
    const struct token_reader before = s->r;
    token_next(&s->r, &s->t);
    if (s->t.kind == TOKEN_OTHER && isdigit(s->t.c)) /* what follows could seem to be GCC's */
        hit(s, "a line marker (# 1 \"file\")");
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (token_is_word(&s->t, directives[i].word)) {
            directives[i].read(s);
            return;
        }
    s->r = before;
}

/* Search a text in one reading. True when it changes options. */
static bool search_reading(struct pragma_search *s)
{
    bool line_starts = true, in_directive = false;
    for (;;) {
        token_next(&s->r, &s->t);
        if (s->t.kind == TOKEN_END)
            break;
        if (s->t.kind == TOKEN_NEWLINE) {
            line_starts = true;
            if (in_directive) { /* an operand ends with it */
                s->operand = 0;
                s->reaches = false;
            }
            in_directive = false;
            if (s->past[0] == GCC)
                s->past[0] = OTHER;
            continue;
        }
        bool directive = line_starts && s->t.kind == TOKEN_OTHER && s->t.c == '#';
        line_starts = false;
        in_directive = in_directive || directive;
        if (directive)
            read_directive(s);
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
