/*
 * gemm_i32_block.h - the blocked product that simd, openmp and mpi share: packing and the
 * vectorised micro-kernel, after K. Goto, R. van de Geijn: Anatomy of High-Performance Matrix
 * Multiplication, ACM TOMS 34(3), 2008; names as in BLIS.
 *
 *   for jc over N by NC             a panel of B, KC x NC, packed: third-level cache
 *     for pc over K by KC
 *       for ic over M by MC         a block of A, MC x KC, packed: second-level cache
 *         for jr over NC by NR      a sliver of B, KC x NR: first-level cache
 *           for ir over MC by MR    micro-kernel: MR x NR of C in registers
 *
 * Packing makes every access of the micro-kernel sequential and aligned whatever M, N and K are,
 * so 1023 costs what 1024 costs; slivers at the edge are padded with zeros.
 */
#ifndef GEMM_I32_BLOCK_H
#define GEMM_I32_BLOCK_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GEMM_KC = 256, GEMM_MC = 96, GEMM_NC = 2048, GEMM_ALIGN = 64 };

/* One way of computing a block: register tile and micro-kernel. */
struct gemm_micro {
    int mr, nr;
    /* c (mr x nr, row stride ldc) = or += a (kc slivers of mr) * b (kc slivers of nr) */
    void (*kernel)(int kc, const int32_t *a, const int32_t *b, int32_t *c, size_t ldc, int add);
};

static inline int gemm_least(int a, int b)
{
    return a < b ? a : b;
}

static inline int gemm_round_up(int a, int to)
{
    return (a + to - 1) / to * to;
}

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

/* Four rows of A side by side: out[k * mr .. + 3] = a[0..3][k], four columns at a time. */
static inline void gemm_pack_rows(int kc, size_t mr, const int32_t *a, size_t lda, int32_t *out)
{
    int k = 0;
#ifdef __SSE2__
    for (; k + 4 <= kc; k += 4, out += 4 * mr) {
        __m128i r0 = _mm_loadu_si128((const __m128i *)(a + k));
        __m128i r1 = _mm_loadu_si128((const __m128i *)(a + lda + k));
        __m128i r2 = _mm_loadu_si128((const __m128i *)(a + 2 * lda + k));
        __m128i r3 = _mm_loadu_si128((const __m128i *)(a + 3 * lda + k));
        __m128i p = _mm_unpacklo_epi32(r0, r1), q = _mm_unpacklo_epi32(r2, r3);
        __m128i s = _mm_unpackhi_epi32(r0, r1), t = _mm_unpackhi_epi32(r2, r3);
        _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi64(p, q));
        _mm_storeu_si128((__m128i *)(out + mr), _mm_unpackhi_epi64(p, q));
        _mm_storeu_si128((__m128i *)(out + 2 * mr), _mm_unpacklo_epi64(s, t));
        _mm_storeu_si128((__m128i *)(out + 3 * mr), _mm_unpackhi_epi64(s, t));
    }
#endif
    for (; k < kc; k++, out += mr)
        for (size_t r = 0; r < 4; r++)
            out[r] = a[r * lda + (size_t)k];
}

/* mc x kc of A as slivers of mr rows, each column by column. */
static inline void gemm_pack_a(int mc, int kc, int mr, const int32_t *A, size_t lda, int32_t *out)
{
    for (int i = 0; i < mc; i += mr) {
        int rows = gemm_least(mr, mc - i), r = 0;
        const int32_t *a = A + (size_t)i * lda;
        for (; r + 4 <= rows; r += 4)
            gemm_pack_rows(kc, (size_t)mr, a + (size_t)r * lda, lda, out + r);
        for (; r < mr; r++)
            for (int k = 0; k < kc; k++)
                out[k * mr + r] = r < rows ? a[(size_t)r * lda + (size_t)k] : 0;
        out += (size_t)mr * (size_t)kc;
    }
}

/* A whole sliver of B. Called with constants for nr, so that a row is a few vector moves. */
static inline void gemm_pack_columns(int kc, size_t nr, const int32_t *b, size_t ldb, int32_t *out)
{
    for (int k = 0; k < kc; k++, b += ldb, out += nr)
        memcpy(out, b, nr * sizeof *out);
}

/* kc x nc of B as slivers of nr columns, each row by row. Slivers [from, to) only. */
static inline void gemm_pack_b(int nc, int kc, int nr, const int32_t *B, size_t ldb, int32_t *out,
                               int from, int to)
{
    for (int s = from; s < to; s++) {
        int cols = gemm_least(nr, nc - s * nr);
        const int32_t *b = B + (size_t)s * (size_t)nr;
        int32_t *o = out + (size_t)s * (size_t)nr * (size_t)kc;
        if (cols == 32 && nr == 32) {
            gemm_pack_columns(kc, 32, b, ldb, o);
        } else if (cols == 16 && nr == 16) {
            gemm_pack_columns(kc, 16, b, ldb, o);
        } else {
            for (int k = 0; k < kc; k++, b += ldb, o += nr) {
                memcpy(o, b, (size_t)cols * sizeof *o);
                if (cols < nr)
                    memset(o + cols, 0, (size_t)(nr - cols) * sizeof *o);
            }
        }
    }
}

/* A packed block of A times a packed panel of B, into C. */
static inline void gemm_block(const struct gemm_micro *u, int mc, int nc, int kc, const int32_t *a,
                              const int32_t *b, int32_t *C, size_t ldc, int add)
{
    int32_t edge[12 * 32]; /* a register tile that sticks out of C */
    for (int j = 0; j < nc; j += u->nr) {
        int cols = gemm_least(u->nr, nc - j);
        for (int i = 0; i < mc; i += u->mr) {
            int rows = gemm_least(u->mr, mc - i);
            const int32_t *ap = a + (size_t)i * (size_t)kc, *bp = b + (size_t)j * (size_t)kc;
            int32_t *c = C + (size_t)i * ldc + (size_t)j;
            if (rows == u->mr && cols == u->nr) {
                u->kernel(kc, ap, bp, c, ldc, add);
                continue;
            }
            u->kernel(kc, ap, bp, edge, (size_t)u->nr, 0);
            for (size_t r = 0; r < (size_t)rows; r++)
                for (size_t s = 0; s < (size_t)cols; s++)
                    c[r * ldc + s] = (int32_t)((uint32_t)edge[r * (size_t)u->nr + s] +
                                               (add ? (uint32_t)c[r * ldc + s] : 0));
        }
    }
}

/* Without memory for packing: slow and right. */
static inline void gemm_plain(int M, int N, int K, const int32_t *A, size_t lda, const int32_t *B,
                              size_t ldb, int32_t *C, size_t ldc)
{
    for (int i = 0; i < M; i++) {
        int32_t *c = C + (size_t)i * ldc;
        memset(c, 0, (size_t)N * sizeof *c);
        for (int k = 0; k < K; k++) {
            uint32_t a = (uint32_t)A[(size_t)i * lda + (size_t)k];
            const int32_t *b = B + (size_t)k * ldb;
            for (int j = 0; j < N; j++)
                c[j] = (int32_t)((uint32_t)c[j] + a * (uint32_t)b[j]);
        }
    }
}

static inline int32_t *gemm_alloc(size_t elements)
{
    size_t bytes = (elements * sizeof(int32_t) + GEMM_ALIGN - 1) / GEMM_ALIGN * GEMM_ALIGN;
    return aligned_alloc(GEMM_ALIGN, bytes);
}

#endif
