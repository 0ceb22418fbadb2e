/*
 * procfs.h - what /proc says about the processes under the proctor. Everything here is read
 * from outside: no process is asked about itself.
 */
#ifndef SUPERVISE_PROCFS_H
#define SUPERVISE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pid_list {
    pid_t *pid;
    size_t count;
};

/* All living descendants of root (root itself left out). The proctor is a subreaper, so a
 * process cannot leave its tree by orphaning itself. */
void procfs_descendants(pid_t root, struct pid_list *out);
void pid_list_free(struct pid_list *l);

/* Private memory in bytes: resident without shared mappings. 0 for a dead process. */
uint64_t procfs_private_memory(pid_t pid);
/* Bytes of the tables that lead to its pages, which the kernel counts for nobody. 0 for a dead
 * process. */
uint64_t procfs_page_tables(pid_t pid);
/* The same from the text of a status file: 0 where it does not say. Pure. */
uint64_t procfs_parse_page_tables(const char *status);
int procfs_threads(pid_t pid);
/* Processor time of all threads, ended ones included; 0 for a process that is gone. */
uint64_t procfs_cpu_ns(pid_t pid);
/* Bytes of disk or memory that the files below a directory occupy. */
uint64_t procfs_files(const char *dir);
/* True when every thread is stopped, or the process is gone. */
bool procfs_stopped(pid_t pid);

/* Nanoseconds that each thread ran, and was runnable without running, since its start; per thread,
 * so that two observations can be subtracted. */
struct wait_times {
    pid_t tid[256];
    uint64_t ns[256]; /* waited */
    uint64_t ran[256];
    size_t count;
};
void procfs_wait(pid_t pid, struct wait_times *w);
/* The largest increase of any thread seen in both. */
uint64_t wait_increase(const struct wait_times *before, const struct wait_times *after);

/* The largest increase of running of any thread alive at the end, new ones included. */
uint64_t ran_increase(const struct wait_times *before, const struct wait_times *after);
/* The increase of waiting of all threads alive at the end together. */
uint64_t wait_increase_sum(const struct wait_times *before, const struct wait_times *after);

#endif
