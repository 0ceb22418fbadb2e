/*
 * driver_parts.h - what session.c, the conversation with a driver, has others do: start processes
 * and end them (session_spawn.c), halt them and let them go on (session_halt.c). For these alone.
 */
#ifndef SUPERVISE_DRIVER_PARTS_H
#define SUPERVISE_DRIVER_PARTS_H

#include "supervise/driver_process.h"

/* Bytes that MPI may keep in files beside what is printed. */
enum { DRIVER_FILES_MOST = 64 << 20 };

bool driver_uses_gpu(const struct driver_spec *spec);

/* Start the driver, under its launcher if there is one, in its sandbox: fills pid, output_fd and
 * the protections of s. -1 with *o. */
int driver_spawn(struct driver_process *s, char **env, struct outcome *o);
/* SIGKILL for a process and all that descend from it, those included that are born meanwhile. */
void driver_kill_tree(pid_t root);

/* Stop every process of the driver, and see that it has stopped. */
void driver_halt(struct driver_process *s);
void driver_resume(struct driver_process *s);
/* Processor time of all processes of the driver so far, ns. */
uint64_t driver_cpu_ns(const struct driver_process *s);
/* True with *o filled when halting showed something that no driver does by itself. */
bool driver_unruly(const struct driver_process *s, struct outcome *o);

#endif
