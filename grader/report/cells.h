/*
 * cells.h - cells of the tables that people read, each of one kind: reports/text.h says how it is
 * written. A table is made once, and written as text, with tabs, or as HTML (base/term_table.h).
 */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/score.h"
#include "report/text.h"

void cell_text(struct term_table *t, const char *text);
/* The id of a submission, or of a unit, which leads to the student's page. */
void cell_submission(struct term_table *t, const struct run *r, unsigned submission);
void cell_unit(struct term_table *t, const struct run *r, unsigned unit);
/* Let the cell that was added last lead to the tier on the student's page. */
void cell_link_unit(struct term_table *t, const struct run *r, unsigned unit);
void cell_count(struct term_table *t, unsigned long long n);
void cell_number(struct term_table *t, double v);
/* What was computed from a measured value: text.h says which numbers get "~". */
void cell_measured(struct term_table *t, double v, struct interval of);
void cell_seconds(struct term_table *t, double s, struct interval of);
void cell_share(struct term_table *t, double share, struct interval of);
void cell_interval(struct term_table *t, enum term_style style, struct interval i);
void cell_size(struct term_table *t, struct shape size);
void cell_launch(struct term_table *t, const struct tier *tier, struct launch l);
/* u: NULL: there is no result yet. */
void cell_verdict(struct term_table *t, const struct unit_result *u);
/* Two cells: points, and their maximum. most: NAN: "-" and "-". */
void cells_points(struct term_table *t, double points, double most);

#endif
