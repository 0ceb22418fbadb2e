/*
 * similarity.h - which sources of a class resemble each other.
 *
 * Sources are compared as sequences of tokens. All names count as the same name, all numbers as the
 * same number, and comments, blanks and #include lines do not count. So a copy in which names or
 * the layout were changed is still found. A passage of SIMILAR_PASSAGE tokens that two sources
 * share is a match. (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003. Sources here are short,
 * so all passages are kept, and none is selected.)
 *
 * Passages do not count if the students were given them, or if more than SIMILAR_COMMON sources
 * have them: every class writes the same three loops.
 *
 * Pure: no files, no clock. What is found is evidence for a person, never a verdict.
 */
#ifndef MODEL_SIMILARITY_H
#define MODEL_SIMILARITY_H

#include <stddef.h>

enum {
    /* Tokens of a passage. A loop header with its body of one statement has about 30. */
    SIMILAR_PASSAGE = 24,
    /* More sources than this share common knowledge. The same number as in Moss. */
    SIMILAR_COMMON = 10,
    /* Two sources are listed if they share at least so many tokens, */
    SIMILAR_TOKENS = 60,
};
/* and if that is at least this part of one of them. */
#define SIMILAR_SHARE 0.5

enum similarity_kind {
    SIMILAR_IDENTICAL, /* but for comments and blanks */
    SIMILAR_RENAMED,   /* but for names, numbers and texts, too */
    SIMILAR_PARTS,
};

/* A passage that two sources share, or a file of two identical ones: first and last line, in files
 * by the number of similarity_add(). */
struct similar_place {
    unsigned tokens;
    struct {
        unsigned file, first, last;
    } in[2];
};

struct similar_pair {
    unsigned source[2]; /* the smaller number comes first */
    enum similarity_kind kind;
    unsigned tokens;             /* of the first one, that the second one has as well */
    double share[2];             /* shared tokens over the tokens of each that are its own, 0..1 */
    struct similar_place *place; /* longest first; they do not overlap in the first source */
    size_t places;
};

struct similarity;

struct similarity *similarity_new(void);
void similarity_free(struct similarity *s);
/* The number of a new source, from 0. */
unsigned similarity_source(struct similarity *s);
/* Add a file to the source that was begun last. `file` is the caller's number for it. */
void similarity_add(struct similarity *s, unsigned file, const char *text, size_t len);
/* The same for a file that the students were given. */
void similarity_given(struct similarity *s, const char *text, size_t len);

/* All pairs that are listed, those with the largest share first. similar_pairs_free() frees them.
 * Of identical sources, each is listed with the first of them, and only the first with others. */
size_t similarity_pairs(struct similarity *s, struct similar_pair **pairs);
void similar_pairs_free(struct similar_pair *p, size_t n);

const char *similarity_kind_name(enum similarity_kind k);

#endif
