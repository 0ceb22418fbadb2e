/*
 * driver_channel.h - messages between the proctor and a driver process (abi/protocol.h). While the
 * proctor waits for a message it checks the driver's limits.
 */
#ifndef SUPERVISE_DRIVER_CHANNEL_H
#define SUPERVISE_DRIVER_CHANNEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/protocol.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* Any message from a driver. Compare its length with the expected one before reading a member. */
union driver_message {
    uint32_t type;
    struct pg_hello hello;
    struct pg_confined confined;
    struct pg_status status;
    struct pg_done done;
    struct pg_fault fault;
    struct pg_error error;
    struct pg_device device;
    struct pg_profile_row row;
    struct pg_rank rank;
};

/* A listening socket at `path`. -1 with *o filled. */
int driver_listen(const char *path, struct outcome *o);

/* Send a message of n bytes with `count` descriptors. Errors are not reported: the wait that
 * follows notices a dead driver. */
void driver_send(int sock, const void *m, size_t n, const int *fds, unsigned count);

/* Wait for the next message on `fd`: d->sock, or with m == NULL a listening socket, where the wait
 * is for a connection. PG_FAULT messages go to *o, and the wait goes on. *when (may be NULL) is the
 * time of arrival, taken as early as possible. Returns the message's length, or 1 for a connection;
 * 0 with *o filled when the driver died, exceeded a limit, or the proctor was told to stop. */
ssize_t driver_await(struct driver_process *d, int fd, union driver_message *m, uint64_t deadline,
                     uint64_t *when, struct outcome *o);

/* Wait for READY. *o is filled on failure; PG_FAILED becomes `if_failed`. `remark` (may be NULL),
 * of `cap` bytes, receives the text of READY. */
void driver_expect_ready(struct driver_process *d, uint64_t deadline, enum outcome_kind if_failed,
                         char *remark, size_t cap, struct outcome *o);

/* The driver is gone: find out how it ended. Under a launcher this waits for the launcher. */
void driver_record_death(struct driver_process *d, struct outcome *o);

#endif
