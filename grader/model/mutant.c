#include "model/mutant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/tokens.h"

/* --- tokens ----------------------------------------------------------------------------------- */

struct piece {
    enum token_kind kind;
    size_t from, to; /* in the text */
    unsigned line;
    bool directive;   /* in a line that starts with # */
    size_t statement; /* where its statement begins, or its block; 0: outside of functions */
    bool part;        /* this is a part of a statement, without braces */
    bool constant;    /* in an enum, or in the braces of an initial value */
};

struct source {
    const struct kernel *kernel;
    const char *text;
    struct piece *piece;
    size_t count;
    struct mutant_list *out;
};

static bool is(const struct source *s, size_t i, const char *word)
{
    if (i >= s->count)
        return false;
    const struct piece *p = &s->piece[i];
    return p->to - p->from == strlen(word) &&
           strncmp(s->text + p->from, word, p->to - p->from) == 0;
}

static bool is_one_of(const struct source *s, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (is(s, i, *words))
            return true;
    return false;
}

static bool is_word(const struct source *s, size_t i)
{
    return i < s->count && s->piece[i].kind == TOKEN_WORD;
}

static bool is_number(const struct source *s, size_t i)
{
    return i < s->count && s->piece[i].kind == TOKEN_OTHER &&
           isdigit((unsigned char)s->text[s->piece[i].from]);
}

/* Is token i directly behind the one before it, as in "<="? */
static bool joined(const struct source *s, size_t i)
{
    return i > 0 && i < s->count && s->piece[i].from == s->piece[i - 1].to;
}

static void read_tokens(struct source *s, size_t len)
{
    struct token_reader r = {.p = s->text, .end = s->text + len, .line = 1};
    struct token t = {.text = STRBUF_INIT};
    bool line_starts = true, directive = false;
    for (token_next(&r, &t); t.kind != TOKEN_END; token_next(&r, &t)) {
        if (t.kind == TOKEN_NEWLINE) {
            line_starts = true;
            directive = false;
            continue;
        }
        directive = directive || (line_starts && t.c == '#');
        line_starts = false;
        s->piece = xrealloc_array(s->piece, s->count + 1, sizeof *s->piece);
        s->piece[s->count++] = (struct piece){.kind = t.kind,
                                              .from = (size_t)(t.start - s->text),
                                              .to = (size_t)(r.p - s->text),
                                              .line = t.line,
                                              .directive = directive};
    }
    strbuf_free(&t.text);
}

/* The token before i that is in no directive; s->count: there is none. */
static size_t before(const struct source *s, size_t i)
{
    while (i-- > 0)
        if (!s->piece[i].directive)
            return i;
    return s->count;
}

enum { DEPTH_MOST = 64 };

struct block {
    size_t start;     /* behind its '{'; 0: outside of functions */
    size_t whole;     /* where the present statement begins, as far as that is simple to say */
    size_t statement; /* the same, or where a part of it begins that has no braces */
    int brackets;
    bool condition; /* inside the brackets of if, for or while */
    bool constant;
};

static void begin_statement(struct block *b, size_t at)
{
    b->whole = b->statement = at;
}

/* What may follow a ';' without being a statement that is reached from there. */
static bool is_joint(const struct source *s, size_t i)
{
    static const char *const words[] = {"else", "while", "case", "default", NULL};
    return is_one_of(s, i, words) || (is_word(s, i) && is(s, i + 1, ":"));
}

/* A statement without braces behind a condition or behind else: it need not be reached where the
 * whole is. */
static void follow_parts(const struct source *s, size_t i, struct block *b)
{
    static const char *const words[] = {"if", "for", "while", NULL};
    const size_t next = i + 1;
    if (is(s, i, "(") && !b->brackets)
        b->condition = i > 0 && is_one_of(s, i - 1, words);
    if (is(s, i, ")") && b->brackets == 1 && b->condition && !is(s, next, "{") && !is(s, next, ";"))
        b->statement = s->piece[i].to;
    if (is(s, i, "else") && !is(s, next, "{") && !is(s, next, "if"))
        b->statement = s->piece[i].to;
}

/* Behind a label, and where parts are left out by the preprocessor, a statement need not be reached
 * where the one before it is. Then only the block is sure. */
static void follow_statements(const struct source *s, size_t i, struct block *b)
{
    static const char *const parts[] = {"if", "ifdef", "ifndef", "else", "elif", "endif", NULL};
    if (s->piece[i].directive) {
        if (is_one_of(s, i, parts))
            begin_statement(b, b->start);
        return;
    }
    if (b->start && !b->constant)
        follow_parts(s, i, b);
    b->brackets += is(s, i, "(") - is(s, i, ")");
    if (is(s, i, ":") || is(s, i, "case") || is(s, i, "default"))
        begin_statement(b, b->start);
    else if (is(s, i, ";") && !b->brackets && b->start && !b->constant && i + 1 < s->count)
        begin_statement(b, is_joint(s, i + 1) ? b->whole : s->piece[i].to);
}

