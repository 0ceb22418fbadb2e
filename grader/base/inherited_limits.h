/*
 * inherited_limits.h - limits that the login shell or the site has set (`ulimit`), which Slurm
 * passes on to jobs. They are meant for interactive work. The limits of the assignment take their
 * place, so ours are raised as far as the machine allows.
 */
#ifndef BASE_INHERITED_LIMITS_H
#define BASE_INHERITED_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* Raise the soft limits of this process to the hard ones; its children inherit them. The stack is
 * raised to the usual 8 MiB only: without a limit, endless recursion would use up the memory. */
void inherited_limits_raise(void);

/* Seconds of processor time that a process may use at most; 0: no limit. Then the kernel ends it
 * with SIGXCPU or SIGKILL. */
uint64_t inherited_limits_cpu(void);

/* Add the finite limits to a text, by the names of limits.conf: "cpu 60 s, stack 8 MiB". Returns
 * true if one of them is so low that it can end or hinder honest programs. */
bool inherited_limits_describe(struct strbuf *out);

#endif
