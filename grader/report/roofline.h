/*
 * roofline.h - the rooflines of a run: each speed under the ceilings of the node where it was
 * measured. model/roofline.h has the model.
 */
#ifndef REPORT_ROOFLINE_H
#define REPORT_ROOFLINE_H

#include "base/strbuf.h"
#include "model/roofline.h"
#include "report/score.h"
#include "rundir/results.h"

/* The bandwidths with which the assignment wants a speed's rooflines: of the host or of a GPU. */
const struct bandwidths *roofline_bandwidths(const struct run *r, const struct results *res,
                                             const struct speed *s);

/* The record with the ceilings of what computed. NULL: there is none, for example because the unit
 * ran on the host and its yardstick on a GPU. */
const struct node_record *roofline_node(const struct results *res, const struct unit_result *u);

/* gbs: one of these bandwidths. Unknown ceilings make the roof unknown. */
struct roofline roofline_speed(const struct run *r, const struct results *res,
                               const struct speed *s, double gbs);

/* The speed of a unit that says most: of the fastest launch at the size with the most operations.
 * NULL: nothing was timed. */
const struct speed *roofline_pick(const struct run *r, const struct scoreboard *b, int unit);

/* What bounds a speed, with the first bandwidth, and what to try next; "" when that is unknown. */
void roofline_text(const struct run *r, const struct results *res, const struct speed *s,
                   char out[ROOFLINE_TEXT]);

/* Draw the rooflines into a new SVG file, with gnuplot: of one submission (its index in the plan),
 * or of all (-1). An existing file is replaced. 0, or -1 with the reason, for example that gnuplot
 * is missing, or that nothing was timed (roofline_picture.c). */
int roofline_picture(const struct run *r, const struct results *res, const struct scoreboard *b,
                     int submission, const char *path, struct err *e);

/* Append the script that draws the same for a page: smaller, without title and legend. False: there
 * is nothing to draw. */
bool roofline_page_script(const struct run *r, const struct results *res,
                          const struct scoreboard *b, int submission, struct strbuf *script);

#endif
