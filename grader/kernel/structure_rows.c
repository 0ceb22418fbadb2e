#include "kernel/structure_rows.h"

#include <string.h>

#include "base/rng.h"
#include "kernel/sparse.h"

/* Random structures are the same in every run, so that times of different runs can be compared. */
#define KEY UINT64_C(0x73706172736521)

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* n columns from `first` on. */
static void consecutive(int first, int n, int *col)
{
    for (int k = 0; k < n; k++)
        col[k] = first + k;
}

/* --- poisson: the discrete Laplacian on a grid, five points in a row of the matrix ------------ */

/* The neighbours of a point are before and after it in its line, and in the lines before and after.
 * The last line of the grid may be shorter. */
struct neighbours {
    bool above, left, right, below;
};

static struct neighbours neighbours_of(const struct structure_matrix *m, int row)
{
    const int in_line = row % m->side;
    return (struct neighbours){row >= m->side, in_line > 0,
                               in_line + 1 < m->side && row + 1 < m->rows, row < m->rows - m->side};
}

static int poisson_entries(const struct structure_matrix *m, int row)
{
    const struct neighbours at = neighbours_of(m, row);
    return 1 + at.above + at.left + at.right + at.below;
}

static void poisson_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    const struct neighbours at = neighbours_of(m, row);
    (void)n;
    if (at.above)
        *col++ = row - m->side;
    if (at.left)
        *col++ = row - 1;
    *col++ = row;
    if (at.right)
        *col++ = row + 1;
    if (at.below)
        *col = row + m->side;
}

static int poisson_side(int rows)
{
    int side = 1;
    while ((int64_t)side * side < rows)
        side++;
    return side;
}

/* --- uniform-P: P entries in each row, one in each of P equal parts of the columns ------------ */

static int uniform_entries(const struct structure_matrix *m, int row)
{
    (void)row;
    return least(m->structure.parameter, m->cols);
}

static void uniform_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    const uint64_t key = rng_child(KEY, (uint64_t)row);
    for (int k = 0; k < n; k++) {
        const int64_t from = (int64_t)m->cols * k / n, to = (int64_t)m->cols * (k + 1) / n;
        const uint64_t word = rng_mix64(key + (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15));
        col[k] = (int)(from + (int64_t)((word >> 32) * (uint64_t)(to - from) >> 32));
    }
}

/*
 * --- rmat-P: a power law, P entries in a row on average -----------------------------------------
 *
 * R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: A Recursive Model for Graph Mining, SDM
 * 2004) divides the matrix into quarters with the probabilities a, b, c, d, and each quarter again.
 * Here each row has as many entries as it would have on average, rounded up or down at random. So
 * the entries of a row can be counted without making them. The columns of a row are shared out to
 * the left and the right half with the probabilities of its quarters, and so on. So they are
 * sorted, and none is there twice.
 */
#define RMAT_A 0.57
#define RMAT_B 0.19
#define RMAT_C 0.19
#define RMAT_D 0.05

/* The probability of the left half in a row of the upper half and of the lower one, scaled by 256.
 */
static const unsigned rmat_left[2] = {(unsigned)(256 * RMAT_A / (RMAT_A + RMAT_B)),
                                      (unsigned)(256 * RMAT_C / (RMAT_C + RMAT_D))};

/* The average number of entries of a row depends on the number of ones in its number. */
static void rmat_open(struct structure_matrix *m)
{
    const double most = m->cols;
    while (m->levels < RMAT_LEVELS && (INT64_C(1) << m->levels) < m->rows)
        m->levels++;
    for (int ones = 0; ones <= m->levels; ones++) {
        double x = (double)m->structure.parameter * m->rows;
        for (int level = 0; level < m->levels; level++)
            x *= level < ones ? RMAT_C + RMAT_D : RMAT_A + RMAT_B;
        m->entries[ones] = (uint64_t)((x < most ? x : most) * 0x1p32);
    }
}

static int rmat_entries(const struct structure_matrix *m, int row)
{
    int ones = 0;
    for (unsigned bits = (unsigned)row; bits; bits &= bits - 1)
        ones++;
    const uint64_t word = rng_mix64(KEY + (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15));
    return least((int)((m->entries[ones] + (word >> 32)) >> 32), m->cols);
}

/* Random numbers of 8 bits. */
struct dice {
    uint64_t state, word;
    int left;
};

static unsigned roll(struct dice *d)
{
    if (d->left-- == 0) {
        d->word = rng_mix64(d->state += UINT64_C(0x9e3779b97f4a7c15));
        d->left = 7;
    }
    const unsigned x = d->word & 255;
    d->word >>= 8;
    return x;
}

/* How many of n entries go to the left half. Each half has room for so many. */
static int rmat_share(struct dice *d, unsigned left, int n, int left_room, int right_room)
{
    int share = 0;
    for (int k = 0; k < n; k++)
        share += roll(d) < left;
    share = least(share, left_room);
    return n - share > right_room ? n - right_room : share;
}

/* A part of the columns, and how many entries are still to be placed in it. */
struct part {
    int from, level, n;
};

