/*
 * exec_gate.h - a launcher starts programs only as long as no student code is loaded.
 *
 * A launcher such as mpirun has no system call filter of the driver, but it starts programs for
 * ranks that ask it to (MPI_Comm_spawn). Such a program has no filter either: it could talk to
 * daemons of the node by their sockets, for example to the one of Slurm that ends jobs, before
 * anybody sees it. So execve() of the launcher and of all processes below it waits for the proctor,
 * which lets it go on until every rank has started. Who calls it later waits until it is ended, or
 * until the gate is closed: then execve() fails.
 */
#ifndef SUPERVISE_EXEC_GATE_H
#define SUPERVISE_EXEC_GATE_H

#include <stdbool.h>

/* Linux 5.5 has what this needs. */
bool exec_gate_possible(void);

/* In a child that cannot get new privileges, before it executes the launcher: the descriptor of the
 * gate, or -1. Async-signal-safe. */
int exec_gate_make(void);

/* In the proctor, if the descriptor is ready to be read: let the waiting call go on. */
void exec_gate_answer(int gate);

/* Give the descriptor away to another process, over a socket. 0, or -1. Async-signal-safe. */
int exec_gate_send(int socket, int gate);

/* The next message: a descriptor, or -1 and the number that was sent instead of one (0: none was).
 */
int exec_gate_receive(int socket, int *why);

#endif
