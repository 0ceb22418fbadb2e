/*
 * feedback.h - the sentences of a student's report, for the terminal (student.c) and for pages
 * (grader/pages). The caller frees each string.
 */
#ifndef REPORT_FEEDBACK_H
#define REPORT_FEEDBACK_H

#include "report/score.h"
#include "rundir/results.h"

/* The command that runs a failed case again. run_name: by which it names the run. */
char *feedback_replay(const struct unit_result *u, const struct case_result *c,
                      const char *run_name);

/* How many cases failed, and the shapes of the first ones: often the list alone shows the mistake.
 */
char *feedback_failed_cases(const struct run *r, const struct unit_result *u);

/* What a unit earns: "12.5 of 20 points"; "" in a partial check, or if it gives none. */
char *feedback_points(const struct unit_score *s, const struct subset *only);

/* Why a submission gets other points than its results are worth: that it came late, and what a
 * person decided, with the reasons. One text each; the caller frees them with texts_free(). */
unsigned feedback_adjustments(const struct run *r, const struct scoreboard *b, unsigned submission,
                              char ***texts);

/* "(1x9x1, small values, 2 threads): C[0][1]: expected ...": the smallest case that fails. "":
 * there is none, or the message of the unit is about it. */
char *feedback_smallest(const struct run *r, unsigned unit, const struct unit_result *u);

/* "speedup 12.0: +2.0 points": the next point of a curve with which this launch would give more
 * points than the best launch at this size does now; "" when there is none. s: one of b. */
char *feedback_next(const struct run *r, const struct scoreboard *b, const struct speed *s);

/* The remarks on a unit, one text each; the caller frees them with texts_free(). */
unsigned feedback_remarks(const struct unit_result *u, char ***texts);

/* What the starts of launches over nodes differ by, where they agree on one node: "starts of 2
 * ranks on 2 nodes differ by 17 % at size 512: the network or placement"; "": nothing to tell. */
char *feedback_network(const struct run *r, unsigned unit, const struct unit_result *u);

/* Which launches have no times, because they need more cores, and what to do; "": none. */
char *feedback_not_timed(const struct run *r, unsigned unit, const struct unit_result *u);

/* "Total: 31.0 of 64 points, 2 passed, 1 failed, 4 missing, 12 s", and why there may be more: the
 * last line of a report. Without points where there are none. seconds: that it took; 0: not told.
 * The caller frees it. */
char *feedback_total(const struct run *r, const struct results *res, const struct scoreboard *b,
                     unsigned submission, double seconds);

/* Where the last `most` lines of a text begin. */
const char *feedback_last_lines(const char *text, int most);

#endif
