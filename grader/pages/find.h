/* find.h - what pages look up in a run, its results and its scores. */
#ifndef PAGES_FIND_H
#define PAGES_FIND_H

#include "pages/picture.h"
#include "report/score.h"
#include "rundir/results.h"

/* What every page is made from. */
struct source {
    const struct run *run;
    const struct results *results;
    const struct scoreboard *board;
    const struct pictures *pictures;
    const json_t *receipts; /* report/receipt.h; NULL: there are none */
};

/* The result of a unit, or NULL. */
const struct unit_result *find_result(const struct source *s, int unit);
bool find_passed(const struct source *s, int unit);
/* The size at which most tiers that passed have a time; of several, the one with the most
 * operations. False: nothing was timed. submission: -1: of all. */
bool find_ladder_size(const struct source *s, int submission, struct shape *size);

/* The strong scaling of a unit at the largest size at which it ran with more than one worker: the
 * best speed for each number of workers, ascending, on one node or over several. Returns how many,
 * at most `most`; 0: none. */
size_t find_scaling(const struct source *s, int unit, bool over_nodes, const struct speed **out,
                    size_t most);

#endif
