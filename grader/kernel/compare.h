/* compare.h - how results of each type are compared, for kernel_compare(). */
#ifndef KERNEL_COMPARE_H
#define KERNEL_COMPARE_H

#include "kernel/kernel.h"

uint64_t compare_i32(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                     struct accuracy *a);
uint64_t compare_f32(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                     struct accuracy *a);
uint64_t compare_f64(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                     struct accuracy *a);
uint64_t compare_complex(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                         struct accuracy *a);
/* Of integers of the other types, and bool. */
uint64_t compare_whole(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                       struct accuracy *a);

#endif
