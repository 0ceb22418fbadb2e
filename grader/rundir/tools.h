/* tools.h - which programs grade: this one's version and the contents of its helpers. */
#ifndef RUNDIR_TOOLS_H
#define RUNDIR_TOOLS_H

#include <jansson.h>

/* {"paragrade": version, "proctor": SHA-256, "driver-cpu": SHA-256, ...} as installed now; never
 * NULL. */
json_t *tools_json(void);

#endif
