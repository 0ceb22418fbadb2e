/* driver_spawn.h - fork and exec a driver in its sandbox; kill all of its processes. */
#ifndef SUPERVISE_DRIVER_SPAWN_H
#define SUPERVISE_DRIVER_SPAWN_H

#include <sys/types.h>

#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* What driver_spawn() started. */
struct spawned {
    pid_t pid;            /* > 0 only if a child was forked; then reap it, even after a failure */
    int output_fd;        /* reads the child's output, without blocking; -1: none */
    int gate;             /* exec_gate.h; -1: none */
    unsigned protections; /* set of enum protection that the child has */
};

/* How many GPUs of this node its processes can use; 0: its kind computes on the cores. */
int driver_gpus(const struct driver_spec *spec);

/* Start the program of `spec`, under its launcher if it has one. With files of its own, it gets its
 * own network as well. 0, or -1 with *o filled. *s is filled in both cases. */
int driver_spawn(const struct driver_spec *spec, const struct own_files *own, char **env,
                 struct spawned *s, struct outcome *o);

/* Send SIGKILL to a process and to all of its descendants, also to those that are born meanwhile.
 */
void driver_kill_tree(pid_t root);

#endif
