/*
 * profile_openacc.h - copies that the OpenACC driver itself makes. gcc's runtime reports no events
 * for acc_update_device() and acc_update_self().
 */
#ifndef DRIVER_PROFILE_OPENACC_H
#define DRIVER_PROFILE_OPENACC_H

#include <stddef.h>

/* Call copy(base, bytes). While a profile is recorded, the copy has a row of this name in it. */
void profile_openacc_copy(void (*copy)(void *, size_t), const char *name, void *base, size_t bytes);

#endif
