/*
 * rows_vector.h - the innermost loops, for vectors of SPMM_LANES doubles. rows.h includes this file
 * once for AVX2 (4) and once for AVX-512 (8).
 */
#if SPMM_LANES == 8
#define TARGET __attribute__((target("avx512f")))
#define NAME(x) x##_8
#define VECTOR __m512d
#define OF(name) _mm512_##name##_pd
#define MASK __mmask8
#define LOAD_MASKED(from, mask) _mm512_maskz_loadu_pd(mask, from)
#define STORE_MASKED(to, mask, x) _mm512_mask_storeu_pd(to, mask, x)
#else
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(x) x##_4
#define VECTOR __m256d
#define OF(name) _mm256_##name##_pd
#define MASK __m256i
#define LOAD_MASKED(from, mask) _mm256_maskload_pd(from, mask)
#define STORE_MASKED(to, mask, x) _mm256_maskstore_pd(to, mask, x)
#endif
#define INLINE static inline __attribute__((always_inline)) TARGET

/* The first n lanes, 1 <= n <= SPMM_LANES. */
INLINE MASK NAME(spmm_mask)(int n)
{
#if SPMM_LANES == 8
    return (MASK)((1 << n) - 1);
#else
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0));
#endif
}

/* How the columns of X are divided. The first four members are constants where they are used. */
struct NAME(spmm_columns) {
    int vectors; /* of the last panel, 1 to SPMM_PANEL */
    int whole;   /* no lane of the last vector is unused */
    int stream;  /* write past the caches */
    int fetch;   /* rows of X before they are needed */
    int panels;  /* of SPMM_PANEL vectors, before the last panel */
    MASK mask;   /* of the last vector */
};

/* One panel of a row of Y: `vectors` of them, from column c. The entries of the row are p..end-1.
 */
INLINE void NAME(spmm_panel)(const struct spmm_product *a, size_t p, size_t end, size_t c,
                             double *y, struct NAME(spmm_columns) d)
{
    const size_t K = (size_t)a->K;
    const double *X = a->X + c;
    const int *col = a->col, wide = d.vectors * SPMM_LANES > SPMM_LINE;
    const ptrdiff_t last = d.vectors - 1;
    /* Rows of X are fetched for later entries, mostly of other rows of A: the last rows have none.
     * The second-level cache waits for more lines at a time than the first-level cache does. */
    const size_t far = end + SPMM_FAR <= a->entries ? SPMM_FAR : 0;
    const size_t near = end + SPMM_NEAR <= a->entries ? SPMM_NEAR : 0;
    VECTOR sum[SPMM_PANEL];
    for (ptrdiff_t v = 0; v < d.vectors; v++)
        sum[v] = OF(setzero)();
    for (; p < end; p++) {
        const double *x = X + (size_t)col[p] * K;
        if (d.fetch) {
            const double *soon = X + (size_t)col[p + far] * K;
            for (ptrdiff_t v = 0; v < d.vectors; v += SPMM_LINE / SPMM_LANES)
                _mm_prefetch((const char *)(soon + v * SPMM_LANES), _MM_HINT_T1);
        }
        if (d.fetch && wide) {
            const double *soon = X + (size_t)col[p + near] * K;
            for (ptrdiff_t v = 0; v < d.vectors; v += SPMM_LINE / SPMM_LANES)
                _mm_prefetch((const char *)(soon + v * SPMM_LANES), _MM_HINT_T0);
        }
        const VECTOR factor = OF(set1)(a->val[p]);
        for (ptrdiff_t v = 0; v < last; v++)
            sum[v] = OF(fmadd)(factor, OF(loadu)(x + v * SPMM_LANES), sum[v]);
        const VECTOR rest =
            d.whole ? OF(loadu)(x + last * SPMM_LANES) : LOAD_MASKED(x + last * SPMM_LANES, d.mask);
        sum[last] = OF(fmadd)(factor, rest, sum[last]);
    }
    for (ptrdiff_t v = 0; v < last + d.whole; v++) {
        if (d.stream)
            OF(stream)(y + v * SPMM_LANES, sum[v]);
        else
            OF(storeu)(y + v * SPMM_LANES, sum[v]);
    }
    if (!d.whole)
        STORE_MASKED(y + last * SPMM_LANES, d.mask, sum[last]);
}

INLINE void NAME(spmm_walk)(const struct spmm_product *a, int from, int to,
                            struct NAME(spmm_columns) d)
{
    const size_t wide = (size_t)SPMM_PANEL * SPMM_LANES;
    struct NAME(spmm_columns) panel = d;
    panel.vectors = SPMM_PANEL;
    panel.whole = 1;
    for (int i = from; i < to; i++) {
        const size_t begin = spmm_row_start(a, i), end = spmm_row_end(a, i);
        double *y = a->Y + (size_t)i * (size_t)a->K;
        size_t c = 0;
        for (int n = 0; n < d.panels; n++, c += wide)
            NAME(spmm_panel)(a, begin, end, c, y + c, panel);
        NAME(spmm_panel)(a, begin, end, c, y + c, d);
    }
    if (d.stream)
        _mm_sfence();
}

/* A loop of its own for each case: the compiler sees constants. */
#define CASE(n, f)                                                                                 \
    case 3 * (n):                                                                                  \
        d.vectors = (n), d.whole = 0, d.stream = 0, d.fetch = (f);                                 \
        NAME(spmm_walk)(a, from, to, d);                                                           \
        break;                                                                                     \
    case 3 * (n) + 1:                                                                              \
        d.vectors = (n), d.whole = 1, d.stream = 0, d.fetch = (f);                                 \
        NAME(spmm_walk)(a, from, to, d);                                                           \
        break;                                                                                     \
    case 3 * (n) + 2:                                                                              \
        d.vectors = (n), d.whole = 1, d.stream = 1, d.fetch = (f);                                 \
        NAME(spmm_walk)(a, from, to, d);                                                           \
        break;

/* Rows from..to-1, for K >= 1. */
static TARGET void NAME(spmm_rows)(const struct spmm_product *a, int fetch, int from, int to)
{
    const int wide = SPMM_PANEL * SPMM_LANES, panels = (a->K - 1) / wide;
    const int rest = a->K - panels * wide; /* columns of the last panel */
    const int vectors = (rest + SPMM_LANES - 1) / SPMM_LANES;
    const int whole = rest % SPMM_LANES == 0;
    const int stream = a->K % SPMM_LINE == 0 && (uintptr_t)a->Y % 64 == 0 &&
                       (size_t)a->M * (size_t)a->K * sizeof *a->Y > SPMM_STREAM;
    const int which = 3 * vectors + whole + stream;
    struct NAME(spmm_columns) d = {.panels = panels};
    d.mask = NAME(spmm_mask)(rest - (vectors - 1) * SPMM_LANES);
    if (!fetch) { /* K <= SPMM_LINE */
        switch (which) {
            CASE(1, 0)
            CASE(2, 0)
        }
        return;
    }
    switch (which) {
        CASE(1, 1)
        CASE(2, 1)
        CASE(3, 1)
        CASE(4, 1)
        CASE(5, 1)
        CASE(6, 1)
        CASE(7, 1)
        CASE(8, 1)
    }
}

#undef CASE
#undef INLINE
#undef STORE_MASKED
#undef LOAD_MASKED
#undef MASK
#undef OF
#undef VECTOR
#undef NAME
#undef TARGET
#undef SPMM_LANES
