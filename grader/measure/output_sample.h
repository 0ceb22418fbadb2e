/*
 * output_sample.h - is the output still written after a run?
 *
 * The processes of a driver can be halted; what it left running on a device cannot. A kernel that
 * writes to the host's memory could go on after the driver said DONE, ahead of the comparison,
 * which reads from the first row on. So some thousand elements are read right after the run, at
 * places that nobody can predict, and once more after the comparison. If one of them has changed,
 * the output was not finished. A kernel that has 1 % still to write at DONE is found with certainty
 * (1 - 0.99^4096).
 */
#ifndef MEASURE_OUTPUT_SAMPLE_H
#define MEASURE_OUTPUT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/arena.h"

enum { OUTPUT_SAMPLE = 4096 };

struct output_sample {
    uint64_t key;
    unsigned reps;
    uint32_t word[OUTPUT_SAMPLE];
};

/* Read words of the outputs of `reps` problems. key: random. */
void output_sample_take(struct output_sample *s, const struct arena *a, unsigned reps,
                        uint64_t key);

/* Are all of them as they were? */
bool output_sample_same(const struct output_sample *s, const struct arena *a);

#endif
