/*
 * gemm_block.h - the blocked product that simd, openmp and mpi share: packing and the
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
#ifndef GEMM_BLOCK_H
#define GEMM_BLOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "element.h"

/* A large KC, since each step of pc reads and writes all of C. A block of A then takes 442 KB of
 * doubles: most second-level caches have room for it. MC is a multiple of the rows of every tile.
 */
enum { GEMM_KC = 512, GEMM_MC = 108, GEMM_NC = 1024, GEMM_ALIGN = 64 };

/* What the micro-kernel computes: a tile of C = or += a sliver of A * a sliver of B. */
struct gemm_tile {
    const element *a, *b; /* kc times mr, kc times nr */
    element *c;           /* mr x nr, row stride ldc */
    size_t ldc;
    int add;
    /* What is to be fetched of the next sliver of B: so many elements in each step of k. */
    const element *next;
    size_t next_step;
};

/* One way of computing a block: register tile and micro-kernel. */
struct gemm_micro {
    int mr, nr;
    void (*kernel)(int kc, const struct gemm_tile *t);
};

static inline int gemm_least(int a, int b)
{
    return a < b ? a : b;
}

static inline int gemm_round_up(int a, int to)
{
    return (a + to - 1) / to * to;
}

#include "micro.h"

/* Four rows of A side by side: out[k * mr .. + 3] = a[0..3][k]. Four columns at a time where an
 * element has 32 bits: the bits are moved, whatever they mean. */
static inline void gemm_pack_rows(int kc, size_t mr, const element *a, size_t lda, element *out)
{
    int k = 0;
#if defined(__SSE2__) && !defined(GEMM_F64)
    for (; k + 4 <= kc; k += 4, out += 4 * mr) {
        __m128i x[4];
        for (size_t i = 0; i < 4; i++)
            x[i] = _mm_loadu_si128((const void *)(a + i * lda + k));
        const __m128i p = _mm_unpacklo_epi32(x[0], x[1]), q = _mm_unpacklo_epi32(x[2], x[3]),
                      s = _mm_unpackhi_epi32(x[0], x[1]), t = _mm_unpackhi_epi32(x[2], x[3]);
        _mm_storeu_si128((void *)out, _mm_unpacklo_epi64(p, q));
        _mm_storeu_si128((void *)(out + mr), _mm_unpackhi_epi64(p, q));
        _mm_storeu_si128((void *)(out + 2 * mr), _mm_unpacklo_epi64(s, t));
        _mm_storeu_si128((void *)(out + 3 * mr), _mm_unpackhi_epi64(s, t));
    }
#endif
    for (; k < kc; k++, out += mr)
        for (size_t r = 0; r < 4; r++)
            out[r] = a[r * lda + (size_t)k];
}

/* mc x kc of A as slivers of mr rows, each column by column. */
static inline void gemm_pack_a(int mc, int kc, int mr, const element *A, size_t lda, element *out)
{
    for (int i = 0; i < mc; i += mr) {
        int rows = gemm_least(mr, mc - i), r = 0;
        const element *a = A + (size_t)i * lda;
        for (; r + 4 <= rows; r += 4)
            gemm_pack_rows(kc, (size_t)mr, a + (size_t)r * lda, lda, out + r);
        for (; r < mr; r++)
            for (int k = 0; k < kc; k++)
                out[k * mr + r] = r < rows ? a[(size_t)r * lda + (size_t)k] : 0;
        out += (size_t)mr * (size_t)kc;
    }
}

/* A whole sliver of B. Called with constants for nr, so that a row is a few vector moves. */
static inline void gemm_pack_columns(int kc, size_t nr, const element *b, size_t ldb, element *out)
{
    for (int k = 0; k < kc; k++, b += ldb, out += nr)
        memcpy(out, b, nr * sizeof *out);
}

