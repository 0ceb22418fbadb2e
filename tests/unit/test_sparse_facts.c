#include "unit.h"

#include <math.h>

#include "kernel/sparse_density.h"
#include "kernel/sparse_facts.h"

TEST(facts)
{
    static const struct {
        const char *what;
        int32_t rows;
        int32_t row_start[6], col[8];
        struct sparse_facts f;
    } table[] = {
        {"nothing", 1, {0, 0}, {0}, {.empty_rows = 1, .csr_bytes = 8}},
        {"only empty rows", 3, {0, 0, 0, 0}, {0}, {.empty_rows = 3, .csr_bytes = 16}},
        {"one element", 1, {0, 1}, {0}, {1, 0, 1, 1, 1, 0, 0, 0, 20, 12}},
        {"a diagonal", 4, {0, 1, 2, 3, 4}, {0, 1, 2, 3}, {4, 0, 1, 1, 1, 0, 0, 0, 68, 48}},
        {"one dense row", 4, {0, 0, 4, 4, 4}, {0, 1, 2, 3}, {4, 3, 0, 4, 1, 3, 0.75, 2, 68, 192}},
        {"bandwidth below the diagonal, columns in any order",
         4,
         {0, 1, 2, 3, 6},
         {0, 1, 2, 3, 0, 1},
         {6, 0, 1, 3, 1.5, 0.75, 0.5, 3, 92, 144}},
        {"bandwidth above the diagonal, and rows without entries at the end",
         3,
         {0, 2, 2, 2},
         {1, 1000000},
         {2, 2, 0, 2, 2 / 3.0, 8 / 9.0, 2 / 3.0, 1000000, 40, 72}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct sparse_facts f = sparse_facts(table[i].rows, table[i].row_start, table[i].col),
                                  *x = &table[i].f;
        if (f.nnz != x->nnz || f.empty_rows != x->empty_rows || f.row_min != x->row_min ||
            f.width != x->width || f.bandwidth != x->bandwidth)
            fail_msg("%s: nnz %d, empty %d, rows %d .. %d, bandwidth %d", table[i].what, f.nnz,
                     f.empty_rows, f.row_min, f.width, f.bandwidth);
        if (!(fabs(f.mean - x->mean) < 1e-12) || !(fabs(f.variance - x->variance) < 1e-12) ||
            !(fabs(f.padding - x->padding) < 1e-12))
            fail_msg("%s: mean %g, variance %g, padding %g", table[i].what, f.mean, f.variance,
                     f.padding);
        if (!(f.csr_bytes == x->csr_bytes) || !(f.ellpack_bytes == x->ellpack_bytes))
            fail_msg("%s: CSR %g, ELLPACK %g bytes", table[i].what, f.csr_bytes, f.ellpack_bytes);
    }
}

/* Each cell has the share of its own elements, although cells have different sizes. */
TEST(density)
{
    static int32_t row_start[] = {0, 5, 6, 6}, col[] = {0, 1, 2, 3, 4, 2};
    const struct csr a = {3, 5, 6, row_start, col, NULL};
    static const struct {
        int rows, cols;
        double cell[15];
    } table[] = {
        {1, 1, {6 / 15.0}},
        {3, 1, {1, 1 / 5.0, 0}},
        {1, 5, {1 / 3.0, 1 / 3.0, 2 / 3.0, 1 / 3.0, 1 / 3.0}},
        {2, 2, {4 / 6.0, 2 / 4.0, 0, 0}}, /* cells of 2 or 1 rows, and 3 or 2 columns */
        {3, 5, {1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double cell[15];
        sparse_density(&a, table[i].rows, table[i].cols, cell);
        for (int k = 0; k < table[i].rows * table[i].cols; k++)
            if (!(fabs(cell[k] - table[i].cell[k]) < 1e-12))
                fail_msg("%d x %d: cell %d is %g", table[i].rows, table[i].cols, k, cell[k]);
    }
}

TESTS(NULL, NULL)
