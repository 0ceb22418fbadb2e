/* structure_rows.h - the families of structures, each as functions of a row. For structure.c. */
#ifndef KERNEL_STRUCTURE_ROWS_H
#define KERNEL_STRUCTURE_ROWS_H

#include "kernel/structure.h"

enum { STRUCTURE_FAMILIES = STRUCTURE_FILE + 1 };

struct structure_rows {
    const char *name; /* NULL: of a file */
    bool has_parameter;
    bool square;
    bool fixed_rows; /* its rows must not be rotated */
    int (*entries)(const struct structure_matrix *m, int row);
    void (*columns)(const struct structure_matrix *m, int row, int n, int *col);
};

/* By enum structure_family. */
extern const struct structure_rows structure_rows[STRUCTURE_FAMILIES];

#endif