static void rmat_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    struct part stack[RMAT_LEVELS + 1];
    struct dice d = {.state = rng_child(KEY, (uint64_t)row)};
    int used = 0;
    if (n)
        stack[used++] = (struct part){0, m->levels, n};
    while (used) {
        struct part p = stack[--used];
        while (p.level > 0) {
            const int half = (int)(INT64_C(1) << --p.level), middle = p.from + half;
            const int right_room = m->cols > middle ? least(half, m->cols - middle) : 0;
            const unsigned left = rmat_left[row >> p.level & 1];
            const int share = rmat_share(&d, left, p.n, half, right_room);
            if (share == 0) {
                p.from = middle;
                continue;
            }
            if (share < p.n)
                stack[used++] = (struct part){middle, p.level, p.n - share};
            p.n = share;
        }
        *col++ = p.from;
    }
}

/* --- banded-P: all entries up to P columns beside the diagonal -------------------------------- */

struct band {
    int from, to;
};

static struct band band_of(const struct structure_matrix *m, int row)
{
    const int64_t middle = (int64_t)row * m->cols / m->rows, p = m->structure.parameter;
    const int64_t from = middle - p, to = middle + p + 1;
    return (struct band){from < 0 ? 0 : (int)from, to > m->cols ? m->cols : (int)to};
}

static int banded_entries(const struct structure_matrix *m, int row)
{
    const struct band b = band_of(m, row);
    return b.to - b.from;
}

static void banded_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    consecutive(band_of(m, row).from, n, col);
}

/* --- gaps: half of the rows are empty, among them the first and the last ones ----------------- */

enum { GAPS_ENDS = 3, GAPS_ENTRIES = 5 };

static int gaps_entries(const struct structure_matrix *m, int row)
{
    const uint64_t word = rng_at(KEY, (uint64_t)row);
    if (row < GAPS_ENDS || row >= m->rows - GAPS_ENDS || word & 1)
        return 0;
    return least(1 + (int)((word >> 32) % GAPS_ENTRIES), m->cols);
}

/* --- dense-row: one row, in the middle, has all columns; the others have one entry ------------ */

static int dense_row_entries(const struct structure_matrix *m, int row)
{
    return row == m->rows / 2 ? m->cols : 1;
}

static void dense_row_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    consecutive(n > 1 ? 0 : (int)((int64_t)row * m->cols / m->rows), n, col);
}

/* --- one-column: all entries are in one column ------------------------------------------------ */

static int one_entry(const struct structure_matrix *m, int row)
{
    (void)m;
    (void)row;
    return 1;
}

static void one_column(const struct structure_matrix *m, int row, int n, int *col)
{
    (void)row;
    (void)n;
    *col = m->cols / 2;
}

/* --- empty: no entry -------------------------------------------------------------------------- */

static int no_entries(const struct structure_matrix *m, int row)
{
    (void)m;
    (void)row;
    return 0;
}

static void no_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    (void)m;
    (void)row;
    (void)n;
    (void)col;
}

/* --- a file ----------------------------------------------------------------------------------- */

static int file_entries(const struct structure_matrix *m, int row)
{
    const int *start = m->structure.matrix->row_start;
    return start[row + 1] - start[row];
}

static void file_columns(const struct structure_matrix *m, int row, int n, int *col)
{
    const struct sparse *a = m->structure.matrix;
    memcpy(col, a->col + a->row_start[row], (size_t)n * sizeof *col);
}

/* --- all of them ------------------------------------------------------------------------------ */

const struct structure_rows structure_rows[STRUCTURE_FAMILIES] = {
    [STRUCTURE_NONE] = {.name = "", .entries = no_entries, .columns = no_columns},
    [STRUCTURE_POISSON] = {.name = "poisson",
                           .square = true,
                           .entries = poisson_entries,
                           .columns = poisson_columns},
    [STRUCTURE_UNIFORM] = {.name = "uniform",
                           .has_parameter = true,
                           .entries = uniform_entries,
                           .columns = uniform_columns},
    [STRUCTURE_RMAT] = {.name = "rmat",
                        .has_parameter = true,
                        .square = true,
                        .entries = rmat_entries,
                        .columns = rmat_columns},
    [STRUCTURE_BANDED] = {.name = "banded",
                          .has_parameter = true,
                          .entries = banded_entries,
                          .columns = banded_columns},
    [STRUCTURE_GAPS] = {.name = "gaps",
                        .fixed_rows = true,
                        .entries = gaps_entries,
                        .columns = uniform_columns},
    [STRUCTURE_DENSE_ROW] = {.name = "dense-row",
                             .entries = dense_row_entries,
                             .columns = dense_row_columns},
    [STRUCTURE_ONE_COLUMN] = {.name = "one-column", .entries = one_entry, .columns = one_column},
    [STRUCTURE_EMPTY] = {.name = "empty", .entries = no_entries, .columns = no_columns},
    [STRUCTURE_FILE] = {.entries = file_entries, .columns = file_columns},
};

void structure_open(struct structure_matrix *m, struct structure s, int rows, int cols)
{
    *m = (struct structure_matrix){.structure = s, .rows = rows, .cols = cols};
    if (s.family == STRUCTURE_POISSON)
        m->side = poisson_side(rows);
    else if (s.family == STRUCTURE_RMAT)
        rmat_open(m);
}
