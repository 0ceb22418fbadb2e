/* element.h - one element of an operand, whatever its type. Pure. */
#ifndef KERNEL_ELEMENT_H
#define KERNEL_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/mismatch.h"
#include "kernel/values.h"

/* Element i of an array becomes a number, which the type can hold; the second one is for integers.
 */
void element_set_real(enum element_type t, void *array, size_t i, double x);
void element_set_whole(enum element_type t, void *array, size_t i, int64_t x);

/* Of a complex number, its absolute value. */
double element_real(enum element_type t, const void *array, size_t i);
/* One of the two parts of a complex number; of others, the number and 0. */
double element_part(enum element_type t, const void *array, size_t i, int part);
/* The absolute value of the difference of two elements. NAN if one is. */
double element_distance(enum element_type t, const void *a, const void *b, size_t i);
/* "-17", "1.5", "nan", "1.5-2i". */
void element_text(enum element_type t, const void *array, size_t i, char out[ELEMENT_TEXT]);
/* Always true of integers. */
bool element_is_finite(enum element_type t, const void *array, size_t i);
/* As numbers: 0 equals -0, and a NaN any other NaN. */
bool element_equal(enum element_type t, const void *a, const void *b, size_t i);
/* The first one of n elements in which two arrays differ; n if there is none. */
size_t element_difference(enum element_type t, const void *a, const void *b, size_t n);

#endif
