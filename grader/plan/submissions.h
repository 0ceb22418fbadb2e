/*
 * submissions.h - which directories are submissions, and under which names they are known.
 */
#ifndef PLAN_SUBMISSIONS_H
#define PLAN_SUBMISSIONS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/assignment.h"

struct found {
    char *name;
    char *path;         /* absolute */
    const char *source; /* a source of any tier in it; NULL: none. Not to be freed */
    unsigned inner;     /* directories in it that hold sources as well, if its own path was given */
    dev_t dev;
    ino_t ino;
};

struct found_list {
    struct found *item;
    size_t count;
    char *container;      /* the first directory of submissions; NULL when none was given */
    struct strbuf *notes; /* what was left out, for people; borrowed; NULL: not wanted */
};

/* Each path is a submission when it holds at least one source file of any tier; else it stands for
 * the directories in it (hidden ones are left out, and links that others than the owner of their
 * target put there, or that students made to a directory beside them). A directory that is given
 * twice counts once; with two names it is an error. `l` has only its notes set. To be freed with
 * found_free(), after an error, too. */
int find_submissions(char *const *paths, size_t count, const struct assignment *a,
                     struct found_list *l, struct err *e);
void found_free(struct found_list *l);

#endif
