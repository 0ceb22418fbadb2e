#include "kernel/random_stream.h"

#include <string.h>

enum { STATE = 16, DOUBLE_ROUNDS = 4, BLOCKS = RANDOM_CHUNK / STATE };

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER_ROUND(x, a, b, c, d)                                                               \
    do {                                                                                           \
        (x)[a] += (x)[b], (x)[d] = ROTATE((x)[d] ^ (x)[a], 16);                                    \
        (x)[c] += (x)[d], (x)[b] = ROTATE((x)[b] ^ (x)[c], 12);                                    \
        (x)[a] += (x)[b], (x)[d] = ROTATE((x)[d] ^ (x)[a], 8);                                     \
        (x)[c] += (x)[d], (x)[b] = ROTATE((x)[b] ^ (x)[c], 7);                                     \
    } while (0)

void random_stream_init(struct random_stream *s, uint64_t seed, int input, int part)
{
    s->seed = seed;
    s->input = (uint32_t)input;
    s->part = (uint32_t)part;
    s->chunk = UINT64_MAX;
}

/* Vectors with the same word of so many blocks of the cipher. */
__extension__ typedef uint32_t lanes4 __attribute__((vector_size(16)));
#if defined __x86_64__
__extension__ typedef uint32_t lanes8 __attribute__((vector_size(32)));
__extension__ typedef uint32_t lanes16 __attribute__((vector_size(64)));
#endif

/* Make a chunk. Word w of block b is at BLOCKS w + b. `first` is the state of the first block. */
#define CHACHA(N, first, out)                                                                      \
    do {                                                                                           \
        for (int from = 0; from < BLOCKS; from += (N)) {                                           \
            lanes##N start[STATE], x[STATE];                                                       \
            for (int i = 0; i < STATE; i++)                                                        \
                start[i] = (lanes##N){0} + (first)[i];                                             \
            for (int i = 0; i < (N); i++)                                                          \
                start[12][i] += (uint32_t)(from + i);                                              \
            memcpy(x, start, sizeof x);                                                            \
            for (int i = 0; i < DOUBLE_ROUNDS; i++) {                                              \
                QUARTER_ROUND(x, 0, 4, 8, 12);                                                     \
                QUARTER_ROUND(x, 1, 5, 9, 13);                                                     \
                QUARTER_ROUND(x, 2, 6, 10, 14);                                                    \
                QUARTER_ROUND(x, 3, 7, 11, 15);                                                    \
                QUARTER_ROUND(x, 0, 5, 10, 15);                                                    \
                QUARTER_ROUND(x, 1, 6, 11, 12);                                                    \
                QUARTER_ROUND(x, 2, 7, 8, 13);                                                     \
                QUARTER_ROUND(x, 3, 4, 9, 14);                                                     \
            }                                                                                      \
            for (int i = 0; i < STATE; i++) {                                                      \
                x[i] += start[i];                                                                  \
                memcpy(&(out)[BLOCKS * i + from], &x[i], sizeof x[i]);                             \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static void chacha(const uint32_t first[STATE], uint32_t out[RANDOM_CHUNK])
{
    CHACHA(4, first, out);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static void chacha_avx2(const uint32_t first[STATE],
                                                        uint32_t out[RANDOM_CHUNK])
{
    CHACHA(8, first, out);
}

__attribute__((target("avx512f"))) static void chacha_avx512(const uint32_t first[STATE],
                                                             uint32_t out[RANDOM_CHUNK])
{
    CHACHA(16, first, out);
}
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

/* A function that fills a matrix: also built for the vectors of newer processors, if the compiler
 * can choose one of several versions when the program starts. All versions give the same values. */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__
#define FILLS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FILLS
#endif

FILLS void random_uniform_f32(struct random_stream *s, uint32_t first, uint32_t n, float *x)
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

FILLS void random_uniform_f64(struct random_stream *s, uint32_t first, uint32_t n, double *x)
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
