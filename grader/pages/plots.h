/* plots.h - what of a run can be drawn: ladder, scaling, roofline; of a sweep, its points. */
#ifndef PAGES_PLOTS_H
#define PAGES_PLOTS_H

#include "report/chart.h"
#include "report/score.h"

/* Charts of one submission (its index in the plan); of a sweep, of all its units (-1). The caller
 * frees each with chart_free(), and the array. Returns how many; 0: nothing was timed. */
size_t plots_make(const struct run *r, const struct results *res, const struct scoreboard *b,
                  int submission, struct chart **charts);

#endif
