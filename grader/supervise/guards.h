/*
 * guards.h - check from outside whether the guard pages around C are as the driver made them.
 *
 * A write to a guard page faults. A kernel could avoid the fault by mapping memory there. Then the
 * list of mappings shows it.
 */
#ifndef SUPERVISE_GUARDS_H
#define SUPERVISE_GUARDS_H

#include <stdint.h>
#include <sys/types.h>

enum guards {
    GUARDS_INTACT,
    GUARDS_CHANGED, /* or C itself is no longer mapped */
    GUARDS_HIDDEN,  /* the process does not allow reading its mappings */
    GUARDS_UNKNOWN, /* the process is gone, or /proc has an unknown format */
};

/* How /proc/<pid>/maps identifies a file. */
struct mapped_file {
    unsigned major, minor;
    uint64_t inode;
};

/* Judge the text of /proc/<pid>/maps. Intact means: every mapping of the file, which may consist of
 * several pieces, has at least PG_GUARD bytes without any access right on both sides. Pure. */
enum guards guards_judge(const char *maps, const struct mapped_file *f);

/* The same for a halted process and the file behind one of the proctor's descriptors. */
enum guards guards_check(pid_t pid, int fd);

#endif
