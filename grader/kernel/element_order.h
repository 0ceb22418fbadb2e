/* element_order.h - elements in ascending order. */
#ifndef KERNEL_ELEMENT_ORDER_H
#define KERNEL_ELEMENT_ORDER_H

#include <stddef.h>

#include "kernel/values.h"

void elements_sort(void *elements, size_t n, enum element_type type);

#endif
