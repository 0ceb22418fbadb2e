/*
 * held_up.h - how long a compiler waits for a core. Its processes come and go: those that do the
 * work have ended when the compiler ends. So this is asked while it runs.
 */
#ifndef BUILD_HELD_UP_H
#define BUILD_HELD_UP_H

#include <stdint.h>
#include <sys/types.h>

enum { HELD_UP_MOST = 64 };

/* The living processes when it was last asked. Further ones are left out. All zero at first. */
struct held_up {
    pid_t pid[HELD_UP_MOST];
    uint64_t ns[HELD_UP_MOST];
    unsigned count;
};

/* How long a program has waited for a core since this was last asked: the longest time of the
 * program or of a descendant, ns. What a process waited just before it ended is lost. For
 * proc_spec.held_up; `held_up` is a struct held_up. */
uint64_t held_up_more(pid_t pid, void *held_up);

#endif
