/*
 * micro_real.h - the innermost loops for float and double: a tile of C stays in registers while a
 * sliver of A meets a sliver of B. gemm_block.h includes it.
 */
#ifndef MICRO_REAL_H
#define MICRO_REAL_H

#ifdef GEMM_F64
#define V256 __m256d
#define V512 __m512d
#define OF_256(name) _mm256_##name##_pd
#define OF_512(name) _mm512_##name##_pd
#else
#define V256 __m256
#define V512 __m512
#define OF_256(name) _mm256_##name##_ps
#define OF_512(name) _mm512_##name##_ps
#endif

enum { LANES_256 = 32 / sizeof(element), LANES_512 = 64 / sizeof(element) };

/* MR rows of two vectors each, whose accumulators stay in registers. Six rows with AVX2: 12
 * accumulators, 2 vectors of B, 1 broadcast of A. Twelve rows with AVX-512. */
#define GEMM_KERNEL(name, features, MR, V, OF, LANES)                                              \
    __attribute__((target(features))) static void name(int kc, const element *a, const element *b, \
                                                       element *c, size_t ldc, int add)            \
    {                                                                                              \
        V acc[MR][2];                                                                              \
        _Pragma("GCC unroll 16") for (int i = 0; i < MR; i++) acc[i][0] = acc[i][1] =              \
            OF(setzero)();                                                                         \
        for (int k = 0; k < kc; k++) {                                                             \
            const V b0 = OF(load)(b), b1 = OF(load)(b + LANES);                                    \
            _Pragma("GCC unroll 16") for (int i = 0; i < MR; i++)                                  \
            {                                                                                      \
                V x = OF(set1)(a[i]);                                                              \
                __asm__("" : "+v"(x)); /* one load for two multiply-adds */                        \
                acc[i][0] = OF(fmadd)(x, b0, acc[i][0]);                                           \
                acc[i][1] = OF(fmadd)(x, b1, acc[i][1]);                                           \
            }                                                                                      \
            a += MR;                                                                               \
            b += 2 * LANES;                                                                        \
        }                                                                                          \
        _Pragma("GCC unroll 16") for (int i = 0; i < MR; i++)                                      \
        {                                                                                          \
            element *to = c + (size_t)i * ldc;                                                     \
            if (add) {                                                                             \
                acc[i][0] = OF(add)(acc[i][0], OF(loadu)(to));                                     \
                acc[i][1] = OF(add)(acc[i][1], OF(loadu)(to + LANES));                             \
            }                                                                                      \
            OF(storeu)(to, acc[i][0]);                                                             \
            OF(storeu)(to + LANES, acc[i][1]);                                                     \
        }                                                                                          \
    }

GEMM_KERNEL(gemm_kernel_avx2, "avx2,fma", 6, V256, OF_256, LANES_256)
GEMM_KERNEL(gemm_kernel_avx512, "avx512f", 12, V512, OF_512, LANES_512)

/* 4 x 8 in plain C, for processors without AVX2. */
static void gemm_kernel_plain(int kc, const element *a, const element *b, element *c, size_t ldc,
                              int add)
{
    element acc[4][8] = {{0}};
    for (int k = 0; k < kc; k++, a += 4, b += 8)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 8; j++)
                acc[i][j] += a[i] * b[j];
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 8; j++)
            c[i * ldc + j] = acc[i][j] + (add ? c[i * ldc + j] : 0);
}

static inline struct gemm_micro gemm_choose(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return (struct gemm_micro){12, 2 * LANES_512, gemm_kernel_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct gemm_micro){6, 2 * LANES_256, gemm_kernel_avx2};
    return (struct gemm_micro){4, 8, gemm_kernel_plain};
}

#endif
