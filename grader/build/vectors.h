/*
 * vectors.h - the vector multiplications in the machine code of a built library.
 *
 * Looked at is everything that the loader would map as code, not only what the kernel calls: who
 * wants to be counted can add instructions that never run. That is for the reader of the evidence,
 * as is everything here; no point depends on it.
 */
#ifndef BUILD_VECTORS_H
#define BUILD_VECTORS_H

#include <stdbool.h>

enum { VECTORS_MOST = 24, VECTOR_NAME = 24 };

/* One instruction on registers of one width. */
struct vector_multiply {
    char name[VECTOR_NAME]; /* "vpmulld" */
    int bits;               /* 128, 256, 512 */
    unsigned count;
};

struct vectors {
    bool known; /* all of the code could be read; else nothing else is set */
    struct vector_multiply multiply[VECTORS_MOST];
    unsigned multiplies; /* entries of the list */
    unsigned adds;       /* packed integer additions, all together */
};

/* Look at a library. What cannot be read, takes too long or is not for x86-64 is not known. */
void vectors_find(const char *library, struct vectors *v);

#endif
