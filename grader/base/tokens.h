/*
 * tokens.h - the tokens of a C or C++ source, before macros and conditions. Comments are skipped
 * and joined lines are followed, as compilers do.
 */
#ifndef BASE_TOKENS_H
#define BASE_TOKENS_H

#include <stdbool.h>

#include "base/strbuf.h"

/* C and C++, and their versions, read some texts differently. A set of these is one way to read. */
enum { READ_TRIGRAPHS = 1, READ_RAW_STRINGS = 2, READINGS = 4 };

struct token_reader {
    const char *p, *end; /* what is left of the text */
    unsigned line;       /* of p; starts at 1 */
    unsigned reading;
};

enum token_kind { TOKEN_END, TOKEN_NEWLINE, TOKEN_WORD, TOKEN_STRING, TOKEN_OTHER };

enum { TOKEN_EOF = -1 };

struct token {
    enum token_kind kind;
    unsigned line;
    const char *start;  /* in the text; the token ends where the reader is then */
    int c;              /* the first character; with TOKEN_OTHER the token, unless it is a number or
                           a character constant */
    struct strbuf text; /* of words, and of strings without quotes and backslashes; owned */
};

/* Read the next token. */
void token_next(struct token_reader *r, struct token *t);

/* Append the characters up to `stop`, or up to the end of the line, to t->text. */
void token_until(struct token_reader *r, int stop, struct token *t);

bool token_is_word(const struct token *t, const char *word);

#endif
