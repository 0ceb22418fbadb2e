/*
 * vectors.h - the vector multiplications in the machine code of a built library.
 *
 * All code that the loader would map is examined, not only what the kernel calls. So a student can
 * add instructions that never run. The result is evidence for a person, and no point depends on it.
 */
#ifndef BUILD_VECTORS_H
#define BUILD_VECTORS_H

#include <stdbool.h>

enum { VECTORS_MOST = 24, VECTOR_NAME = 24 };

/* One kind of instruction with registers of one width. */
struct vector_multiply {
    char name[VECTOR_NAME]; /* "vpmulld" */
    int bits;               /* 128, 256, 512 */
    unsigned count;
};

struct vectors {
    bool known; /* all code could be read; otherwise nothing else is set */
    struct vector_multiply multiply[VECTORS_MOST];
    unsigned multiplies; /* entries of multiply[] */
    unsigned adds;       /* packed integer additions, all together */
};

/* Examine a library. The result is not known when the file cannot be read, is not for x86-64, or
 * takes too long. */
void vectors_find(const char *library, struct vectors *v);

#endif
