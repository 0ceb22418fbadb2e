/*
 * adjust.h - from what results are worth to what is given: penalties for late submissions, and what
 * a person decided (rundir/overrides.h). Pure.
 */
#ifndef REPORT_ADJUST_H
#define REPORT_ADJUST_H

#include "report/score.h"

/* When a submission was handed in, as far as the assignment counts it; PLAN_NO_TIME: not known. */
int64_t adjust_submitted(const struct run *r, unsigned submission);
/* How many seconds after its own deadline; 0: in time, within the grace, not known, or there is no
 * deadline. */
int64_t adjust_late(const struct run *r, unsigned submission);

/* s->late_penalty and s->points from s->scored. Points that a person gave make a unit count, and
 * have no late penalty. */
void adjust_unit(const struct run *r, unsigned unit, int64_t late_s, struct unit_score *s);
/* By how many points better work would be worth more. Points that a person set do not grow. */
double adjust_open(const struct run *r, unsigned unit, const struct scoreboard *b);
/* The sum of the units is there already. */
void adjust_submission(const struct run *r, unsigned submission, struct submission_score *s);

/* What was decided about a unit, or with unit -1 about a submission, in words: "8 points: mail of
 * 3 December"; "" if nothing. The caller frees it. */
char *adjust_text(const struct run *r, int submission, int unit);

#endif
