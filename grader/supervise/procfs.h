/*
 * procfs.h - what /proc says about the processes below the proctor. Everything is read from
 * outside; no process is asked about itself.
 */
#ifndef SUPERVISE_PROCFS_H
#define SUPERVISE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervise/wait_times.h"

struct pid_list {
    pid_t *pid;
    size_t count;
};

/* All living descendants of root, without root itself. The proctor is a subreaper, so a process
 * cannot leave the tree by orphaning itself. Free the list with pid_list_free(). */
void procfs_descendants(pid_t root, struct pid_list *out);
/* Its living children alone. */
void procfs_children(pid_t parent, struct pid_list *out);
/* Page faults of all children that it has reaped. The sum rises whenever a child has ended. 0 for a
 * dead process. */
uint64_t procfs_reaped_faults(pid_t pid);
bool pid_list_has(const struct pid_list *l, pid_t pid);
void pid_list_free(struct pid_list *l);

/* Private memory in bytes: resident without shared mappings. 0 for a dead process. */
uint64_t procfs_private_memory(pid_t pid);
/* The same as the kernel counts it: it may miss some megabytes, on many cores more, but costs
 * little. The exact number takes milliseconds where much is mapped. */
uint64_t procfs_counted_memory(pid_t pid);
/* Bytes that are not part of the resident memory: page tables, huge pages that the machine has set
 * apart (hugetlb), and what was swapped out. 0 for a dead process. */
uint64_t procfs_unseen_memory(pid_t pid);
/* The same from the text of a status file; 0 when it is not there. Pure. */
uint64_t procfs_parse_unseen_memory(const char *status);
/* Bytes that it has written to files, pipes and terminals, not messages; 0: unknown. */
uint64_t procfs_written(pid_t pid);
/* The number of threads; 0 for a dead process. */
int procfs_threads(pid_t pid);
/* Its threads. */
void procfs_thread_list(pid_t pid, struct pid_list *out);
/* Processor time of all threads, including those that have ended; 0 for a dead process. */
uint64_t procfs_cpu_ns(pid_t pid);
/* True when every thread is stopped, or the process is gone. */
bool procfs_stopped(pid_t pid);
/* True when every thread is stopped, gone, or waits in the kernel where no SIGSTOP reaches it
 * (state D), as for a disk or a file server. */
bool procfs_stuck(pid_t pid);

/* The times of its threads; 0 where the kernel keeps none. Threads beyond the capacity are left
 * out. */
void procfs_wait(pid_t pid, struct wait_times *w);
/* The longest time that a living thread of the process was runnable but not running, ns since its
 * start; 0 for a dead process. */
uint64_t procfs_held_up(pid_t pid);

#endif
