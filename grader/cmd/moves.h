/*
 * moves.h - whose verdicts and points have changed, after a run was regraded or rescored.
 */
#ifndef CMD_MOVES_H
#define CMD_MOVES_H

#include <stdio.h>

#include "report/score.h"

/* What was given for units and submissions: by id. */
struct standing {
    char *unit; /* NULL: a whole submission */
    char *submission;
    char *tier;
    char verdict[32]; /* "-": none */
    double points, max_points;
    double late_penalty; /* of a whole submission */
    bool counted;
};

struct standings {
    struct standing *item;
    size_t count;
};

/* The present state of a run, without the reference. Free it with standings_free(). */
void standings_take(const struct run *r, struct standings *out);
/* Leave out what is not known before units have run: those without a result in `is`, and the totals
 * of their submissions. */
void standings_keep_known(struct standings *was, struct standings *is);
void standings_free(struct standings *s);

/* A table with a line for each submission that differs, and a line that counts the submissions that
 * move. */
void moves_print(const struct standings *was, const struct standings *is, FILE *f);

#endif
