/* imports.h - whether a built library can start threads or tasks, from the names that it needs. */
#ifndef BUILD_IMPORTS_H
#define BUILD_IMPORTS_H

#include <stdbool.h>

/* False when it calls no function of OpenMP, of POSIX, C or C++ threads, and needs no other library
 * that could do so for it. True when it does, or when it cannot be read. */
bool imports_threads(const char *library);
/* May it start threads without OpenMP: itself, or in a library that it needs? Also true when it
 * cannot be read. */
bool imports_own_threads(const char *library);
/* Does it make tasks of OpenMP, with gcc's library? Also true when it cannot be read. */
bool imports_tasks(const char *library);

#endif