/* kc x nc of B as slivers of nr columns, each row by row. Slivers [from, to) only. */
static inline void gemm_pack_b(int nc, int kc, int nr, const element *B, size_t ldb, element *out,
                               int from, int to)
{
    for (int s = from; s < to; s++) {
        int cols = gemm_least(nr, nc - s * nr);
        const element *b = B + (size_t)s * (size_t)nr;
        element *o = out + (size_t)s * (size_t)nr * (size_t)kc;
        if (cols == 32 && nr == 32) {
            gemm_pack_columns(kc, 32, b, ldb, o);
        } else if (cols == 24 && nr == 24) {
            gemm_pack_columns(kc, 24, b, ldb, o);
        } else if (cols == 16 && nr == 16) {
            gemm_pack_columns(kc, 16, b, ldb, o);
        } else if (cols == 8 && nr == 8) {
            gemm_pack_columns(kc, 8, b, ldb, o);
        } else {
            for (int k = 0; k < kc; k++, b += ldb, o += nr) {
                memcpy(o, b, (size_t)cols * sizeof *o);
                if (cols < nr)
                    memset(o + cols, 0, (size_t)(nr - cols) * sizeof *o);
            }
        }
    }
}

/* Columns of a packed panel of B that has nc of them: whole slivers. */
static inline int gemm_packed_columns(int nc, int nr)
{
    return gemm_round_up(gemm_least(GEMM_NC, nc), nr);
}

/* A packed block of A times a packed panel of B, into C. While a sliver of B is used, each tile
 * fetches its share of the next one; after the last one comes the first, for the next block. */
static inline void gemm_block(const struct gemm_micro *u, int mc, int nc, int kc, const element *a,
                              const element *b, element *C, size_t ldc, int add)
{
    element edge[12 * 32]; /* a register tile that sticks out of C */
    const size_t depth = (size_t)kc, nr = (size_t)u->nr;
    const size_t step = (nr * (size_t)u->mr + (size_t)mc - 1) / (size_t)mc;
    for (int j = 0; j < nc; j += u->nr) {
        int cols = gemm_least(u->nr, nc - j);
        const element *next = b + (j + u->nr < nc ? (size_t)j + nr : 0) * depth;
        for (int i = 0; i < mc; i += u->mr, next += step * depth) {
            int rows = gemm_least(u->mr, mc - i);
            element *c = C + (size_t)i * ldc + (size_t)j;
            struct gemm_tile t = {.a = a + (size_t)i * depth,
                                  .b = b + (size_t)j * depth,
                                  .c = c,
                                  .ldc = ldc,
                                  .add = add,
                                  .next = next,
                                  .next_step = step};
            if (rows == u->mr && cols == u->nr) {
                u->kernel(kc, &t);
                continue;
            }
            t.c = edge;
            t.ldc = nr;
            t.add = 0;
            u->kernel(kc, &t);
            for (size_t r = 0; r < (size_t)rows; r++)
                for (size_t s = 0; s < (size_t)cols; s++)
                    c[r * ldc + s] = edge[r * nr + s] + (add ? c[r * ldc + s] : 0);
        }
    }
}

/* Without memory for packing: slow and right. */
static inline void gemm_plain(int M, int N, int K, const element *A, size_t lda, const element *B,
                              size_t ldb, element *C, size_t ldc)
{
    for (int i = 0; i < M; i++) {
        element *c = C + (size_t)i * ldc;
        memset(c, 0, (size_t)N * sizeof *c);
        for (int k = 0; k < K; k++) {
            const element a = A[(size_t)i * lda + (size_t)k];
            const element *b = B + (size_t)k * ldb;
            for (int j = 0; j < N; j++)
                c[j] += a * b[j];
        }
    }
}

/* Until a counter, which only grows, has this value. Yielding, because threads may share cores: the
 * one that is waited for must get on. */
static inline void gemm_wait(_Atomic int *counter, int value)
{
    while (atomic_load_explicit(counter, memory_order_acquire) < value)
        sched_yield();
}

static inline element *gemm_alloc(size_t elements)
{
    size_t bytes = (elements * sizeof(element) + GEMM_ALIGN - 1) / GEMM_ALIGN * GEMM_ALIGN;
    return aligned_alloc(GEMM_ALIGN, bytes);
}

#endif