/* Which block and statement each token is in. A '{' behind ')', ';', '{', '}', else or do starts a
 * block; others belong to an enum, a struct or an initial value. */
static void find_blocks(struct source *s)
{
    struct block stack[DEPTH_MOST] = {{0}};
    size_t depth = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct piece *p = &s->piece[i];
        if (!p->directive && is(s, i, "}") && depth > 0) {
            depth--;
            stack[depth].statement = stack[depth].whole;
        }
        p->statement = stack[depth].statement;
        p->part = stack[depth].statement != stack[depth].whole;
        p->constant = stack[depth].constant;
        follow_statements(s, i, &stack[depth]);
        if (p->directive || !is(s, i, "{") || depth + 1 == DEPTH_MOST)
            continue;
        const size_t b = before(s, i);
        const bool inside = stack[depth].start && (is(s, b, ";") || is(s, b, "{") || is(s, b, "}"));
        const bool starts = is(s, b, ")") || is(s, b, "else") || is(s, b, "do") || inside;
        const size_t start = starts && !p->constant ? p->to : stack[depth].start,
                     statement = starts && !p->constant ? p->to : stack[depth].statement;
        depth++;
        stack[depth] = (struct block){.start = start,
                                      .whole = statement,
                                      .statement = statement,
                                      .constant = !starts || p->constant};
    }
}

