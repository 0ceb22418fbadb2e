/*
 * class_gradebook.h - who is in the class, by a gradebook of the platform: the real names of those
 * who handed in, and those who handed in nothing.
 */
#ifndef IMPORT_CLASS_GRADEBOOK_H
#define IMPORT_CLASS_GRADEBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/attempt.h"

/* A student of the gradebook. */
struct enrolled {
    long long student; /* index of the student whose attempt was imported; -1: nothing handed in */
    bool unclear;      /* -1 as well, but the name is that of somebody who handed in */
    char *name;        /* "Anna Jones" */
    char *email;       /* "" if the gradebook has none */
    char *platform_id; /* as in the names of attempts; "" if the gradebook does not tell */
    char *key;         /* of the column `key` */
    bool timed;        /* the gradebook says when the submission was changed last */
    int64_t submitted; /* seconds since 1970 */
    char *id;          /* what the submission of somebody without an attempt is called */
};

struct class_gradebook {
    struct enrolled *item;
    size_t count;
    char *key; /* a column of ids, where nothing else ties roster and gradebook together; or NULL */
    char *not_a_time; /* the first time that is written in another way; NULL: there is none */
    bool *unclear;    /* of each student who handed in: whose name does not say who that is */
};

struct class_gradebook_request {
    const char *path;
    const char *roster; /* of an earlier import, with what somebody has added; need not exist */
    const struct attempt *const *attempt; /* of each student, the one that was imported */
    size_t students;
};

/* Read the gradebook and find the imported students in it. To be freed with class_gradebook_free(),
 * also after an error: a file cannot be read, has no column of names, has none of the students, or
 * two of its columns say that a row is two students. */
int class_gradebook_read(const struct class_gradebook_request *q, struct class_gradebook *out,
                         struct err *e);
void class_gradebook_free(struct class_gradebook *c);

#endif
