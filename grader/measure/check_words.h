/* check_words.h - what the check of an exercise says, as students read it. */
#ifndef MEASURE_CHECK_WORDS_H
#define MEASURE_CHECK_WORDS_H

/* One line of printable characters, without blanks at its ends. Addresses are left out: they differ
 * from run to run, and tell students nothing. */
void check_words_clean(char *text);

/* How its process ended, from the message of a student's process: without an address, and without
 * advice, which would be for those who wrote the check. */
void check_words_of_end(char *text);

#endif
