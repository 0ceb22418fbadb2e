/*
 * roster.h - who is in the class: which directories count, and in which order.
 */
#ifndef PLAN_ROSTER_H
#define PLAN_ROSTER_H

#include <stddef.h>

#include "base/err.h"

struct roster {
    char **directory; /* name of each student's submission directory, in the file's order */
    char **name;      /* of each student; the directory's name when the file has none */
    size_t count;
};

/* Read a CSV file whose column `submission` names the directories; without one, `id`; without
 * that, `name`. Beside one of the first two, `name` holds the name of the student. Other columns
 * are ignored. Refuses, with file and line: no such column, an empty or repeated entry,
 * an entry that cannot be a directory name, no students. */
int roster_load(const char *path, struct roster *out, struct err *e);
void roster_free(struct roster *r);

#endif
