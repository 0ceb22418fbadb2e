/* values.h - the elements of matrices: their types, and how random values are distributed. */
#ifndef KERNEL_VALUES_H
#define KERNEL_VALUES_H

enum element_type { TYPE_I32 }; /* further types are added with their kernels */

enum value_dist {
    VALUES_FULL,     /* all of int32: arithmetic wraps */
    VALUES_SMALL,    /* -8 .. 7 */
    VALUES_NEGATIVE, /* -1000 .. -1 */
    VALUES_SPARSE,   /* mostly zero */
};

/* Names as in assignment files and tables: "i32", "full". */
const char *type_name(enum element_type t);
/* The type in C: "int32_t". */
const char *type_in_c(enum element_type t);
const char *value_dist_name(enum value_dist v);
/* All names of types, in the order of the enumeration, NULL-terminated. */
const char *const *type_names(void);

#endif
