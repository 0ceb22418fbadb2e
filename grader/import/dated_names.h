/*
 * dated_names.h - names of platforms that put the time of the attempt into them. Pure.
 *
 *   Blackboard    Lab3_s1001_attempt_2024-03-12-10-11-12_naive.c    and ....txt about the attempt
 *   Brightspace   90210-73001 - Ada Berg - Mar 12, 2024 1011 AM/naive.c, or "... AM - naive.c"
 *
 * The times have no offset: they are taken for local times of this machine.
 */
#ifndef IMPORT_DATED_NAMES_H
#define IMPORT_DATED_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "import/scheme.h"

/* The length of "Lab3_s1001"; 0: the path is not named so. Both parts may contain '_'. */
size_t dated_blackboard_head(const char *path);
/* prefix: "Lab3_" */
bool dated_read_blackboard(const char *path, const char *prefix, struct handed_in *out);
bool dated_read_brightspace(const char *path, struct handed_in *out);

#endif
