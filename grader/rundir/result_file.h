/*
 * result_file.h - the result of a unit as one JSON file.
 *
 * It is published once: the first writer wins. Reading is strict. A field that is missing or of the
 * wrong type is an error that names file and field, so that no grade is made from a file that is
 * half-written or was edited.
 */
#ifndef RUNDIR_RESULT_FILE_H
#define RUNDIR_RESULT_FILE_H

#include "base/err.h"
#include "model/result.h"

/* 0: written; 1: there is a file already, which stays; -1: error. */
int unit_result_publish(const struct unit_result *r, const char *path, struct err *e);
/* *out is the caller's; NULL after an error. */
int unit_result_load(const char *path, struct unit_result **out, struct err *e);

/* What the name of a replay's result gets at its end, for the file with its numbers. */
#define REPLAY_NUMBERS ".numbers"

#endif
