/* tier_lacks.h - what a machine lacks to build and run the units of a tier. */
#ifndef MODEL_TIER_LACKS_H
#define MODEL_TIER_LACKS_H

#include "model/assignment.h"

/* Each as one line, which the caller frees; NULL: nothing. */
char *tier_lacks_driver(const struct tier *t);   /* the installation does */
char *tier_lacks_to_build(const struct tier *t); /* the driver, or a requirement */
char *tier_lacks_to_run(const struct tier *t);   /* or one that is needed only then */

#endif
