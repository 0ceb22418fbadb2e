/*
 * source_words.h - a source as a sequence of words that can be compared: all names are the same
 * name, all numbers the same number, all texts the same text. Comments, blanks and #include lines
 * are left out.
 */
#ifndef MODEL_SOURCE_WORDS_H
#define MODEL_SOURCE_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { WORD_BREAK = 1 }; /* `form` of the end of a file; of no word */

struct word {
    uint64_t form, exact; /* without and with its name */
    unsigned file, line;
};

struct source_words {
    struct word *item;
    size_t count;
};

/* Add a file, and a break after it. `file` is the caller's number for it. */
void source_words_add(struct source_words *s, unsigned file, const char *text, size_t len);
void source_words_free(struct source_words *s);

#endif
