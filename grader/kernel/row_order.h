/*
 * row_order.h - a result whose rows are all right, but in another order: what ranks or threads have
 * computed was put together wrongly. Pure.
 */
#ifndef KERNEL_ROW_ORDER_H
#define KERNEL_ROW_ORDER_H

#include <stddef.h>

#include "kernel/kernel.h"

/* Add that to the pattern, if it is so. row: what a row is, "row" or "element". `bytes`: of a row;
 * rows are compared byte by byte. */
void row_order_describe(const char *row, size_t rows, size_t bytes, const void *expected,
                        const void *got, struct mismatch *m);

#endif
