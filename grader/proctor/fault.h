/*
 * fault.h - whose fault it is that a driver was lost: what its end looks like (outcome.h), held
 * against what earlier attempts and the stand's own device know.
 */
#ifndef PROCTOR_FAULT_H
#define PROCTOR_FAULT_H

#include "measure/harness.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* End the session if it still lives and fill `message`, of `cap` bytes, for the student or, with
 * VERDICT_INFRA_ERROR, for the instructor. `alone`: nothing else of the student's is running. Notes
 * in *d whether another attempt will tell more. */
enum verdict fault_attribute(struct harness *s, struct driver_process *lost, bool alone,
                             const struct outcome *o, struct unexplained_end *d, char *message,
                             size_t cap);

#endif
