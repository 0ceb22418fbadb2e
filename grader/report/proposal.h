/*
 * proposal.h - what a run of the reference says about the policy of an assignment: curves for the
 * points of speed, and the time that a class takes.
 */
#ifndef REPORT_PROPOSAL_H
#define REPORT_PROPOSAL_H

#include <stdio.h>

#include "report/score.h"

/* Print a curve for each rule of points for speed whose size was timed. It starts at the fastest
 * reference tier that is slower than the tier's own reference, pays half in the (geometric) middle,
 * and everything from most of the reference's speed on. */
void proposal_print_curves(const struct run *r, const struct scoreboard *b, FILE *f);

/* Print how long a class of that many students takes on one node, if its programs take as long as
 * the reference. */
void proposal_print_hours(const struct run *r, const struct results *res, int students, FILE *f);

#endif
