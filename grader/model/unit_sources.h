/*
 * unit_sources.h - which files in the directory of a submission belong to one tier: those that its
 * compile command is given, and all headers, which every tier may include.
 */
#ifndef MODEL_UNIT_SOURCES_H
#define MODEL_UNIT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "model/assignment.h"

/* At most so many files of a submission are looked at. */
enum { SUBMISSION_FILES_MOST = 2000 };

/* Names relative to the directory. Both lists end with NULL. */
struct unit_sources {
    char **compiled; /* the tier's source, then those that match the tier's `with` */
    char **headers;
};

/* The names of all files of a submission, ended by NULL; the caller frees them (OWNED_TEXTS). */
int unit_sources_list(const char *dir, char ***names, struct err *e);
/* Of these names, those that belong to a tier. */
void unit_sources_among(char *const *names, const struct tier *t, const char *source,
                        struct unit_sources *s);
/* Both in one, for who asks for one tier. */
int unit_sources_find(const char *dir, const struct tier *t, const char *source,
                      struct unit_sources *s, struct err *e);
/* Add a name to the compiled ones. */
void unit_sources_add(struct unit_sources *s, const char *name);
bool unit_sources_have_cxx(const struct unit_sources *s);
void unit_sources_free(struct unit_sources *s);

#endif
