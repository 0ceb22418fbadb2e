/*
 * sandbox.h - what untrusted processes (compilers fed with student sources, drivers with student
 * libraries) may touch: a Landlock domain, which needs no privileges and binds root as well.
 *
 *   read and run   the system's directories, of /etc what everybody may read, toolchains found
 *                  through PATH, the parts given
 *   write          the scratch directory given, and a few devices
 *   privileges     none, even where the grader is root
 *   nothing else   no home, no other submission, no run directory, no other scratch
 *   outside        no signals to, tracing of or abstract sockets with processes outside, and no
 *                  TCP, as far as the kernel's Landlock version knows these
 */
#ifndef SUPERVISE_SANDBOX_H
#define SUPERVISE_SANDBOX_H

#include <stdbool.h>

#include "base/err.h"

struct sandbox_spec {
    const char *const *readable; /* further directories or files, NULL-terminated, or NULL */
    const char *const *writable; /* NULL-terminated */
    bool network;                /* TCP is left alone: MPI between processes of a node needs it */
    bool gpu;                    /* the device files of NVIDIA GPUs */
};

/* What every compiler and driver of this proctor must have around it (a set of enum protection),
 * and this node's name for messages; kept, not copied. Until then nothing is required. */
void sandbox_require(unsigned protections, const char *node);

/* What a process that enters a domain has around it, as far as the proctor brings it about: for a
 * driver's system call filter only the driver can tell. */
unsigned sandbox_protections(int domain);

/* Is all there that sandbox_require() asked for, of those in `which`? 0, or -1 with what is lacking
 * on this node. To be asked before anything of a student's is compiled or loaded. */
int sandbox_check(unsigned which, unsigned have, struct err *e);

/* Prepare a domain: a descriptor for sandbox_enter(), or -1 when the kernel has no Landlock (the
 * caller goes on without). The caller closes it. */
int sandbox_prepare(const struct sandbox_spec *spec);

/* Keep a path (and what lies below it) out of every domain prepared from now on, wherever it lies;
 * what does not exist needs no keeping. `readable` and `writable` of a domain are not affected. */
void sandbox_withhold(const char *path);

/* In the child before exec; async-signal-safe. Gives up all privileges, too. 0, or -1 with errno.
 * fd -1: no domain. gpu: CUDA names its threads through /proc/self, which means the child itself
 * only here. */
int sandbox_enter(int fd, bool gpu);

#endif
