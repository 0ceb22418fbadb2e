#include "kernel/random_stream.h"

#include <string.h>

enum { STATE = 16, DOUBLE_ROUNDS = 4, BLOCKS = RANDOM_CHUNK / STATE };

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER_ROUND(a, b, c, d)                                                                  \
    do {                                                                                           \
        a += b, d = ROTATE(d ^ a, 16);                                                             \
        c += d, b = ROTATE(b ^ c, 12);                                                             \
        a += b, d = ROTATE(d ^ a, 8);                                                              \
        c += d, b = ROTATE(b ^ c, 7);                                                              \
    } while (0)

void random_stream_init(struct random_stream *s, uint64_t seed, int input, int part)
{
    s->seed = seed;
    s->input = (uint32_t)input;
    s->part = (uint32_t)part;
    s->chunk = UINT64_MAX;
}

/* A function that makes a chunk: in a vector is the same word of as many blocks of the cipher as it
 * has lanes. Word w of block b is at BLOCKS w + b. The key is that of the stream, `block` the
 * number of the first block. */
#define DEFINE_CHACHA(name, target, lanes)                                                         \
    __extension__ typedef uint32_t name##_vector __attribute__((vector_size(4 * (lanes))));        \
    target static void name(const uint32_t first[STATE], uint32_t out[RANDOM_CHUNK])               \
    {                                                                                              \
        for (int from = 0; from < BLOCKS; from += (lanes)) {                                       \
            name##_vector start[STATE], x[STATE];                                                  \
            for (int i = 0; i < STATE; i++)                                                        \
                start[i] = (name##_vector){0} + first[i];                                          \
            for (int i = 0; i < (lanes); i++)                                                      \
                start[12][i] += (uint32_t)(from + i);                                              \
            memcpy(x, start, sizeof x);                                                            \
            for (int i = 0; i < DOUBLE_ROUNDS; i++) {                                              \
                QUARTER_ROUND(x[0], x[4], x[8], x[12]);                                            \
                QUARTER_ROUND(x[1], x[5], x[9], x[13]);                                            \
                QUARTER_ROUND(x[2], x[6], x[10], x[14]);                                           \
                QUARTER_ROUND(x[3], x[7], x[11], x[15]);                                           \
                QUARTER_ROUND(x[0], x[5], x[10], x[15]);                                           \
                QUARTER_ROUND(x[1], x[6], x[11], x[12]);                                           \
                QUARTER_ROUND(x[2], x[7], x[8], x[13]);                                            \
                QUARTER_ROUND(x[3], x[4], x[9], x[14]);                                            \
            }                                                                                      \
            for (int i = 0; i < STATE; i++) {                                                      \
                x[i] += start[i];                                                                  \
                memcpy(out + BLOCKS * i + from, &x[i], sizeof x[i]);                               \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_CHACHA(chacha, , 4)
#if defined __x86_64__
DEFINE_CHACHA(chacha_avx2, __attribute__((target("avx2"))), 8)
DEFINE_CHACHA(chacha_avx512, __attribute__((target("avx512f"))), 16)
#endif

void random_stream_make(struct random_stream *s, uint64_t chunk)
{
    const uint64_t block = chunk * BLOCKS;
    /* "expand 32-byte k", the key, the number of the block, and the name of the stream. */
    const uint32_t first[STATE] = {0x61707865U,
                                   0x3320646eU,
                                   0x79622d32U,
                                   0x6b206574U,
                                   (uint32_t)s->seed,
                                   (uint32_t)(s->seed >> 32),
                                   [12] = (uint32_t)block,
                                   (uint32_t)(block >> 32),
                                   s->input,
                                   s->part};
    s->chunk = chunk;
#if defined __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        chacha_avx512(first, s->word);
    else if (__builtin_cpu_supports("avx2"))
        chacha_avx2(first, s->word);
    else
#endif
        chacha(first, s->word);
}

RANDOM_FILLS void random_uniform_f32(struct random_stream *s, uint32_t first, uint32_t n, float *x)
{
    while (n > 0) {
        const uint32_t at = first % RANDOM_CHUNK;
        const uint32_t count = n < RANDOM_CHUNK - at ? n : RANDOM_CHUNK - at;
        if (first / RANDOM_CHUNK != s->chunk)
            random_stream_make(s, first / RANDOM_CHUNK);
        for (uint32_t i = 0; i < count; i++)
            x[i] = (float)((int32_t)s->word[at + i] >> 7) * 0x1p-24F;
        first += count, x += count, n -= count;
    }
}

RANDOM_FILLS void random_uniform_f64(struct random_stream *s, uint32_t first, uint32_t n, double *x)
{
    while (n > 0) {
        const uint32_t at = first % RANDOM_PAIRS;
        const uint32_t count = n < RANDOM_PAIRS - at ? n : RANDOM_PAIRS - at;
        if (first / RANDOM_PAIRS != s->chunk)
            random_stream_make(s, first / RANDOM_PAIRS);
        for (uint32_t i = 0; i < count; i++) {
            /* Vectors of 64-bit integers are not converted by all processors. */
            const double high = (double)(int32_t)s->word[at + i];
            const uint32_t low = s->word[RANDOM_PAIRS + at + i] >> 10;
            x[i] = (high * 0x1p22 + (double)(int32_t)low) * 0x1p-53;
        }
        first += count, x += count, n -= count;
    }
}
