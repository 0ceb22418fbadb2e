/*
 * leaderboard.h - who wants to be on the leaderboard, and under which pseudonym. The others are not
 * on it.
 *
 * A CSV file with the columns `submission` (its id, as in grades.csv) and `pseudonym`. A row
 * without a pseudonym is the same as no row.
 */
#ifndef PAGES_LEADERBOARD_H
#define PAGES_LEADERBOARD_H

#include "pages/find.h"

enum { PSEUDONYM_MOST = 40 }; /* characters */

struct leaderboard {
    char **pseudonym; /* per submission of the plan; NULL: not on the leaderboard */
    unsigned count;
};

/* Read the file and compare it with the plan. An error names file, line and field. */
int leaderboard_read(const char *path, const struct plan *p, struct leaderboard *out,
                     struct err *e);
void leaderboard_free(struct leaderboard *l);

/* Write DIR/leaderboard.html and DIR/leaderboard.csv. (leaderboard_page.c) */
int leaderboard_write(const struct source *s, const struct leaderboard *l, const char *dir,
                      struct err *e);

#endif
