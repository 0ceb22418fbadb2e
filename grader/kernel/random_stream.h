/*
 * random_stream.h - random elements of matrices, from the cipher ChaCha with 8 rounds
 * (D. J. Bernstein, ChaCha, a variant of Salsa20, 2008). Nobody who sees some elements can compute
 * others: a kernel that could would make its inputs, and not read or move them. The key has the 64
 * bits of the seed; trying them all takes longer than any kernel has.
 *
 * Each element can be made by itself. Compilers turn the cipher into vector code, up to sixteen
 * blocks at once.
 */
#ifndef KERNEL_RANDOM_STREAM_H
#define KERNEL_RANDOM_STREAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RANDOM_CHUNK = 256,              /* words that are made at once */
    RANDOM_PAIRS = RANDOM_CHUNK / 2, /* elements of two words in them */
};

/* The words of one input in one run. It keeps the last chunk, so it is fast where words are taken
 * more or less in order. */
struct random_stream {
    uint64_t seed;
    uint32_t input, part;
    uint64_t chunk; /* of word[]; UINT64_MAX: none yet */
    uint32_t word[RANDOM_CHUNK];
};

/* The streams of a seed, of inputs and of parts have nothing to do with each other. */
void random_stream_init(struct random_stream *s, uint64_t seed, int input, int part);
void random_stream_make(struct random_stream *s, uint64_t chunk);

static inline uint32_t random_stream_word(struct random_stream *s, uint32_t i)
{
    if (i / RANDOM_CHUNK != s->chunk)
        random_stream_make(s, i / RANDOM_CHUNK);
    return s->word[i % RANDOM_CHUNK];
}

/* Words that lie beside each other. To go through words 0 .. n - 1, start with {0}:
 *
 *     for (struct random_span p = {0}; random_span_next(&p, &stream, n);)
 *         for (uint32_t i = 0; i < p.count; i++)
 *             ... p.word[i] is the word p.first + i
 */
struct random_span {
    uint32_t first, count;
    const uint32_t *word;
};

static inline bool random_span_next(struct random_span *p, struct random_stream *s, uint32_t n)
{
    p->first += p->count;
    if (p->first >= n)
        return false;
    random_stream_make(s, p->first / RANDOM_CHUNK);
    p->word = s->word;
    p->count = n - p->first < RANDOM_CHUNK ? n - p->first : RANDOM_CHUNK;
    return true;
}

/* A whole number, +-1 .. +-(2^bits - 1), never 0; bits <= 31. */
static inline double random_whole(uint32_t word, int bits)
{
    const uint32_t size = 1 + (uint32_t)(((word >> 1) * ((UINT64_C(1) << bits) - 1)) >> 31);
    return word & 1 ? -(double)size : (double)size;
}

/* Fill x with n elements, from the first-th on, of -1 .. 1, with all bits of the mantissa. A float
 * has one word, a double has two of a chunk: the i-th and the (i + RANDOM_PAIRS)-th. */
void random_uniform_f32(struct random_stream *s, uint32_t first, uint32_t n, float *x);
void random_uniform_f64(struct random_stream *s, uint32_t first, uint32_t n, double *x);

#endif
