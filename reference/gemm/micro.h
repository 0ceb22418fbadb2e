/*
 * micro.h - the innermost loops: a tile of C stays in registers while a sliver of A meets a sliver
 * of B. gemm_block.h includes it.
 *
 * The vectors are those of the compiler's own language: <immintrin.h> alone takes longer to compile
 * than all of the reference.
 */
#ifndef MICRO_H
#define MICRO_H

#if defined(GEMM_F64)
typedef element lane;
#define MULTIPLY_ADD_256(x, y, sum) __builtin_ia32_vfmaddpd256(x, y, sum)
#define MULTIPLY_ADD_512(x, y, sum) __builtin_ia32_vfmaddpd512_mask(x, y, sum, -1, 4)
#elif defined(GEMM_F32)
typedef element lane;
#define MULTIPLY_ADD_256(x, y, sum) __builtin_ia32_vfmaddps256(x, y, sum)
#define MULTIPLY_ADD_512(x, y, sum) __builtin_ia32_vfmaddps512_mask(x, y, sum, -1, 4)
#else
typedef uint32_t lane; /* sums wrap */
#define MULTIPLY_ADD_256(x, y, sum) ((x) * (y) + (sum))
#define MULTIPLY_ADD_512(x, y, sum) ((x) * (y) + (sum))
#endif

typedef lane vector_256 __attribute__((vector_size(32), may_alias));
typedef lane vector_512 __attribute__((vector_size(64), may_alias));
typedef lane vector_256_anywhere __attribute__((vector_size(32), may_alias, aligned(4)));
typedef lane vector_512_anywhere __attribute__((vector_size(64), may_alias, aligned(4)));

/* Steps of k between the fetch of a row of B and its use. Slivers come from the second-level cache,
 * and the processor's own prefetcher does not always keep up. */
enum { GEMM_AHEAD = 8 };

/* MR rows of VECTORS vectors each, whose accumulators stay in registers. AVX2: 6 x 2, that is 12
 * accumulators, 2 vectors of B, 1 broadcast of A, 1 product: all 16 registers. AVX-512, of 32
 * registers: 12 x 2 accumulators, so that a sliver of B, which alone would fill the first-level
 * cache, may come from the second: 24 multiply-adds for 14 loads. Doubles take twice the bytes, and
 * 9 x 3: 27 multiply-adds for 12 loads.
 *
 * The tile of C is needed at the end only. It is fetched row by row meanwhile: all of its lines at
 * once would hold up those of A and B. A row that is not aligned has one line more.
 *
 * NEXT: what comes next of B is fetched into the second-level cache, because from the third level
 * GEMM_AHEAD steps would be too late. This is one more instruction in each step of k. Where two
 * hardware threads share a core, it costs 4 % of integers, which compute longer for each byte, and
 * 15 % of floats with AVX2. So only the others have it. */
