/* start_note.h - which assignment a directory of `paragrade start` is for.
 *
 * The file .paragrade in it holds the path. Only self-tests read it: grading has an assignment of
 * its own. */
#ifndef CMD_START_NOTE_H
#define CMD_START_NOTE_H

#include "base/err.h"

/* An older note is replaced. */
int start_note_write(const char *dir, const char *assignment, struct err *e);

/* The path, if that file is still there; else NULL. The caller frees it. */
char *start_note_read(const char *dir);

#endif
