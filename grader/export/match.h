/*
 * match.h - which row of a gradebook is which student of a run. Pure.
 *
 * One column of the gradebook is compared with one column that the run knows (id, name, and those
 * of the roster): the pair by which most students are found, each exactly once. So a name, which
 * two students may share, is used only where no id fits better.
 */
#ifndef EXPORT_MATCH_H
#define EXPORT_MATCH_H

#include <stddef.h>

#include "export/gradebook.h"

/* What the run knows, as a table. */
struct known_students {
    const char *const *column; /* headings; the better ones first */
    size_t columns;
    const char *const *field; /* students x columns */
    size_t students;
};

struct match {
    int gradebook_column, known_column; /* that were compared; -1: no student was found */
    size_t found;                       /* students */
    long long *student_of_row;          /* of each row of the gradebook; -1: none */
};

/* The caller frees out->student_of_row. */
void match_students(const struct gradebook *g, const struct known_students *k, struct match *out);

#endif
