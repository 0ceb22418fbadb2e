/* mismatch.h - how a wrong result differs from the right one. */
#ifndef KERNEL_MISMATCH_H
#define KERNEL_MISMATCH_H

#include <stdbool.h>
#include <stdint.h>

/* In a pattern, after "M = 17 is not a multiple of 3". */
#define PATTERN_OF_RANKS ", the number of ranks"
#define PATTERN_OF_THREADS ", the number of threads"

enum { ELEMENT_TEXT = 64, ELEMENT_NAME = 96 };

/* The first wrong element, and what all wrong elements have in common. */
struct mismatch {
    bool present;
    int row, col;
    char element[ELEMENT_NAME]; /* "C[3][5]", "y[7]"; no file has this */
    /* "-17", "1.5", "nan"; both are "" if the check of the exercise refuses the whole output */
    char expected[ELEMENT_TEXT], got[ELEMENT_TEXT];
    uint64_t wrong; /* number of wrong elements */
    uint64_t total;
    char pattern[400]; /* "columns 16..18 only: N = 19 is not a multiple of 8" */
    /* If the pattern says that a size is not a multiple of a width: which dimension, and the width,
     * which need not be the only one that fits. No file has these. 0: it says nothing of the kind.
     */
    int rest_size, rest_width;
    bool rest_rows; /* of the rows, not of the columns */
    /* "row", "element": nothing but the last of several ones is wrong, which was never written, or
     * is 0. NULL: it is another pattern. Not to be freed; no file has this. */
    const char *last_left_out;
};

/* How large the errors of a rounded result are, in units that the kernel defines. For products, the
 * error of an element is divided by u |a| |b|, where u is the unit roundoff of the type, |a| the
 * Euclidean norm of the row of A, and |b| that of the column of B. NAN: the result had to be exact.
 */
struct accuracy {
    double max, rms;
};

#endif
