#include "kernel/sparse.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { KEPT = 4 };

/* Matrices that a thread has used lately: what sparse_get() returns must not vanish under another.
 */
struct kept {
    struct sparse item[KEPT];
    unsigned next;
};

static pthread_key_t kept_key;

static void kept_free(void *arg)
{
    OWNED struct kept *k = arg;
    for (int i = 0; i < KEPT; i++) {
        free(k->item[i].row_start);
        free(k->item[i].col);
    }
}

static void make_key(void)
{
    if (pthread_key_create(&kept_key, kept_free) != 0)
        abort();
}

static struct kept *kept_here(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    struct kept *k = pthread_getspecific(kept_key);
    if (!k) {
        k = xcalloc(1, sizeof *k);
        pthread_setspecific(kept_key, k);
    }
    return k;
}

struct rotation sparse_rotation(struct structure s, int rows, int cols, uint64_t seed)
{
    return (struct rotation){structure_rotates_rows(s) ? (int)(rng_at(seed, 0) % (uint64_t)rows)
                                                       : 0,
                             (int)(rng_at(seed, 1) % (uint64_t)cols)};
}

static void make(struct sparse *a)
{
    struct structure_matrix m;
    structure_open(&m, a->structure, a->rows, a->cols);
    a->row_start = xcalloc((size_t)a->rows + 1, sizeof *a->row_start);
    for (int i = 0; i < a->rows; i++)
        a->row_start[i + 1] = a->row_start[i] + structure_row_entries(&m, i);
    a->col = xcalloc((size_t)a->row_start[a->rows] + 1, sizeof *a->col);
    for (int i = 0; i < a->rows; i++)
        structure_row(&m, i, a->row_start[i + 1] - a->row_start[i], a->col + a->row_start[i]);
}

const struct sparse *sparse_get(struct structure s, int rows, int cols)
{
    if (s.family == STRUCTURE_FILE)
        return s.matrix;
    struct kept *k = kept_here();
    for (int i = 0; i < KEPT; i++)
        if (k->item[i].rows == rows && k->item[i].cols == cols &&
            structure_equal(k->item[i].structure, s))
            return &k->item[i];
    struct sparse *a = &k->item[k->next++ % KEPT];
    free(a->row_start);
    free(a->col);
    *a = (struct sparse){.structure = s, .rows = rows, .cols = cols};
    make(a);
    return a;
}

/* Columns that are rotated past the end come first. */
int sparse_row(const struct sparse *a, struct rotation r, int i, int *col)
{
    const int row = i < a->rows - r.rows ? i + r.rows : i - (a->rows - r.rows);
    const int *from = a->col + a->row_start[row];
    const int n = a->row_start[row + 1] - a->row_start[row], limit = a->cols - r.cols;
    int low = 0, high = n;
    while (low < high) { /* bisect for the first one past the end */
        const int middle = low + (high - low) / 2;
        if (from[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    for (int k = low; k < n; k++)
        *col++ = from[k] - limit;
    for (int k = 0; k < low; k++)
        *col++ = from[k] + r.cols;
    return n;
}
