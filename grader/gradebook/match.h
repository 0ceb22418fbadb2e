/*
 * match.h - which row of a gradebook is which student of a run. Pure.
 *
 * A key is a column of the gradebook and a column that the run knows (those of the roster, the
 * submission, the name), in which the same values stand, each once. Ids and e-mail addresses come
 * before words, and words before names, which two people may share or have in turn. Of the same
 * kind, the key that finds more students comes first. Rows that it does not find may be found by a
 * key that contradicts nothing.
 */
#ifndef GRADEBOOK_MATCH_H
#define GRADEBOOK_MATCH_H

#include <stddef.h>

#include "gradebook/gradebook.h"

/* What the run knows, as a table. */
struct known_students {
    const char *const *column; /* headings; the better ones first */
    size_t columns;
    const char *const *field; /* students x columns */
    size_t students;
};

struct match_key {
    int gradebook_column, known_column;
};

struct match {
    struct match_key *key; /* those by which rows were found; the first one found the most */
    size_t keys;
    long long *student_of_row; /* of each row of the gradebook; -1: none */
    size_t *key_of_row;        /* where there is a student */
    /* Two equally good keys say that a row is two students. */
    struct match_conflict {
        size_t row;
        struct match_key key[2];
        size_t student[2];
    } conflict;
};

/* Column `filled` of the gradebook is no key. Returns 0, or -1: there is a conflict. The caller
 * frees *out with match_free(). */
int match_students(const struct gradebook *g, const struct known_students *k, int filled,
                   struct match *out);
void match_free(struct match *m);

#endif
