/*
 * unit_grid.h - the units of a run as people see them while it goes on: submissions x tiers. Only
 * told to people: nothing depends on it.
 */
#ifndef EXECUTE_UNIT_GRID_H
#define EXECUTE_UNIT_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "rundir/run.h"

/* The last three have ended. */
enum unit_phase {
    PHASE_TO_DO,
    PHASE_QUEUED,
    PHASE_WAITS, /* for its turn, or for other runs */
    PHASE_BUILDS,
    PHASE_MEASURES_NODE,
    PHASE_CHECKS,
    PHASE_TIMED,
    PHASE_RUNS, /* it is not known more exactly */
    PHASE_NO_VERDICT,
    PHASE_EARLIER, /* done before this command began */
    PHASE_DONE,
    PHASE_COUNT
};

struct unit_now {
    enum unit_phase phase;
    enum verdict verdict; /* PHASE_DONE */
};

struct unit_grid {
    const struct plan *plan;
    const struct assignment *assignment;
    struct unit_now *unit; /* of the plan */
};

/* All units are done earlier, except those whose verdict the plan knows, and these ones. */
void unit_grid_init(struct unit_grid *g, const struct run *r, const int *units, unsigned count);
void unit_grid_free(struct unit_grid *g);

/* The phase that the words of a proctor mean (rundir/stage.h); "" or unknown words: it runs. */
enum unit_phase unit_phase_of_stage(const char *words);
/* One word for JSON and tables: the verdict of a unit that is done. */
const char *unit_now_name(struct unit_now now);

/* Add the picture to `out`: whole lines, at most `lines`, none wider than `columns`. With words if
 * they fit; else with one character for each unit; else with the numbers of each tier. Nothing if
 * even these do not fit. f: says whether there is colour. */
void unit_grid_draw(const struct unit_grid *g, FILE *f, int columns, int lines, struct strbuf *out);

#endif