/* The token behind the bracket that closes the one at i. */
static size_t behind_bracket(const struct source *s, size_t i)
{
    int depth = 0;
    for (; i < s->count; i++) {
        depth += is(s, i, "(") || is(s, i, "[");
        depth -= is(s, i, ")") || is(s, i, "]");
        if (!depth)
            return i + 1;
    }
    return s->count;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Replace the tokens from i up to before j. */
static void add(struct source *s, size_t i, size_t j, const char *with, const char *what)
{
    struct mutant_list *l = s->out;
    struct mutant m = {.from = s->piece[i].from,
                       .to = s->piece[j - 1].to,
                       .line = s->piece[i].line,
                       .what = what,
                       .statement = s->piece[i].statement,
                       .part = s->piece[i].part};
    snprintf(m.with, sizeof m.with, "%s", with);
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    l->item[l->count++] = m;
}

static const char *const types[] = {"int",      "long",    "unsigned", "char",   "short",
                                    "float",    "double",  "size_t",   "const",  "int32_t",
                                    "uint32_t", "element", "restrict", "static", NULL};

/* M for N, and so on. */
static void swap_dimension(struct source *s, size_t i)
{
    const struct kernel *k = s->kernel;
    if (i > 0 && is_one_of(s, i - 1, types))
        return;
    for (int d = 0; d < k->dims; d++)
        for (int e = 0; e < k->dims && is(s, i, k->dim_name[d]); e++)
            if (e != d)
                add(s, i, i + 1, k->dim_name[e], "dimension");
}

/* In "a < b ? a : b" it makes no difference. */
static bool is_choice(const struct source *s, size_t i)
{
    for (int depth = 0; i < s->count && depth >= 0 && !is(s, i, ";"); i++) {
        depth += is(s, i, "(");
        depth -= is(s, i, ")");
        if (depth <= 0 && is(s, i, "?"))
            return true;
    }
    return false;
}

static bool is_sign(const struct source *s, size_t i, char c)
{
    return i < s->count && s->piece[i].kind == TOKEN_OTHER && s->text[s->piece[i].from] == c;
}

/* < for <=, and so on. */
static void change_comparison(struct source *s, size_t i)
{
    const bool equal = is_sign(s, i + 1, '=') && joined(s, i + 1);
    const bool twice = (is_sign(s, i + 1, '<') || is_sign(s, i + 1, '>')) && joined(s, i + 1);
    const bool tail = i > 0 && joined(s, i) &&
                      (is_sign(s, i - 1, '<') || is_sign(s, i - 1, '>') || is_sign(s, i - 1, '-'));
    if (twice || tail || is_choice(s, i))
        return;
    if (is_sign(s, i, '<'))
        add(s, i, i + 1 + equal, equal ? "<" : "<=", "comparison");
    if (is_sign(s, i, '>'))
        add(s, i, i + 1 + equal, equal ? ">" : ">=", "comparison");
}

/* + for -, and so on, between two operands. */
static void change_arithmetic(struct source *s, size_t i)
{
    const bool left =
        i > 0 && (is_number(s, i - 1) || is(s, i - 1, ")") || is(s, i - 1, "]") ||
                  (is_word(s, i - 1) && !is_one_of(s, i - 1, types) && !is(s, i - 1, "return")));
    if (!left || i + 1 >= s->count)
        return;
    const bool assigns = is_sign(s, i + 1, '=') && joined(s, i + 1);
    if (is_sign(s, i, '+') && assigns) {
        add(s, i, i + 2, "-=", "arithmetic");
        add(s, i, i + 2, "=", "sum");
        return;
    }
    if (!is_word(s, i + 1) && !is_number(s, i + 1) && !is(s, i + 1, "("))
        return;
    if (is_sign(s, i, '+'))
        add(s, i, i + 1, "-", "arithmetic");
    else if (is_sign(s, i, '-'))
        add(s, i, i + 1, "+", "arithmetic");
}

/* An initial zero that is left out, or is a one. */
static void change_start(struct source *s, size_t i)
{
    if (!is(s, i, "=") || !is(s, i + 1, "0") || i + 2 >= s->count || joined(s, i))
        return;
    if (!is(s, i + 2, ";") && !is(s, i + 2, ","))
        return;
    add(s, i + 1, i + 2, "1", "off by one");
    /* gcc takes the missing start of a loop for zero. */
    if (is_word(s, i - 1) && is(s, i + 2, ";") && !(i > 3 && is(s, i - 3, "(")))
        add(s, i, i + 2, "", "initial value");
}

/* A float in between. */
static void narrow(struct source *s, size_t i)
{
    if ((is(s, i, "double") || is(s, i, "element")) && is_word(s, i + 1) &&
        !is_one_of(s, i + 1, types))
        add(s, i, i + 1, "float", "type");
}

/* A loop that is never entered. */
static void drop_loop(struct source *s, size_t i)
{
    if (!is(s, i, "for") || !is(s, i + 1, "("))
        return;
    const size_t end = behind_bracket(s, i + 1);
    size_t first = 0, second = 0;
    for (size_t j = i + 2; j < end; j++)
        if (is(s, j, ";")) {
            second = first ? j : 0;
            first = first ? first : j;
            if (second)
                break;
        }
    if (first && second > first + 1)
        add(s, first + 1, second, "0", "loop");
}

/* What changes nothing but memory and time, if it is left out. */
static bool only_costs(const struct source *s, size_t i)
{
    static const char *const names[] = {"free", "_mm_prefetch", "__builtin_prefetch", "_mm_sfence",
                                        NULL};
    char name[40];
    const size_t n = s->piece[i].to - s->piece[i].from;
    snprintf(name, sizeof name, "%.*s", (int)(n < 39 ? n : 39), s->text + s->piece[i].from);
    return is_one_of(s, i, names) || strstr(name, "free") || strstr(name, "Free");
}

/* A statement that is a call or an assignment. */
static void drop_statement(struct source *s, size_t i)
{
    static const char *const keywords[] = {"return", "if",       "for",    "while",  "do",
                                           "else",   "break",    "switch", "case",   "goto",
                                           "struct", "continue", "enum",   "static", NULL};
    const size_t b = before(s, i);
    if (!is_word(s, i) || is_one_of(s, i, keywords) || is_one_of(s, i, types) ||
        !(is(s, b, ";") || is(s, b, "{") || is(s, b, "}") || is(s, b, ")") || is(s, b, "else")) ||
        is_word(s, i + 1) || is_sign(s, i + 1, '*') || only_costs(s, i))
        return;
    int depth = 0;
    for (size_t j = i; j < s->count && depth >= 0; j++) {
        depth += is(s, j, "(") || is(s, j, "{");
        depth -= is(s, j, ")") || is(s, j, "}");
        if (depth == 0 && is(s, j, ";")) {
            add(s, i, j + 1, ";", "statement");
            return;
        }
    }
}

/* A clause or a directive of OpenMP that is left out. */
static void change_directive(struct source *s, size_t i)
{
    static const char *const clauses[] = {"reduction", "private", "firstprivate", "lastprivate",
                                          NULL};
    static const char *const alone[] = {"barrier", "critical", "atomic", "single", NULL};
    if (is_one_of(s, i, clauses) && is(s, i + 1, "("))
        add(s, i, behind_bracket(s, i + 1), "", "clause");
    if (i < 3 || !is(s, i - 2, "pragma") || !is(s, i - 1, "omp"))
        return;
    if (is_one_of(s, i, alone))
        add(s, i - 3, i + 1, "", "directive");
    if (is(s, i, "for"))
        add(s, i, i + 1, "for nowait", "barrier");
}

void mutants_of(const struct kernel *k, const char *text, size_t len, struct mutant_list *out)
{
    struct source s = {.kernel = k, .text = text, .out = out};
    *out = (struct mutant_list){0};
    read_tokens(&s, len);
    find_blocks(&s);
    for (size_t i = 0; i < s.count; i++) {
        if (!s.piece[i].statement || s.piece[i].constant)
            continue;
        if (s.piece[i].directive) {
            change_directive(&s, i);
            continue;
        }
        swap_dimension(&s, i);
        change_comparison(&s, i);
        change_arithmetic(&s, i);
        change_start(&s, i);
        narrow(&s, i);
        drop_loop(&s, i);
        drop_statement(&s, i);
    }
    free(s.piece);
}

void mutant_list_free(struct mutant_list *l)
{
    free(l->item);
    *l = (struct mutant_list){0};
}
