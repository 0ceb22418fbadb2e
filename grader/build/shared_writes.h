/*
 * shared_writes.h - variables that OpenMP threads share and write, as gcc understands the source.
 * They explain a race that was seen; alone they prove nothing. Pure.
 */
#ifndef BUILD_SHARED_WRITES_H
#define BUILD_SHARED_WRITES_H

/* The option of gcc that writes what shared_writes_read() reads; the name of the file follows. */
#define SHARED_WRITES_OPTION "-fdump-tree-gimple-lineno="

/* "sum (openmp.c:10), k (openmp.c:11)": scalar variables of functions that a parallel region shares
 * and assigns, outside of `critical`, `single` and the like; each with its first such line. "" when
 * there is none. The caller frees it. */
char *shared_writes_read(const char *dump);

#endif
