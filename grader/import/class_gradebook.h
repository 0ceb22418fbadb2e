/*
 * class_gradebook.h - who is in the class, by a gradebook of the platform: the real names of those
 * who handed in, and those who handed in nothing.
 */
#ifndef IMPORT_CLASS_GRADEBOOK_H
#define IMPORT_CLASS_GRADEBOOK_H

#include <stddef.h>

#include "import/attempt.h"

/* A student of the gradebook. */
struct enrolled {
    long long student; /* index of the student whose attempt was imported; -1: nothing handed in */
    char *name;        /* "Anna Jones" */
    char *email;       /* "" if the gradebook has none */
    char *platform_id; /* as in the names of attempts; "" if the gradebook does not tell */
    char *id;          /* what the submission of somebody without an attempt is called */
};

struct class_gradebook {
    struct enrolled *item;
    size_t count;
};

/* Read the gradebook and find the imported students in it: attempt[i] is that of student i. To be
 * freed with class_gradebook_free(), also after an error: the file cannot be read, has no column of
 * names, has none of the students, or two of its columns say that a row is two students. */
int class_gradebook_read(const char *path, const struct attempt *const *attempt, size_t students,
                         struct class_gradebook *out, struct err *e);
void class_gradebook_free(struct class_gradebook *c);

#endif
