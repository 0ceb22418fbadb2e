#include "model/source_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/tokens.h"

/* What stands for all names, numbers and texts. Keywords and punctuation stand for themselves. */
enum { ANY_NAME = WORD_BREAK + 1, ANY_NUMBER, ANY_TEXT, OTHERS };

static bool is_keyword(const char *text)
{
    static const char *const keyword[] = {
        "break",   "case",   "char",  "const",    "continue", "default", "do",       "double",
        "else",    "enum",   "float", "for",      "goto",     "if",      "inline",   "int",
        "long",    "return", "short", "signed",   "sizeof",   "static",  "struct",   "switch",
        "typedef", "union",  "void",  "unsigned", "volatile", "while",   "restrict", "template",
        "class",   "auto",   "new",   "delete"};
    for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++)
        if (*text == *keyword[i] && strcmp(text, keyword[i]) == 0)
            return true;
    return false;
}

static uint64_t form_of(const struct token *t)
{
    switch (t->kind) {
    case TOKEN_WORD:
        return is_keyword(t->text.s) ? hash_64(t->text.s, t->text.len) | OTHERS : ANY_NAME;
    case TOKEN_STRING:
        return ANY_TEXT;
    default:
        return (t->c >= '0' && t->c <= '9') || t->c == '\'' ? ANY_NUMBER : OTHERS + (uint64_t)t->c;
    }
}

/* A person writes some thousand words. More than this would only cost the front end memory. */
enum { WORDS_MOST = 200000 };

static void add_word(struct source_words *s, struct word w)
{
    enum { STEP = 256 };
    if (s->count % STEP == 0)
        s->item = xrealloc_array(s->item, s->count + STEP, sizeof *s->item);
    s->item[s->count++] = w;
}

/* After a '#': is this an #include line? It is skipped then. */
static bool skip_include(struct token_reader *r)
{
    struct token_reader ahead = *r;
    struct token t = {.text = STRBUF_INIT};
    token_next(&ahead, &t);
    const bool include = token_is_word(&t, "include");
    if (include) {
        token_until(&ahead, '\n', &t);
        *r = ahead;
    }
    strbuf_free(&t.text);
    return include;
}

void source_words_add(struct source_words *s, unsigned file, const char *text, size_t len)
{
    struct token_reader r = {.p = text, .end = text + len, .line = 1};
    struct token t = {.text = STRBUF_INIT};
    for (token_next(&r, &t); t.kind != TOKEN_END && s->count < WORDS_MOST; token_next(&r, &t)) {
        if (t.kind == TOKEN_NEWLINE || (t.kind == TOKEN_OTHER && t.c == '#' && skip_include(&r)))
            continue;
        add_word(
            s, (struct word){form_of(&t), hash_64(t.start, (size_t)(r.p - t.start)), file, t.line});
    }
    /* No passage reaches from one file to the next one. */
    add_word(s, (struct word){WORD_BREAK, WORD_BREAK, file, r.line});
    strbuf_free(&t.text);
}

void source_words_free(struct source_words *s)
{
    free(s->item);
    *s = (struct source_words){0};
}
