/*
 * shared_writes.h - variables that OpenMP threads share and write, as gcc understands the source
 * (gimple.h). They explain a race that was seen; alone they prove nothing. Pure.
 */
#ifndef BUILD_SHARED_WRITES_H
#define BUILD_SHARED_WRITES_H

/* "sum (openmp.c:10), k (openmp.c:11)": scalar variables of functions that a parallel region shares
 * and assigns, outside of `critical`, `single` and the like; each with its first such line. "" when
 * there is none. The caller frees it. */
char *shared_writes_read(const char *dump);

/* The same for arrays of which elements are assigned: "count (openmp.c:10), C (openmp.c:11)". An
 * element that one thread alone writes is no mistake, so this is said only if nothing else is
 * known. */
char *shared_elements_read(const char *dump);

/* "openmp.c:9": the first construct with `nowait` that another one follows in the same parallel
 * region. "" when there is none. The caller frees it. */
char *shared_unwaited_read(const char *dump);

#endif
