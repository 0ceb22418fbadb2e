/* text.h - how numbers, verdicts and names are written in reports. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stats.h"
#include "base/term.h"
#include "model/assignment.h"
#include "model/verdict.h"
#include "rundir/results.h"

enum { TEXT_MOST = 64 };

enum term_style text_verdict_style(enum verdict v);
/* "29.4 ms" */
void text_seconds(double s, char out[TEXT_MOST]);
/* A number or a time that was computed from a measured one: "29.4 ms"; "~29.4 ms" where that one is
 * unconfirmed. "-" when unknown. */
void text_measured(double v, struct interval of, char out[TEXT_MOST]);
void text_measured_seconds(double s, struct interval of, char out[TEXT_MOST]);
/* The same for a share, in percent: "73%", "~73%". */
void text_measured_share(double share, struct interval of, char out[TEXT_MOST]);
/* "7.31 ±0.8%": three digits, and half the width relative to the value. "~40.2 ±63%": unconfirmed;
 * "~40.2 ±>999%" where the interval says nothing. "-" when unknown. */
void text_interval(struct interval i, char out[TEXT_MOST]);
/* Does it, or a number that was computed from it, get "~"? */
bool text_is_rough(struct interval i);
/* Three significant digits without exponent: "0.512", "73.9", "1240". */
void text_number(double v, char out[TEXT_MOST]);
/* The most points that can be had: "10", "2.5", "2.25"; never more than POINTS_DECIMALS decimals.
 */
void text_points_most(double most, char out[TEXT_MOST]);
/* Points with as many decimals as their maximum, but at least one: "7.5" of 10, "2.25" of 2.25.
 * Points that POINTS_DECIMALS show exactly have theirs: "7.25" of 10. */
void text_points(double points, double most, char out[TEXT_MOST]);
/* Both: "7.5 of 10 points", "1.0 of 1 point". */
void text_points_of(double points, double most, char out[TEXT_MOST]);
/* "2 threads", "4 ranks", "2 ranks x 3 threads", "4 ranks on 2 nodes"; "1 thread" for one worker.
 */
void text_launch(const struct tier *t, struct launch l, char out[TEXT_MOST]);
/* Who handed in: "Ada Lovelace (al12)"; only the id if the name is the same, or cannot be printed
 * in one line of UTF-8. The caller frees it. */
char *text_author(const struct submission *s);
/* The name of a run: the last component of its path. */
const char *text_run_name(const struct run *r);

/* The compile command of a unit as the assignment has it: the one that was executed names
 * directories of the grader. */
const char *text_compile_command(const struct run *r, int unit);

/* The submission's id and the tier's name of a plan unit. */
const char *text_submission(const struct run *r, unsigned unit);
const char *text_tier(const struct run *r, unsigned unit);

#endif
