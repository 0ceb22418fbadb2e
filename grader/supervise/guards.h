/*
 * guards.h - whether the guards around C are as the driver made them, seen from outside.
 *
 * A write into a guard is a fault. A kernel that gives itself memory there, in advance or when it
 * faults, would have it pass: the mappings tell.
 */
#ifndef SUPERVISE_GUARDS_H
#define SUPERVISE_GUARDS_H

#include <stdint.h>
#include <sys/types.h>

enum guards {
    GUARDS_INTACT,
    GUARDS_CHANGED, /* or C itself is no longer mapped */
    GUARDS_HIDDEN,  /* the process does not let itself be looked at */
    GUARDS_UNKNOWN, /* it is gone, or what /proc says is not understood */
};

/* A file as /proc/<pid>/maps names it. */
struct mapped_file {
    unsigned major, minor;
    uint64_t inode;
};

/* By the text of /proc/<pid>/maps: every mapping of the file, whatever pieces it is in, has at
 * least PG_GUARD bytes on both sides that nobody may touch. Pure. */
enum guards guards_judge(const char *maps, const struct mapped_file *f);

/* The same for a process that is halted, and the file behind a descriptor of ours. */
enum guards guards_look(pid_t pid, int fd);

#endif
