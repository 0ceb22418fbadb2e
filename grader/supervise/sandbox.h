/*
 * sandbox.h - what untrusted processes may touch. These are compilers that read student sources and
 * drivers that run student libraries. The sandbox is a Landlock domain, which needs no privileges
 * and restricts root as well.
 *
 *   read and execute   the system's directories, the world-readable part of /etc, toolchains found
 *                      through PATH, and the paths in sandbox_spec.readable
 *   write              the paths in sandbox_spec.writable, and a few devices
 *   privileges         none, even where the grader is root
 *   nothing else       no home directory, no other submission, no run directory
 *   outside processes  no signals to them, no tracing, no abstract sockets, and no TCP, as far as
 *                      the Landlock version of the kernel supports these
 */
#ifndef SUPERVISE_SANDBOX_H
#define SUPERVISE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Rules for all sandboxes of one proctor. A zeroed policy requires and withholds nothing. */
struct sandbox_policy {
    unsigned required; /* set of enum protection that every compiler and driver must have */
    const char *node;  /* name of this node, for messages; not owned; NULL with required == 0 */
    char **withheld;   /* resolved paths that no sandbox may read; owned */
    size_t withheld_count;
    struct readable *readable; /* what is kept opened for all sandboxes; owned, may be NULL */
};

/* Keep a path, and everything below it, out of every sandbox that is prepared with this policy. A
 * path that does not exist is ignored. sandbox_spec.readable and .writable take precedence. */
void sandbox_withhold(struct sandbox_policy *p, const char *path);

/* Keep opened what every sandbox of this policy may read, because that is looked for at each start
 * otherwise. After all that is withheld. */
void sandbox_policy_keep(struct sandbox_policy *p);

/* Free what the policy owns and zero it. */
void sandbox_policy_free(struct sandbox_policy *p);

/* Check that `have` contains every required protection, considering only the kinds in `which`.
 * Call it before anything of a student's is compiled or loaded. 0, or -1 and e names what this node
 * lacks. */
int sandbox_check(const struct sandbox_policy *p, unsigned which, unsigned have, struct err *e);

/* One sandbox. */
struct sandbox_spec {
    const struct sandbox_policy *policy;
    const char *const *readable; /* more directories or files, NULL-terminated; or NULL */
    const char *const *writable; /* likewise */
    bool network;                /* do not restrict TCP: MPI processes of a node need it */
    int gpus;                    /* allow the device files of so many NVIDIA GPUs */
};

/* Prepare a Landlock domain. Returns a descriptor for sandbox_enter(), which the caller closes, or
 * -1 when the kernel has no Landlock; then sandbox_enter() only drops privileges. */
int sandbox_prepare(const struct sandbox_spec *spec);

/* The protections (a set of enum protection) of a process that enters this domain. The system call
 * filter is not included: a driver installs it itself and reports it. */
unsigned sandbox_protections(int domain);

/* Enter the domain and give up all privileges. For the child process between fork and exec:
 * async-signal-safe. `domain` may be -1. `how` is a set of these. 0, or -1 with errno. */
enum {
    SANDBOX_GPU = 1 << 0,       /* also allow /proc/self, where CUDA names its threads; only the
                                   child itself can name this path (below a tool, a driver is
                                   none: driver/thread_names.c) */
    SANDBOX_OF_GRADER = 1 << 1, /* no student code runs here: when memory runs out, the kernel kills
                                   those first in which it does */
};
int sandbox_enter(int domain, unsigned how);

/* One more directory to write to, which only the child sees. Before sandbox_enter(), and as safe.
 */
void sandbox_allow_writing(int domain, const char *dir);

#endif
