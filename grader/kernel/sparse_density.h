/*
 * sparse_density.h - where the entries of a sparse matrix are, on a coarse grid.
 */
#ifndef KERNEL_SPARSE_DENSITY_H
#define KERNEL_SPARSE_DENSITY_H

#include "kernel/csr.h"

/* The matrix is divided into rows x cols cells that are as equal as possible. cell[r * cols + c]
 * receives the share of the elements of that cell that are stored, 0 .. 1. There are at most as
 * many cells as elements in each direction, and at least one. */
void sparse_density(const struct csr *a, int rows, int cols, double *cell);

#endif
