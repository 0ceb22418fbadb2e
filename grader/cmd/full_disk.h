/*
 * full_disk.h - what a user does about a disk that is full.
 */
#ifndef CMD_FULL_DISK_H
#define CMD_FULL_DISK_H

#include "base/err.h"

/* If e says that a disk is full, or a quota is used up, add what to do with the run in `dir`;
 * NULL: there is no run yet. */
void full_disk_hint(struct err *e, const char *dir);

#endif
