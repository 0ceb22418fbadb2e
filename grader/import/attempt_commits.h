/*
 * attempt_commits.h - when attempts in clones of repositories (GitHub Classroom) were handed in.
 */
#ifndef IMPORT_ATTEMPT_COMMITS_H
#define IMPORT_ATTEMPT_COMMITS_H

#include "import/attempt.h"

/* Fill in repository, commit and time of the attempts from `first` on: of the last commit, or of
 * the last one before the deadline. What cannot be found out is a remark. */
int attempt_commits_read(struct attempts *out, size_t first, const struct attempt_request *q,
                         struct remarks *r, struct err *e);

#endif
