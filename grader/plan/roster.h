/*
 * roster.h - who is in the class: which directories count, and in which order.
 */
#ifndef PLAN_ROSTER_H
#define PLAN_ROSTER_H

#include <stddef.h>

#include "base/err.h"

struct student {
    char *directory; /* name of the submission directory */
    char *name;      /* the directory's name when the file has none */
    char **field;    /* of each column of the roster, as it is */
};

struct roster {
    struct student *student; /* in the file's order */
    size_t count;
    char **column; /* headings of all columns but `name`, without blanks around them */
    size_t columns;
};

/* Read a CSV file whose column `submission` names the directories; without one, `id`; without
 * that, `name`. Beside one of the first two, `name` holds the name of the student. Columns without
 * a heading are ignored. Refuses, with file and line: no such column, an empty or repeated entry,
 * an entry that cannot be a directory name, text that is not UTF-8, no students. */
int roster_load(const char *path, struct roster *out, struct err *e);
void roster_free(struct roster *r);

#endif
