/*
 * contact.h - how often Slurm is asked: at most every submit.poll_ms, and less and less often while
 * it does not answer.
 */
#ifndef SLURM_CONTACT_H
#define SLURM_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/term.h"
#include "slurm/call.h"

struct slurm_contact {
    int64_t poll_ms;     /* between two questions */
    bool answered;       /* once at least */
    bool silent;         /* at the last question */
    unsigned silences;   /* questions in a row without an answer */
    uint64_t next_query; /* moment of the next question */
};

/* How a question went: sets the moment of the next one, and tells people when Slurm falls silent or
 * answers again. `why` is Slurm's word about its silence. */
void contact_heard(struct slurm_contact *c, enum slurm_answer a, const char *why,
                   struct progress *progress);

/* Moments of the monotonic clock, in ns. */
uint64_t moment_in_ms(int64_t ms);
bool moment_passed(uint64_t when);

#endif
