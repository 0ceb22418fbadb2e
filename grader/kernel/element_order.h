/* element_order.h - elements in ascending order, and rows of them in some order. */
#ifndef KERNEL_ELEMENT_ORDER_H
#define KERNEL_ELEMENT_ORDER_H

#include <stddef.h>

#include "kernel/values.h"

void elements_sort(void *elements, size_t n, enum element_type type);

/* By their first elements, then by their second ones, and so on. */
void rows_sort(void *elements, size_t rows, size_t width, enum element_type type);

#endif
