/*
 * prototype.h - the C prototype of a function that students define, as text:
 *
 *     T dot(int n, const T *x, const T *y)
 *
 * T stands for a type that is chosen later.
 */
#ifndef KERNEL_PROTOTYPE_H
#define KERNEL_PROTOTYPE_H

#include <stdbool.h>

#include "base/err.h"
#include "kernel/values.h"

enum { PROTOTYPE_PARAMETERS = 20, PROTOTYPE_NAME = 32 };

struct prototype_type {
    bool is_void; /* of a result only */
    bool is_t;    /* T */
    enum element_type type;
};

struct parameter {
    char name[PROTOTYPE_NAME];
    struct prototype_type type;
    bool pointer;
    bool constant; /* const T *: what it points to is only read */
};

struct prototype {
    char name[PROTOTYPE_NAME];
    struct prototype_type result;
    struct parameter parameter[PROTOTYPE_PARAMETERS];
    int parameters;
};

/* 0, or -1 with the reason. Names are C identifiers, and each is there once. */
int prototype_read(const char *text, struct prototype *p, struct err *e);

#endif
