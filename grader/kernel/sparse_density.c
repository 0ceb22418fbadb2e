#include "kernel/sparse_density.h"

#include <string.h>

/* Cell i of `cells` begins with this of `size` elements. */
static long long cell_begin(int i, int cells, int32_t size)
{
    return ((long long)i * size + cells - 1) / cells;
}

/* The cell of an element. */
static int cell_of(int32_t element, int cells, int32_t size)
{
    return (int)((long long)element * cells / size);
}

void sparse_density(const struct csr *a, int rows, int cols, double *cell)
{
    memset(cell, 0, (size_t)rows * (size_t)cols * sizeof *cell);
    for (int32_t i = 0; i < a->rows; i++) {
        double *row = cell + (size_t)cell_of(i, rows, a->rows) * (size_t)cols;
        for (int32_t k = a->row_start[i]; k < a->row_start[i + 1]; k++)
            row[cell_of(a->col[k], cols, a->cols)]++;
    }
    for (int r = 0; r < rows; r++) {
        const long long height = cell_begin(r + 1, rows, a->rows) - cell_begin(r, rows, a->rows);
        for (int c = 0; c < cols; c++) {
            const long long width = cell_begin(c + 1, cols, a->cols) - cell_begin(c, cols, a->cols);
            cell[(size_t)r * (size_t)cols + (size_t)c] /= (double)height * (double)width;
        }
    }
}
