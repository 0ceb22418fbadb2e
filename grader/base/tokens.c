#include "base/tokens.h"

#include <ctype.h>
#include <string.h>

/* --- characters ------------------------------------------------------------------------------- */

enum { TRIGRAPH = 3, DELIMITER_MOST = 16 };

/* The next character, before lines are joined. */
static int take(struct token_reader *r)
{
    static const char third[] = "=/'()!<>-", is[] = "#\\^[]|{}~";
    if (r->p >= r->end)
        return TOKEN_EOF;
    if (r->reading & READ_TRIGRAPHS && r->end - r->p >= TRIGRAPH && r->p[0] == '?' &&
        r->p[1] == '?') {
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

/* The next character. A backslash at the end of a line joins the lines, even with blanks after it.
 */
static int get(struct token_reader *r)
{
    for (;;) {
        int c = take(r);
        if (c == '\n')
            r->line++;
        if (c != '\\')
            return c;
        struct token_reader ahead = *r;
        do
            c = take(&ahead);
        while (is_blank(c));
        if (c != '\n')
            return '\\';
        *r = ahead;
        r->line++;
    }
}

static int peek(const struct token_reader *r)
{
    struct token_reader ahead = *r;
    return get(&ahead);
}

static bool skip_if(struct token_reader *r, int c)
{
    if (peek(r) != c)
        return false;
    get(r);
    return true;
}

/* --- tokens ------------------------------------------------------------------------------------
 */

static bool in_word(int c)
{
    return c == '_' || c == '$' || (c != TOKEN_EOF && (isalnum(c) || c >= 0x80));
}

static void add_char(struct token *t, int c)
{
    const char byte = (char)c;
    strbuf_add(&t->text, &byte, 1);
}

/* Skip the rest of a comment, after a '/'. False when it is none. */
static bool skip_comment(struct token_reader *r)
{
    int c;
    if (skip_if(r, '/')) {
        while ((c = peek(r)) != '\n' && c != TOKEN_EOF)
            get(r);
        return true;
    }
    if (!skip_if(r, '*'))
        return false;
    while ((c = get(r)) != TOKEN_EOF)
        if (c == '*' && skip_if(r, '/'))
            break;
    return true;
}

/* Read up to the closing quote, or up to the end of the line if it is missing. */
static void read_quoted(struct token_reader *r, int quote, struct token *t)
{
    int c;
    while ((c = peek(r)) != quote && c != '\n' && c != TOKEN_EOF) {
        get(r);
        if (c == '\\') {
            c = peek(r);
            if (c == '\n' || c == TOKEN_EOF)
                break;
            get(r);
        }
        add_char(t, c);
    }
    skip_if(r, quote);
}

/* Read a raw string after R", where no lines are joined and nothing is replaced. If it is not
 * closed, it reaches to the end of the text. False, with nothing read, when it is no raw string. */
static bool read_raw(struct token_reader *r, struct token *t)
{
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

static void read_word(struct token_reader *r, int first, struct token *t)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"};
    static const char *const wide[] = {"L", "u", "U", "u8"};
    t->kind = TOKEN_WORD;
    add_char(t, first);
    while (in_word(peek(r)))
        add_char(t, get(r));
    if (peek(r) != '"')
        return;
    struct token_reader behind = *r;
    get(&behind);
    for (size_t i = 0; i < sizeof raw / sizeof raw[0] && r->reading & READ_RAW_STRINGS; i++) {
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

/* Skip a number, such as 0x1p-3 or 1'000'000, whose quotes start no character constant. */
static void read_number(struct token_reader *r)
{
    for (;;) {
        int c = peek(r);
        if (c == '\'') {
            struct token_reader behind = *r;
            get(&behind);
            if (!in_word(peek(&behind)))
                return;
        } else if (!in_word(c) && c != '.') {
            return;
        }
        get(r);
    }
}

void token_next(struct token_reader *r, struct token *t)
{
    strbuf_clear(&t->text);
    for (;;) {
        while (is_blank(peek(r)))
            get(r);
        t->start = r->p;
        int c = get(r);
        t->line = r->line;
        t->c = c;
        t->kind = c == TOKEN_EOF ? TOKEN_END : c == '\n' ? TOKEN_NEWLINE : TOKEN_OTHER;
        if (c == '/' && skip_comment(r))
            continue;
        if (c == '"') {
            t->kind = TOKEN_STRING;
            read_quoted(r, '"', t);
        } else if (c == '\'') {
            read_quoted(r, '\'', t);
        } else if (c == '%' && skip_if(r, ':')) {
            t->c = '#';
        } else if (c != TOKEN_EOF && isdigit(c)) {
            read_number(r);
        } else if (in_word(c)) {
            read_word(r, c, t);
        }
        return;
    }
}

void token_until(struct token_reader *r, int stop, struct token *t)
{
    int c;
    while ((c = peek(r)) != stop && c != '\n' && c != TOKEN_EOF)
        add_char(t, get(r));
}

bool token_is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && strcmp(t->text.s, word) == 0;
}
