/*
 * similar_sources.h - which submissions of a run have sources that resemble each other, tier by
 * tier: the rows of similarity.csv. Each tier's source, with the further sources and headers that
 * it is compiled with, is compared with those of all other submissions.
 */
#ifndef REPORT_SIMILAR_SOURCES_H
#define REPORT_SIMILAR_SOURCES_H

#include <stddef.h>

#include "model/similarity.h"
#include "rundir/run.h"

struct similar_row {
    int unit[2]; /* indices in the plan */
    enum similarity_kind kind;
    unsigned tokens; /* that both have */
    double share[2]; /* the same over the tokens of each that are its own */
    char *places;    /* "simd.c:10-42=simd.c:8-40", the longest first, up to some number */
};

struct similar_list {
    struct similar_row *row;
    size_t count;
};

/* All pairs of a run, in the order of its tiers. The caller frees them with similar_rows_free().
 * Sources that cannot be read are left out: `verify` says what is damaged. */
size_t similar_rows(const struct run *r, struct similar_row **rows);
void similar_rows_free(struct similar_row *rows, size_t n);

#endif
