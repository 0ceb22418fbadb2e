/* separation.h - does a number tell the cases that fail from those that pass? */
#ifndef MODEL_SEPARATION_H
#define MODEL_SEPARATION_H

#include <stdbool.h>
#include <stddef.h>

/* A case: a size, a number that the function gets, or how many threads it had. */
struct tried_number {
    long long number;
    bool failed;
};

/* What all cases that fail have in common, and so many others do not. */
enum separation_kind { SEPARATION_NONE, SEPARATION_LEAST, SEPARATION_MOST, SEPARATION_ODD };

struct separation {
    enum separation_kind kind;
    long long bound; /* LEAST: of those that fail, the least; MOST: the largest */
    size_t failed, passed;
    double chance; /* that so many others happen to be different */
};

/* The least likely one. Pure. */
struct separation separation_find(const struct tried_number *tried, size_t n);

/* "in every case that fails (61), steps is 2 or more; where it is less, all pass (15)". The caller
 * frees it. */
char *separation_text(const struct separation *s, const char *name);

#endif
