/*
 * matrix_files.h - the sparse matrices of Matrix Market files that sizes of an assignment name.
 *
 * Each file is read once. Only the places of its entries are kept: values are generated, as for
 * every structure.
 */
#ifndef KERNEL_MATRIX_FILES_H
#define KERNEL_MATRIX_FILES_H

#include "base/err.h"
#include "kernel/sparse.h"

struct matrix_files {
    char *dir; /* where the paths of structures begin */
    /* In the order in which they were first named. Each stays where it is, because structures point
     * to it; its own structure names the file. */
    struct sparse **matrix;
    unsigned count;
};

/* A file may have so many bytes. */
enum { MATRIX_FILE_MOST = 1 << 30 };

/* No matrices yet. The caller frees it with matrix_files_free(). */
struct matrix_files *matrix_files_new(const char *dir);
/* NULL: nothing to free. */
void matrix_files_free(struct matrix_files *m);

/* The matrix of a file, whose path structure_parse() took. The first call for a path reads the
 * file. The matrix belongs to *m. NULL with a reason that names the file, and the line if one is
 * wrong. */
const struct sparse *matrix_files_get(struct matrix_files *m, const char *path, struct err *e);

#endif
