/* local_child.h - a proctor as a child of this process: how it begins, and what it has left if it
 * ended without a result. */
#ifndef EXECUTE_LOCAL_CHILD_H
#define EXECUTE_LOCAL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Become the proctor, in a child of `parent` just after fork(). log: a descriptor. */
void local_child_exec(char **argv, pid_t parent, int log) __attribute__((noreturn));
/* ": " and the end of its log, on one line; "": it said nothing. The caller frees it. */
char *local_child_log(const char *log);
/* How it ended, with that. hung: it was killed for it. status: of waitpid(). The caller frees it.
 */
char *local_child_no_result(const char *log, bool hung, int status);

#endif
