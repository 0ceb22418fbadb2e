/*
 * class_summary.h - a class on one screen: where it stands, and what its instructor has to look at.
 * Tables for the terminal and for the page of the class.
 */
#ifndef REPORT_CLASS_SUMMARY_H
#define REPORT_CLASS_SUMMARY_H

#include "report/score.h"
#include "rundir/results.h"

struct term_table;

/* Was a source handed in, and could it be judged? */
bool class_was_judged(const struct unit_result *u);
/* Was the unit planned, and is there no verdict on the student's work that counts? */
bool class_undecided(const struct results *res, const struct scoreboard *b, unsigned unit);
/* Each tier: how many handed it in, how many passed, and the most usual verdict of the others.
 * Empty if there is the reference alone. */
struct term_table *class_tiers(const struct run *r, const struct results *res);
/* One row: the points of the lowest, the quarters and the highest. No row in a partial run. */
struct term_table *class_points(const struct run *r, const struct scoreboard *b);
/* Who handed in nothing, who is late, what is flagged, undecided or decided by a person: how many,
 * and the first few names. similar: pairs of sources that resemble each other. */
struct term_table *class_attention(const struct run *r, const struct results *res,
                                   const struct scoreboard *b, size_t similar);

#endif
