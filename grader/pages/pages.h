/*
 * pages.h - the feedback of a whole class as files: for each student a directory with feedback.txt,
 * feedback.html and feedback.json, and index.html for the instructor.
 *
 * Each page is one file that needs nothing else. A student's files contain nothing of another
 * student.
 */
#ifndef PAGES_PAGES_H
#define PAGES_PAGES_H

#include "pages/leaderboard.h"
#include "report/score.h"
#include "report/similar_sources.h"
#include "rundir/results.h"

struct pages_request {
    const char *dir;                       /* made if it is missing; files in it are replaced */
    const struct leaderboard *leaderboard; /* NULL: none */
    const struct similar_list *similar;    /* pairs of similar sources */
};

struct pages_written {
    unsigned students;
    struct err no_pictures; /* why the pages have no pictures; kind ERR_NONE: they have */
};

int pages_write(const struct run *r, const struct results *res, const struct scoreboard *b,
                const struct pages_request *q, struct pages_written *w, struct err *e);

#endif
