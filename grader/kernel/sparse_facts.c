#include "kernel/sparse_facts.h"

#include <stdlib.h>

static const double ENTRY_BYTES = sizeof(int32_t) + sizeof(double);

static int32_t bandwidth(int32_t rows, const int32_t *row_start, const int32_t *col)
{
    int32_t most = 0;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t k = row_start[i]; k < row_start[i + 1]; k++)
            if (abs(col[k] - i) > most)
                most = abs(col[k] - i);
    return most;
}

struct sparse_facts sparse_facts(int32_t rows, const int32_t *row_start, const int32_t *col)
{
    struct sparse_facts f = {.nnz = row_start[rows], .row_min = row_start[rows]};
    f.mean = (double)f.nnz / rows;
    double squares = 0; /* of the differences from the mean */
    for (int32_t i = 0; i < rows; i++) {
        const int32_t n = row_start[i + 1] - row_start[i];
        f.empty_rows += n == 0;
        f.row_min = n < f.row_min ? n : f.row_min;
        f.width = n > f.width ? n : f.width;
        squares += (n - f.mean) * (n - f.mean);
    }
    f.variance = squares / rows;
    const double stored = (double)rows * f.width;
    f.padding = f.width ? (stored - f.nnz) / stored : 0;
    f.bandwidth = bandwidth(rows, row_start, col);
    f.csr_bytes = f.nnz * ENTRY_BYTES + ((double)rows + 1) * sizeof(int32_t);
    f.ellpack_bytes = stored * ENTRY_BYTES;
    return f;
}
