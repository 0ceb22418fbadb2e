/*
 * similar_passages.h - the passages of all sources: runs of SIMILAR_PASSAGE tokens, without those
 * that everybody has. For similarity.c.
 */
#ifndef MODEL_SIMILAR_PASSAGES_H
#define MODEL_SIMILAR_PASSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/similarity.h"
#include "model/source_words.h"

struct source {
    struct source_words words;
    bool *counts; /* by word: it lies in no passage that everybody has */
    size_t own;   /* how many do */
    /* Number of the first source with the same words; its own number if no earlier one has them. */
    unsigned first;
    bool given;
};

struct similarity {
    struct source *source;
    unsigned count;
};

struct passage {
    uint64_t hash;
    uint32_t source, at;
};

/* Find sources with the same words (only the first of them is compared with others), the tokens of
 * each source that are its own, and the passages that not everybody has: those that are equal
 * follow each other, by source and place. The caller frees *out. Returns how many there are. */
size_t similar_passages(struct similarity *s, struct passage **out);

/* The end of the passages from p[i] on that are equal. */
size_t passages_same(const struct passage *p, size_t n, size_t i);
/* The end of those of one source. */
size_t passages_same_source(const struct passage *p, size_t end, size_t i);
/* The tokens from `from` to `end` that are the source's own. */
size_t passages_own_tokens(const struct source *x, size_t from, size_t end);

#endif
