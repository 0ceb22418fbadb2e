/* labels.h - labels of sets, whose names mean nothing: the components of a graph. Pure. */
#ifndef KERNEL_LABELS_H
#define KERNEL_LABELS_H

#include <stddef.h>

#include "kernel/values.h"

/* In place of each of n labels, integers of at least 32 bits, the index of the first element that
 * has it. So two results are equal if they have the same sets. */
void labels_name(enum element_type t, void *labels, size_t n);

#endif
