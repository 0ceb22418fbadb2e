/* channel.h - the connection with the proctor: one for each process that has one. */
#ifndef DRIVER_CHANNEL_H
#define DRIVER_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "abi/protocol.h"

union channel_message {
    uint32_t type;
    struct pg_load load;
    struct pg_case problem;
    struct pg_go go;
    struct pg_describe describe;
};

/* Connect, and say hello. Ends the process if that fails. rank: 0 without ranks. */
void channel_join(int rank);
/* Receive one message and the descriptors that came with it. 0 at the end of the connection.
 * at_once: it is under way. */
ssize_t channel_receive(union channel_message *m, int *fds, unsigned *fd_count, bool at_once);
/* Send a message. False if the connection is gone. Async-signal-safe. */
bool channel_try(const void *m, size_t n);
/* The same; ends the process if the connection is gone. */
void channel_send(const void *m, size_t n);
/* READY or FAILED. */
void channel_status(enum pg_type type, const char *text);

#endif
