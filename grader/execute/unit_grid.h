/*
 * unit_grid.h - the units of a run as people see them while it goes on: submissions x tiers. Only
 * told to people: nothing depends on it.
 */
#ifndef EXECUTE_UNIT_GRID_H
#define EXECUTE_UNIT_GRID_H

#include <stdio.h>

#include "base/strbuf.h"
#include "execute/unit_state.h"
#include "rundir/run.h"

struct unit_grid {
    const struct plan *plan;
    const struct assignment *assignment;
    struct unit_now *unit; /* of the plan */
};

/* All units are done earlier, except those whose verdict the plan knows, and these ones. */
void unit_grid_init(struct unit_grid *g, const struct run *r, const int *units, unsigned count);
void unit_grid_free(struct unit_grid *g);

/* Add the picture to `out`: whole lines, at most `lines`, none wider than `columns`. With words if
 * they fit; else with one character for each unit; else with the numbers of each tier. Nothing if
 * even these do not fit. f: says whether there is colour. */
void unit_grid_draw(const struct unit_grid *g, FILE *f, int columns, int lines, struct strbuf *out);

#endif
