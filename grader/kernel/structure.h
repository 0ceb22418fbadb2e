/*
 * structure.h - which entries of a sparse matrix are nonzero: a family and a number, "uniform-20",
 * or a file, "matrices/a.mtx".
 *
 * The structure of a matrix is a pure function of these and of the numbers of rows and columns. (A
 * file has these numbers, too.) The columns of a row are ascending, and none is given twice.
 */
#ifndef KERNEL_STRUCTURE_H
#define KERNEL_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum structure_family {
    STRUCTURE_NONE, /* of a kernel without a sparse matrix */
    STRUCTURE_POISSON,
    STRUCTURE_UNIFORM,
    STRUCTURE_RMAT,
    STRUCTURE_BANDED,
    STRUCTURE_GAPS,
    STRUCTURE_DENSE_ROW,
    STRUCTURE_ONE_COLUMN,
    STRUCTURE_EMPTY,
    STRUCTURE_FILE, /* a Matrix Market file */
};

enum { STRUCTURE_TEXT = 64 };

struct sparse;

struct structure {
    enum structure_family family;
    int parameter;             /* 0: the family has none */
    char file[STRUCTURE_TEXT]; /* STRUCTURE_FILE: its path, as structure_parse() takes it */
    /* STRUCTURE_FILE: its matrix, which belongs to a struct matrix_files. NULL: there is only the
     * path. Then the structure can be compared and printed, and that is all. */
    const struct sparse *matrix;
};

/* Read the first n bytes of a text: "poisson", "uniform-20", "matrices/a.mtx". The path of a file
 * leads downward only, and its characters are safe in tables and commands. The file is not read:
 * s->matrix is NULL. 0, or -1 with a reason that says what can be written. */
int structure_parse(const char *text, size_t n, struct structure *s, struct err *e);
/* "uniform-20"; "" for STRUCTURE_NONE. */
void structure_format(struct structure s, char out[STRUCTURE_TEXT]);
/* Equal files have equal paths. */
bool structure_equal(struct structure a, struct structure b);
/* All families but files, as they are written: "poisson, uniform-P, ...". The caller frees it. */
char *structure_families(void);

/* Has every matrix as many rows as columns? Not known of files. */
bool structure_is_square(struct structure s);
/* How many numbers of a size give its rows and columns: 2, 1 if it is square, 0 if it is a file. */
int structure_dims(struct structure s);
/* May its rows be rotated? Not if the place of some rows is what the family is about. */
bool structure_rotates_rows(struct structure s);

enum { RMAT_LEVELS = 31 };

/* A structure of a given size, prepared by structure_open(). Plain data. */
struct structure_matrix {
    struct structure structure;
    int rows, cols;
    int side;                          /* poisson: points in a line of the grid */
    int levels;                        /* rmat: the numbers of rows and columns need so many bits */
    uint64_t entries[RMAT_LEVELS + 1]; /* rmat: of a row with so many ones in its number; scaled
                                          by 2^32 */
};

/* rows, cols >= 1; they are equal if the structure is square, and those of the file if it is one.
 */
void structure_open(struct structure_matrix *m, struct structure s, int rows, int cols);
/* Entries of a row. Fast: it does not make them. */
int structure_row_entries(const struct structure_matrix *m, int row);
/* Write the columns of a row, which has n entries. */
void structure_row(const struct structure_matrix *m, int row, int n, int *col);

/* All rows together. */
struct structure_counts {
    int64_t entries;
    int widest;      /* entries of the longest row */
    double variance; /* of the entries of a row */
};

struct structure_counts structure_count(const struct structure_matrix *m);

#endif
