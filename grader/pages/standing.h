/*
 * standing.h - where the class is, so that a student's page can say it and nobody can be found in
 * it: shares of the class and rounded numbers, and only of a class that is large enough.
 */
#ifndef PAGES_STANDING_H
#define PAGES_STANDING_H

#include "pages/find.h"

enum { STANDING_LEAST = 10, STANDING_BANDS = 5 };

struct standing_tier {
    unsigned tier;
    unsigned handed_in; /* submissions with a result other than missing, skipped, infra-error */
    unsigned passed;
    /* The middle half of the speed-ups at the size of the ladder, of at least STANDING_LEAST
     * submissions, with one digit; NAN: too few. */
    double low, high;
};

struct standing {
    unsigned submissions;          /* without the reference */
    unsigned band[STANDING_BANDS]; /* submissions by their share of the points: 0-20 %, ... */
    struct shape size;             /* of the speed-ups */
    struct standing_tier *tier;    /* tiers that are in the run */
    unsigned tiers;
};

/* The caller frees it with standing_free(). */
void standing_make(const struct source *s, struct standing *out);
void standing_free(struct standing *st);
/* May pages show it? */
bool standing_is_anonymous(const struct standing *st);
/* The band of so many points of so many; -1: no points could be earned. */
int standing_band(double points, double most);
/* How many submissions are in each band. here: the band of the reader, or -1. */
struct term_table *standing_bands(const struct standing *st, int here);

#endif
