/*
 * vectors.h - the vector arithmetic in the machine code of a built library.
 *
 * All code that the loader would map is examined, not only what the kernel calls. So a student can
 * add instructions that never run. The result is evidence for a person, and no point depends on it.
 */
#ifndef BUILD_VECTORS_H
#define BUILD_VECTORS_H

#include <stdbool.h>

enum { VECTORS_MOST = 24, VECTOR_NAME = 24, TILE_BITS = 8192 };

/* One kind of instruction with registers of one width. */
struct vector_instruction {
    char name[VECTOR_NAME]; /* "vpmulld" */
    int bits;               /* 128, 256, 512, TILE_BITS */
    unsigned count;
};

struct vector_list {
    struct vector_instruction item[VECTORS_MOST];
    unsigned count; /* entries of item[] */
};

struct vectors {
    bool known;                  /* all code could be read; otherwise nothing else is set */
    struct vector_list multiply; /* packed multiplications, also those that add the products */
    struct vector_list add;      /* packed additions and subtractions */
};

/* Examine a library. The result is not known when the file cannot be read, is not for x86-64, or
 * takes too long. */
void vectors_find(const char *library, struct vectors *v);

#endif
