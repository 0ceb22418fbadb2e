/*
 * session_parts.h - what session.c, the conversation with a driver, has others do: start processes
 * and end them (session_spawn.c), halt them and let them go on (session_halt.c). For these alone.
 */
#ifndef PROCTOR_SESSION_PARTS_H
#define PROCTOR_SESSION_PARTS_H

#include "proctor/session.h"

/* Bytes that MPI may keep in files beside what is printed. */
enum { SESSION_FILES_MOST = 64 << 20 };

void session_fail(struct outcome *o, enum outcome_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

bool session_uses_gpu(const struct session_spec *spec);

/* Start the driver, under its launcher if there is one, in its sandbox: fills pid, output_fd and
 * the protections of s. -1 with *o. */
int session_spawn(struct session *s, char **env, struct outcome *o);
/* SIGKILL for a process and all that descend from it, those included that are born meanwhile. */
void session_kill_tree(pid_t root);

/* Stop every process of the driver, and see that it has stopped. */
void session_halt(struct session *s);
void session_resume(struct session *s);
/* Processor time of all processes of the driver so far, ns. */
uint64_t session_cpu_ns(const struct session *s);
/* True with *o filled when halting showed something that no driver does by itself. */
bool session_unruly(const struct session *s, struct outcome *o);

#endif
