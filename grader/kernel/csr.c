#include "kernel/csr.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* Entries of one row, while it is sorted. */
struct row_entry {
    int32_t col;
    int32_t order; /* equal columns keep it */
    double val;
};

static int by_column(const void *a, const void *b)
{
    const struct row_entry *x = a, *y = b;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Distribute the entries to their rows. Within a row they keep their order. */
static void scatter(struct csr *a, const struct csr_entry *entry, size_t count)
{
    int32_t *next = a->row_start + 1; /* next[i]: where the next entry of row i goes */
    for (size_t k = 0; k < count; k++)
        if (entry[k].row + 1 < a->rows)
            next[entry[k].row + 1]++;
    for (int32_t i = 1; i < a->rows; i++)
        next[i] += next[i - 1];
    for (size_t k = 0; k < count; k++) {
        const int32_t at = next[entry[k].row]++;
        a->col[at] = entry[k].col;
        a->val[at] = entry[k].val;
    }
}

static bool ascends(const int32_t *col, int32_t count)
{
    for (int32_t k = 1; k < count; k++)
        if (col[k] <= col[k - 1])
            return false;
    return true;
}

static void sort_row(int32_t *col, double *val, int32_t count, struct row_entry *work)
{
    for (int32_t k = 0; k < count; k++)
        work[k] = (struct row_entry){col[k], k, val[k]};
    qsort(work, (size_t)count, sizeof *work, by_column);
    for (int32_t k = 0; k < count; k++) {
        col[k] = work[k].col;
        val[k] = work[k].val;
    }
}

/* Add up neighbours in the same column. Returns how many entries the row has then. */
static int32_t add_up(int32_t *col, double *val, int32_t count)
{
    int32_t n = 0;
    for (int32_t k = 0; k < count; k++) {
        if (n && col[n - 1] == col[k]) {
            val[n - 1] += val[k];
        } else {
            col[n] = col[k];
            val[n++] = val[k];
        }
    }
    return n;
}

/* The columns of every row ascend after it, and each occurs once. 0, or -1 if a sum is not finite.
 */
static int order_rows(struct csr *a, struct err *e)
{
    int32_t longest = 0, nnz = 0;
    for (int32_t i = 0; i < a->rows; i++)
        if (a->row_start[i + 1] - a->row_start[i] > longest)
            longest = a->row_start[i + 1] - a->row_start[i];
    OWNED struct row_entry *work = xcalloc((size_t)longest, sizeof *work);
    int rc = 0;
    int32_t from = 0;
    for (int32_t i = 0; i < a->rows && rc == 0; i++) {
        const int32_t to = a->row_start[i + 1];
        int32_t count = to - from;
        if (!ascends(a->col + from, count)) {
            sort_row(a->col + from, a->val + from, count, work);
            count = add_up(a->col + from, a->val + from, count);
        }
        for (int32_t k = from; k < from + count && rc == 0; k++)
            if (!isfinite(a->val[k]))
                rc = err_input(e, "the sum of the entries in row %d, column %d is too large", i + 1,
                               a->col[k] + 1);
        memmove(a->col + nnz, a->col + from, (size_t)count * sizeof *a->col);
        memmove(a->val + nnz, a->val + from, (size_t)count * sizeof *a->val);
        nnz += count;
        a->row_start[i + 1] = nnz;
        from = to;
    }
    a->nnz = nnz;
    return rc;
}

int csr_from_entries(struct csr *a, int32_t rows, int32_t cols, const struct csr_entry *entry,
                     size_t count, struct err *e)
{
    *a = (struct csr){.rows = rows, .cols = cols};
    a->row_start = xcalloc((size_t)rows + 1, sizeof *a->row_start);
    a->col = xcalloc(count, sizeof *a->col);
    a->val = xcalloc(count, sizeof *a->val);
    scatter(a, entry, count);
    if (order_rows(a, e) == 0)
        return 0;
    csr_free(a);
    return -1;
}

void csr_free(struct csr *a)
{
    free(a->row_start);
    free(a->col);
    free(a->val);
    *a = (struct csr){0};
}
