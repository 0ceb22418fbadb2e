/* last_words.h - what a library says of the reason when it ends the process. */
#ifndef SUPERVISE_LAST_WORDS_H
#define SUPERVISE_LAST_WORDS_H

#include <stddef.h>

/* From what a program has printed: the exception that nobody caught, with its what(); the assertion
 * that failed; what malloc() or MPI complained of. "" if it is none of these. It is cut between
 * words. Pure. */
void last_words(const char *output, char *out, size_t cap);

/* What last_words() adds where the C library has found damage that was done earlier, maybe in
 * another call: no trial tells its cause. */
#define LAST_WORDS_HEAP                                                                            \
    "something wrote beside a block from malloc, or freed it twice; the damage was found only now"

/* Text on one line, without rulers of dashes, cut between words where it does not fit. Pure. */
void one_line(const char *text, char *out, size_t cap);

#endif
