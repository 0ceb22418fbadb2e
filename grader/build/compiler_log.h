/* compiler_log.h - what a compiler that failed has said. Sources have a say in it. Pure. */
#ifndef BUILD_COMPILER_LOG_H
#define BUILD_COMPILER_LOG_H

#include <stdbool.h>

/* The line that gives the reason; the caller frees it. */
char *compiler_log_reason(const char *log);

/* Does gcc, collect2 or nvcc report that a signal ended one of its programs? Not where something is
 * wrong with the sources as well: they can make the compiler print any line, with an error. */
bool compiler_log_ended_by(const char *log, int sig);

/* The next warning from *at on that is, or is not, about what makes results wrong (a variable that
 * is not set, a pragma that is not known, an index): "naive.c:12: 'sum' is used uninitialized".
 * Moves *at behind it. NULL: there is none. The caller frees it. */
char *compiler_log_warning(const char **at, bool wrong_results);

/* The functions of C++ that have a type, but no return: "sort.cpp:12, sort.cpp:40: no return ...".
 * compiler_log_warning() leaves them out. NULL: there are none. The caller frees it. */
char *compiler_log_missing_returns(const char *log);

#endif
