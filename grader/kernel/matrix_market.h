/*
 * matrix_market.h - a sparse matrix from a file in the Matrix Market format (R. Boisvert, R. Pozo,
 * K. Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996).
 *
 * The first line says what the file has:
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
 *
 * Then comes a line with the size, then one line per entry. Indices count from 1. Lines that begin
 * with % and blank lines may stand anywhere after the first line; lines may end with CR LF.
 */
#ifndef KERNEL_MATRIX_MARKET_H
#define KERNEL_MATRIX_MARKET_H

#include <stdint.h>

#include "base/err.h"
#include "kernel/csr.h"

/* `coordinate` lists entries with their places, `array` every element of a dense matrix. */
enum matrix_format { MATRIX_COORDINATE, MATRIX_ARRAY };
enum matrix_values { MATRIX_REAL, MATRIX_INTEGER, MATRIX_PATTERN };
enum matrix_symmetry { MATRIX_GENERAL, MATRIX_SYMMETRIC, MATRIX_SKEW_SYMMETRIC };

/* What the file says about itself. */
struct matrix_market {
    enum matrix_format format;
    enum matrix_values values;
    enum matrix_symmetry symmetry;
    int32_t entries; /* that the file lists; nnz differs with symmetry or duplicates */
};

/* Names as in the file: "skew-symmetric". */
const char *matrix_format_name(enum matrix_format f);
const char *matrix_values_name(enum matrix_values v);
const char *matrix_symmetry_name(enum matrix_symmetry s);

enum {
    /* A file may have so many more rows than entries. Each entry of a symmetric file counts twice,
     * because it is mirrored. This bounds the memory for a file of a few bytes. */
    MATRIX_MARKET_EMPTY_ROWS_MOST = 1 << 22,
};

/* Read a file. It is read once, line by line.
 *
 * Every entry that the file lists is a stored entry, also if its value is 0, as many are in an
 * array. The entries of a pattern have the value 1. The lower triangle that a symmetric file lists
 * gives the upper one as well, with the other sign if it is skew-symmetric. Entries that are listed
 * more than once are added.
 *
 * Refused: complex values and Hermitian symmetry; entries above the diagonal of a symmetric file,
 * or on that of a skew-symmetric one; values that are not finite; whole numbers beyond +-2^53; more
 * or fewer entries than the file announces; more than 2^31 - 1 entries.
 *
 * 0; the caller frees *a with csr_free(). -1 with a reason that names the file, and the line if one
 * is wrong; then *a is all zero. `about` may be NULL. */
int matrix_market_read(const char *path, struct csr *a, struct matrix_market *about, struct err *e);

#endif
