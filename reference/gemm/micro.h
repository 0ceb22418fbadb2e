/*
 * micro.h - the innermost loops: a tile of C stays in registers while a sliver of A meets a sliver
 * of B. gemm_block.h includes it.
 *
 * The vectors are those of the compiler's own language: <immintrin.h> alone takes longer to compile
 * than all of the reference.
 */
#ifndef MICRO_H
#define MICRO_H

/* sum += x * y. This is assembly, because gcc 12 chooses other registers for some of the sums when
 * several steps are unrolled, and moves them back, even through memory. */
#if defined(GEMM_F64)
typedef element lane;
#define MULTIPLY_ADD(sum, x, y) __asm__("vfmadd231pd %1, %2, %0" : "+v"(sum) : "v"(x), "v"(y))
#elif defined(GEMM_F32)
typedef element lane;
#define MULTIPLY_ADD(sum, x, y) __asm__("vfmadd231ps %1, %2, %0" : "+v"(sum) : "v"(x), "v"(y))
#else
typedef uint32_t lane; /* sums wrap */
#define MULTIPLY_ADD(sum, x, y)                                                                    \
    do {                                                                                           \
        __typeof__(sum) product;                                                                   \
        __asm__("vpmulld %2, %3, %1\n\t"                                                           \
                "vpaddd %1, %0, %0"                                                                \
                : "+v"(sum), "=&v"(product)                                                        \
                : "v"(x), "v"(y));                                                                 \
    } while (0)
#endif

typedef lane vector_256 __attribute__((vector_size(32), may_alias));
typedef lane vector_512 __attribute__((vector_size(64), may_alias));
typedef lane vector_256_anywhere __attribute__((vector_size(32), may_alias, aligned(4)));
typedef lane vector_512_anywhere __attribute__((vector_size(64), may_alias, aligned(4)));

/* Steps of k between the fetch of a row of B and its use. Slivers come from the second-level cache,
 * and the processor's own prefetcher does not always keep up.
 *
 * Fetches are issued for several steps together, one for each cache line. Where two hardware
 * threads share a core, each has half of its instruction slots, and every instruction that is no
 * multiply-add costs time. */
enum { GEMM_AHEAD = 8, GEMM_STEPS = 4 };

/* One step of k: a column of A times a row of B. */
#define GEMM_STEP(ROWS, VECTORS, V)                                                                \
    do {                                                                                           \
        V x, y[VECTORS];                                                                           \
        _Pragma("GCC unroll 16") for (size_t j = 0; j < (VECTORS); j++) y[j] =                     \
            *(const V *)(const void *)(b + j * LANES);                                             \
        _Pragma("GCC unroll 16") for (int i = 0; i < (ROWS); i++)                                  \
        {                                                                                          \
            x = (lane)a[i] - (V){0};                                                               \
            /* one load for all vectors, and not long before */                                    \
            __asm__("" : "+v"(x));                                                                 \
            _Pragma("GCC unroll 16") for (int j = 0; j < (VECTORS); j++)                           \
                MULTIPLY_ADD(acc[i][j], x, y[j]);                                                  \
        }                                                                                          \
        a += (ROWS);                                                                               \
        b += NR;                                                                                   \
    } while (0)

/* MR rows of VECTORS vectors each, whose accumulators stay in registers. AVX2: 6 x 2, that is 12
 * accumulators, 2 vectors of B, 1 broadcast of A, 1 product: all 16 registers. AVX-512, of 32
 * registers: 12 x 2 accumulators, so that a sliver of B, which alone would fill the first-level
 * cache, may come from the second: 24 multiply-adds for 14 loads. Doubles take twice the bytes, and
 * 9 x 3: 27 multiply-adds for 12 loads.
 *
 * The tile of C is needed at the end only. It is fetched row by row meanwhile: all of its lines at
 * once would hold up those of A and B. A row that is not aligned has one line more. What comes next
 * of B is fetched into the second-level cache: from the third level, GEMM_AHEAD steps would be too
 * late. */
#define GEMM_KERNEL(name, features, MR, VECTORS, V)                                                \
    __attribute__((target(features))) static void name(int kc, const struct gemm_tile *t)          \
    {                                                                                              \
        enum { ROWS = (MR), LANES = sizeof(V) / sizeof(lane), NR = (VECTORS)*LANES };              \
        enum { LINE = GEMM_ALIGN / sizeof(lane) };                                                 \
        const element *a = t->a, *b = t->b, *next = t->next;                                       \
        element *const c = t->c;                                                                   \
        const size_t ldc = t->ldc, next_step = GEMM_STEPS * t->next_step;                          \
        V acc[ROWS][VECTORS] = {{{0}}};                                                            \
        int k = 0;                                                                                 \
        for (int row = 0; row < ROWS; row++) {                                                     \
            for (int j = 0; j < NR; j += LINE)                                                     \
                __builtin_prefetch(c + (size_t)row * ldc + j, 1);                                  \
            __builtin_prefetch(c + (size_t)row * ldc + NR - 1, 1);                                 \
            for (const int end = kc * (row + 1) / ROWS; k + GEMM_STEPS <= end; k += GEMM_STEPS) {  \
                _Pragma("GCC unroll 16") for (int i = 0; i < GEMM_STEPS * ROWS; i += LINE)         \
                    __builtin_prefetch(a + (size_t)GEMM_AHEAD * 2 * ROWS + i);                     \
                _Pragma("GCC unroll 16") for (int i = 0; i < GEMM_STEPS * NR; i += LINE)           \
                    __builtin_prefetch(b + (size_t)GEMM_AHEAD * NR + i);                           \
                __builtin_prefetch(next, 0, 2);                                                    \
                next += next_step;                                                                 \
                _Pragma("GCC unroll 4") for (int i = 0; i < GEMM_STEPS; i++)                       \
                    GEMM_STEP(ROWS, VECTORS, V);                                                   \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 1") for (; k < kc; k++) GEMM_STEP(ROWS, VECTORS, V);                   \
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

#ifdef GEMM_F64
enum { GEMM_ROWS_512 = 9, GEMM_VECTORS_512 = 3 };
#else
enum { GEMM_ROWS_512 = 12, GEMM_VECTORS_512 = 2 };
#endif
GEMM_KERNEL(gemm_kernel_avx2, "avx2,fma", 6, 2, vector_256)
GEMM_KERNEL(gemm_kernel_avx512, "avx512f", GEMM_ROWS_512, GEMM_VECTORS_512, vector_512)

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
