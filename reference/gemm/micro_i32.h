/*
 * micro_i32.h - the innermost loops for 32-bit integers: a tile of C stays in registers while a
 * sliver of A meets a sliver of B. gemm_block.h includes it.
 */
#ifndef MICRO_I32_H
#define MICRO_I32_H

/* 6 x 16 with AVX2: 12 accumulators, 2 vectors of B, 1 broadcast of A, 1 product: all 16
 * registers. The empty asm keeps gcc 12 from hoisting the broadcasts of several steps and spilling
 * accumulators to hold them. */
__attribute__((target("avx2"))) static void
gemm_kernel_avx2(int kc, const int32_t *a, const int32_t *b, int32_t *c, size_t ldc, int add)
{
    __m256i c00 = _mm256_setzero_si256(), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00,
            c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
#define GEMM_ROW(i)                                                                                \
    do {                                                                                           \
        __m256i x = _mm256_set1_epi32(a[i]);                                                       \
        c##i##0 = _mm256_add_epi32(c##i##0, _mm256_mullo_epi32(x, b0));                            \
        c##i##1 = _mm256_add_epi32(c##i##1, _mm256_mullo_epi32(x, b1));                            \
        __asm__("" : "+x"(c##i##0), "+x"(c##i##1));                                                \
    } while (0)
    for (int k = 0; k < kc; k++) {
        __m256i b0 = _mm256_load_si256((const __m256i *)b);
        __m256i b1 = _mm256_load_si256((const __m256i *)(b + 8));
        GEMM_ROW(0);
        GEMM_ROW(1);
        GEMM_ROW(2);
        GEMM_ROW(3);
        GEMM_ROW(4);
        GEMM_ROW(5);
        a += 6;
        b += 16;
    }
#undef GEMM_ROW
#define GEMM_STORE(i)                                                                              \
    do {                                                                                           \
        __m256i *p = (__m256i *)(c + (i)*ldc), *q = (__m256i *)(c + (i)*ldc + 8);                  \
        if (add) {                                                                                 \
            c##i##0 = _mm256_add_epi32(c##i##0, _mm256_loadu_si256(p));                            \
            c##i##1 = _mm256_add_epi32(c##i##1, _mm256_loadu_si256(q));                            \
        }                                                                                          \
        _mm256_storeu_si256(p, c##i##0);                                                           \
        _mm256_storeu_si256(q, c##i##1);                                                           \
    } while (0)
    GEMM_STORE(0);
    GEMM_STORE(1);
    GEMM_STORE(2);
    GEMM_STORE(3);
    GEMM_STORE(4);
    GEMM_STORE(5);
#undef GEMM_STORE
}

/* 12 x 32 with AVX-512: 24 of 32 registers accumulate, so that a sliver of B, which alone would
 * fill the first-level cache, may come from the second: 24 multiply-adds for two loads. */
__attribute__((target("avx512f"))) static void
gemm_kernel_avx512(int kc, const int32_t *a, const int32_t *b, int32_t *c, size_t ldc, int add)
{
    __m512i acc[12][2];
    for (int i = 0; i < 12; i++)
        acc[i][0] = acc[i][1] = _mm512_setzero_si512();
    for (int k = 0; k < kc; k++) {
        __m512i b0 = _mm512_load_si512(b), b1 = _mm512_load_si512(b + 16);
#pragma GCC unroll 12
        for (int i = 0; i < 12; i++) {
            __m512i x = _mm512_set1_epi32(a[i]);
            acc[i][0] = _mm512_add_epi32(acc[i][0], _mm512_mullo_epi32(x, b0));
            acc[i][1] = _mm512_add_epi32(acc[i][1], _mm512_mullo_epi32(x, b1));
        }
        a += 12;
        b += 32;
    }
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++) {
        int32_t *p = c + (size_t)i * ldc;
        if (add) {
            acc[i][0] = _mm512_add_epi32(acc[i][0], _mm512_loadu_si512(p));
            acc[i][1] = _mm512_add_epi32(acc[i][1], _mm512_loadu_si512(p + 16));
        }
        _mm512_storeu_si512(p, acc[i][0]);
        _mm512_storeu_si512(p + 16, acc[i][1]);
    }
}

/* 4 x 8 in plain C, for processors without AVX2. */
static void gemm_kernel_plain(int kc, const int32_t *a, const int32_t *b, int32_t *c, size_t ldc,
                              int add)
{
    uint32_t acc[4][8] = {{0}};
    for (int k = 0; k < kc; k++, a += 4, b += 8)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 8; j++)
                acc[i][j] += (uint32_t)a[i] * (uint32_t)b[j];
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 8; j++)
            c[i * ldc + j] = (int32_t)(acc[i][j] + (add ? (uint32_t)c[i * ldc + j] : 0));
}

static inline struct gemm_micro gemm_choose(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return (struct gemm_micro){12, 32, gemm_kernel_avx512};
    if (__builtin_cpu_supports("avx2"))
        return (struct gemm_micro){6, 16, gemm_kernel_avx2};
    return (struct gemm_micro){4, 8, gemm_kernel_plain};
}

#endif
