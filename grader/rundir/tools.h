/* tools.h - which programs grade: this one's version and the contents of its helpers. */
#ifndef RUNDIR_TOOLS_H
#define RUNDIR_TOOLS_H

#include <jansson.h>

#include "base/digest.h"
#include "rundir/run.h"

/* {"paragrade": version, "proctor": SHA-256, "driver-cpu": SHA-256, ...} as installed now; never
 * NULL. */
json_t *tools_json(void);
/* Of such an object; "" of JSON null. */
void tools_digest(const json_t *tools, char out[DIGEST_HEX]);
/* Note in the plan which programs graded the units that have a result, where that is not noted yet
 * ("": that is not known), and forget it of units without a result. */
int tools_note(const struct run *r, const char *digest, struct err *e);

#endif
