/*
 * class_match.h - who in a gradebook is who of those who handed in: by ids, e-mail addresses and
 * columns of the roster, else by whole names.
 */
#ifndef IMPORT_CLASS_MATCH_H
#define IMPORT_CLASS_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/csv.h"
#include "gradebook/gradebook.h"
#include "gradebook/match.h"
#include "import/attempt.h"

struct class_match {
    const struct gradebook *book;
    const struct attempt *const *attempt; /* of each student */
    size_t students;
    /* Columns of the gradebook; -1: there is none. modified: when somebody handed in. ids: the
     * first one that has an id for each row, which no other row has. */
    int name, first, last, email, modified, ids;
    const char **column, **field; /* what is known: headings; students x columns */
    size_t columns;               /* the last one is the name */
    struct match found;
    /* Of each row and each student: the name fits, but not only one row and one student have it. */
    bool *unclear_row, *unclear_student;
};

/* Find the columns of names. Returns 0, or -1 with e: there are none. `path` is for messages, here
 * and below. The book and the attempts must live as long as *m. To be freed with
 * class_match_free(), also after an error. */
int class_match_open(const struct gradebook *book, const char *path,
                     const struct attempt *const *attempt, size_t students, struct class_match *m,
                     struct err *e);
/* Find the students. `roster` is that of an earlier import, with what somebody has added; it has no
 * rows if there is none. Returns -1 with e if two columns say that a row is two students. */
int class_match_find(struct class_match *m, const char *path, const struct csv_table *roster,
                     struct err *e);
void class_match_free(struct class_match *m);

/* Is the row a student's? Canvas has rows with the maximum and other things, without an id. */
bool class_match_is_student(const struct class_match *m, size_t row);
const char *class_match_cell(const struct class_match *m, size_t row, int column);
/* "Anna Jones", also of "Jones, Anna". The caller frees it. */
char *class_match_name(const struct class_match *m, size_t row);
/* "jonesanna", as Canvas writes "Anna Jones". The caller frees it. */
char *class_match_turned(const struct class_match *m, size_t row);
/* The key by which students were found that is a platform's id; NULL: there is none. */
const struct match_key *class_match_platform_key(const struct class_match *m);

#endif
