/*
 * random.h - random numbers of the system, which nobody can predict: for keys, names and values
 * that student code must not guess. (rng.h has numbers that can be made again.)
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* There is no error to handle: if the system has no random numbers, the program says so and aborts,
 * as it does without memory. Grading with numbers that can be guessed would be worse. */
void random_bytes(void *out, size_t n);
uint64_t random_word(void);

#endif
