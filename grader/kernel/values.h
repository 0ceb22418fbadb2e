/* values.h - the elements of matrices: their types, and how random values are distributed. */
#ifndef KERNEL_VALUES_H
#define KERNEL_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* The first ones are those of arithmetic: what a node can do with them is measured. */
enum element_type {
    TYPE_I32,
    TYPE_F32,
    TYPE_F64,
    TYPE_I8,
    TYPE_U8,
    TYPE_I16,
    TYPE_U16,
    TYPE_U32,
    TYPE_I64,
    TYPE_U64,
    TYPE_BOOL,
    TYPE_C64, /* complex: two floats, two doubles */
    TYPE_C128,
};
enum { TYPE_COUNT = TYPE_F64 + 1, TYPE_ALL = TYPE_C128 + 1 };

enum { VALUES_NAME = 24 }; /* of a kind: a short word, with the end of the string */

enum value_dist {
    /* Integers. */
    VALUES_FULL,     /* all of int32: arithmetic wraps */
    VALUES_SMALL,    /* -8 .. 7 */
    VALUES_NEGATIVE, /* -1000 .. -1 */
    VALUES_SPARSE,   /* mostly zero */
    /* Floating point, exact: integers so small that every order of summation gives the same sum. */
    VALUES_BALANCED,   /* both inputs have as many bits as fit, and no zeros */
    VALUES_WIDE_LEFT,  /* many bits in the first input, few in the second */
    VALUES_WIDE_RIGHT, /* the other way round */
    VALUES_GRADED,     /* balanced; rows and columns are scaled by powers of two */
    VALUES_CANCELLING, /* balanced; most of a sum cancels */
    /* Floating point, rounded. */
    VALUES_UNIFORM, /* -1 .. 1, with all bits of the mantissa */
    /* This one and those after it belong to one kernel, which names them. */
    VALUES_OWN,
};

/* Names as in assignment files and tables: "i32", "full". */
const char *type_name(enum element_type t);
/* The type in C: "int32_t". The header of a kernel file says what "c64" is. */
const char *type_in_c(enum element_type t);
size_t type_bytes(enum element_type t);
/* Of floating-point numbers, but not complex. */
bool type_is_real(enum element_type t);
bool type_is_complex(enum element_type t);
/* Real or complex. */
bool type_is_rounded(enum element_type t);
/* Integers, but not bool. */
bool type_is_integer(enum element_type t);
/* Of the two parts of a complex number; of others, the type itself. */
enum element_type type_of_part(enum element_type t);
bool type_is_signed(enum element_type t);
/* The unit roundoff: 2^-24, 2^-53; 0 for integers and bool. */
double type_roundoff(enum element_type t);
/* The type of the arithmetic with such elements. */
enum element_type type_of_arithmetic(enum element_type t);
/* The type with that name, in assignments ("i32") or in C ("int32_t", "int"). False: there is none.
 */
bool type_find(const char *name, size_t n, enum element_type *t);
const char *value_dist_name(enum value_dist v);
/* Must a result be exactly right for these values? */
bool value_dist_exact(enum value_dist v);
/* How hard a result is to follow by hand: small whole numbers have 0, all bits have more. No two
 * distributions have the same. */
int value_dist_rank(enum value_dist v);
/* All names of types, in the order of the enumeration, NULL-terminated. */
const char *const *type_names(void);

#endif
