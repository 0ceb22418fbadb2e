/* A Matrix Market file of any origin: what is accepted is a matrix in compressed sparse rows. */
#include <math.h>

#include "fuzz.h"
#include "kernel/matrix_market.h"
#include "kernel/sparse_density.h"
#include "kernel/sparse_facts.h"

static void check_rows(const struct csr *a)
{
    FUZZ_ASSERT(a->rows > 0 && a->cols > 0 && a->row_start[0] == 0);
    FUZZ_ASSERT(a->row_start[a->rows] == a->nnz);
    for (int32_t i = 0; i < a->rows; i++) {
        FUZZ_ASSERT(a->row_start[i] <= a->row_start[i + 1]);
        for (int32_t k = a->row_start[i]; k < a->row_start[i + 1]; k++) {
            FUZZ_ASSERT(a->col[k] >= 0 && a->col[k] < a->cols);
            FUZZ_ASSERT(k == a->row_start[i] || a->col[k - 1] < a->col[k]);
            FUZZ_ASSERT(isfinite(a->val[k]));
        }
    }
}

static void check_facts(const struct csr *a)
{
    const struct sparse_facts f = sparse_facts(a->rows, a->row_start, a->col);
    FUZZ_ASSERT(f.nnz == a->nnz && f.empty_rows >= 0 && f.empty_rows <= a->rows);
    FUZZ_ASSERT(f.row_min >= 0 && f.row_min <= f.mean && f.mean <= f.width);
    FUZZ_ASSERT(f.width <= a->cols && f.variance >= 0 && f.padding >= 0 && f.padding < 1);
    FUZZ_ASSERT(f.bandwidth >= 0 && f.ellpack_bytes >= 0 && f.csr_bytes > 0);
}

static void check_density(const struct csr *a)
{
    enum { MOST = 7 };
    double cell[MOST * MOST];
    const int rows = a->rows < MOST ? a->rows : MOST, cols = a->cols < MOST ? a->cols : MOST;
    sparse_density(a, rows, cols, cell);
    for (int k = 0; k < rows * cols; k++)
        FUZZ_ASSERT(cell[k] >= 0 && cell[k] <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct csr a;
    struct matrix_market about;
    struct err e = ERR_INIT;
    const int rc = matrix_market_read(fuzz_file(data, size), &a, &about, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
        FUZZ_ASSERT(!a.row_start && !a.col && !a.val);
        return 0;
    }
    FUZZ_ASSERT(about.entries <= (long long)size && a.nnz <= 2LL * about.entries);
    FUZZ_ASSERT(about.symmetry == MATRIX_GENERAL || a.rows == a.cols);
    check_rows(&a);
    check_facts(&a);
    check_density(&a);
    csr_free(&a);
    return 0;
}
