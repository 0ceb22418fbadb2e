/*
 * notes.h - what the executor tells people while it works: progress, and notes.
 */
#ifndef SLURM_NOTES_H
#define SLURM_NOTES_H

#include "base/term.h"

enum { NOTES_MOST = 16 };

struct notes {
    struct progress progress;
    char *text[NOTES_MOST]; /* shown once already */
    unsigned count;
};

/* Show a note, unless the same one has been shown. */
void notes_once(struct notes *n, const char *text);
void notes_free(struct notes *n);

#endif
