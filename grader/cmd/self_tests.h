/*
 * self_tests.h - the runs of `paragrade check`: where they are, which go away, and what the last
 * ones of a submission say.
 */
#ifndef CMD_SELF_TESTS_H
#define CMD_SELF_TESTS_H

#include "base/err.h"

/* The directory of this user's self-tests, made if it is not there. 0 with *out, which the caller
 * frees; -1: it cannot be made, or others can access it. */
int self_tests_directory(char **out, struct err *e);
/* Remove all runs there but the newest (LOCATE_SELFTESTS_KEPT), and those that say last that a tier
 * of the submission fails; never the run `mine`: after the clock was set back, it may seem to be
 * the oldest. Hidden ones are being made. */
void self_tests_remove_old(const char *dir, const char *mine, const char *submission);

/* The assignment of the last self-test of the submission in this directory, which is absolute.
 * NULL: there is none, or its file is gone. The caller frees it. */
char *self_tests_assignment(const char *submission);

/* The tiers of the submission that failed when they were checked last. Missing ones did not fail.
 * *names: to be freed with texts_free(). Returns how many. */
unsigned self_tests_failed(const char *submission, char ***names);

#endif