#define GEMM_KERNEL(name, features, MR, VECTORS, V, MULTIPLY_ADD, NEXT)                            \
    __attribute__((target(features))) static void name(int kc, const struct gemm_tile *t)          \
    {                                                                                              \
        enum { ROWS = (MR), LANES = sizeof(V) / sizeof(lane), NR = (VECTORS)*LANES };              \
        const element *a = t->a, *b = t->b, *next = t->next;                                       \
        element *const c = t->c;                                                                   \
        const size_t ldc = t->ldc, step = t->next_step;                                            \
        V acc[ROWS][VECTORS] = {{{0}}};                                                            \
        for (int row = 0, k = 0; row < ROWS; row++) {                                              \
            for (int j = 0; j < NR; j += GEMM_ALIGN / (int)sizeof *c)                              \
                __builtin_prefetch(c + (size_t)row * ldc + j, 1);                                  \
            __builtin_prefetch(c + (size_t)row * ldc + NR - 1, 1);                                 \
            for (const int end = kc * (row + 1) / ROWS; k < end; k++) {                            \
                V x, y[VECTORS];                                                                   \
                __builtin_prefetch(a + (size_t)GEMM_AHEAD * 2 * ROWS);                             \
                if (NEXT) {                                                                        \
                    __builtin_prefetch(next, 0, 2);                                                \
                    next += step;                                                                  \
                }                                                                                  \
                _Pragma("GCC unroll 16") for (size_t j = 0; j < (VECTORS); j++)                    \
                {                                                                                  \
                    __builtin_prefetch(b + (size_t)GEMM_AHEAD * NR + j * LANES);                   \
                    y[j] = *(const V *)(const void *)(b + j * LANES);                              \
                }                                                                                  \
                _Pragma("GCC unroll 16") for (int i = 0; i < ROWS; i++)                            \
                {                                                                                  \
                    x = (lane)a[i] - (V){0};                                                       \
                    /* one load for all vectors, and not long before */                            \
                    __asm__("" : "+v"(x));                                                         \
                    _Pragma("GCC unroll 16") for (int j = 0; j < (VECTORS); j++) acc[i][j] =       \
                        MULTIPLY_ADD(x, y[j], acc[i][j]);                                          \
                }                                                                                  \
                a += ROWS;                                                                         \
                b += NR;                                                                           \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 16") for (int i = 0; i < ROWS; i++)                                    \
        {                                                                                          \
            V##_anywhere *const to = (V##_anywhere *)(void *)(c + (size_t)i * ldc);                \
            _Pragma("GCC unroll 16") for (int j = 0; j < (VECTORS); j++)                           \
            {                                                                                      \
                if (t->add)                                                                        \
                    acc[i][j] += to[j];                                                            \
                to[j] = acc[i][j];                                                                 \
            }                                                                                      \
        }                                                                                          \
    }

#if defined(GEMM_F64)
enum { GEMM_ROWS_512 = 9, GEMM_VECTORS_512 = 3, GEMM_NEXT_256 = 1, GEMM_NEXT_512 = 1 };
#elif defined(GEMM_F32)
enum { GEMM_ROWS_512 = 12, GEMM_VECTORS_512 = 2, GEMM_NEXT_256 = 0, GEMM_NEXT_512 = 1 };
#else
enum { GEMM_ROWS_512 = 12, GEMM_VECTORS_512 = 2, GEMM_NEXT_256 = 0, GEMM_NEXT_512 = 0 };
#endif
GEMM_KERNEL(gemm_kernel_avx2, "avx2,fma", 6, 2, vector_256, MULTIPLY_ADD_256, GEMM_NEXT_256)
GEMM_KERNEL(gemm_kernel_avx512, "avx512f", GEMM_ROWS_512, GEMM_VECTORS_512, vector_512,
            MULTIPLY_ADD_512, GEMM_NEXT_512)

/* 4 x 8 in plain C, for processors without AVX2. */
static void gemm_kernel_plain(int kc, const struct gemm_tile *t)
{
    const element *a = t->a, *b = t->b;
    lane acc[4][8] = {{0}};
    for (int k = 0; k < kc; k++, a += 4, b += 8)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 8; j++)
                acc[i][j] += (lane)a[i] * (lane)b[j];
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 8; j++)
            t->c[i * t->ldc + j] = (element)(acc[i][j] + (t->add ? (lane)t->c[i * t->ldc + j] : 0));
}

static inline struct gemm_micro gemm_choose(void)
{
    enum { LANES_256 = 32 / sizeof(lane), LANES_512 = 64 / sizeof(lane) };
    if (__builtin_cpu_supports("avx512f"))
        return (struct gemm_micro){GEMM_ROWS_512, GEMM_VECTORS_512 * LANES_512, gemm_kernel_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct gemm_micro){6, 2 * LANES_256, gemm_kernel_avx2};
    return (struct gemm_micro){4, 8, gemm_kernel_plain};
}

#endif
