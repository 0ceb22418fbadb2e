/*
 * class_tables.h - the tables of a class, for the terminal and for its page. A table without rows
 * has nothing to say.
 */
#ifndef REPORT_CLASS_TABLES_H
#define REPORT_CLASS_TABLES_H

#include "report/score.h"
#include "report/similar_sources.h"
#include "rundir/results.h"

struct term_table;

/* Each submission: its verdict in each tier, and its points. similar: for the
 * page, where there is room for the names, links to failures, and what else a grade depends on;
 * NULL: for the terminal. */
struct term_table *class_verdicts(const struct run *r, const struct results *res,
                                  const struct scoreboard *b, const struct similar_list *similar);
/* Each unit that was timed: its speed-up at each size, and its rate at the largest one. */
struct term_table *class_speedups(const struct run *r, const struct results *res,
                                  const struct scoreboard *b);
struct term_table *class_efficiencies(const struct run *r, const struct scoreboard *b);
struct term_table *class_nodes(const struct results *res);
/* Units that failed: what failed and how. */
struct term_table *class_failures(const struct run *r, const struct results *res);
/* Units that passed without doing what their tier is about. A person must check them. */
struct term_table *class_flagged(const struct run *r, const struct results *res);
/* Mistakes that cost no points, of units that passed. */
struct term_table *class_remarks(const struct run *r, const struct results *res);
/* Pairs of submissions with similar sources, and in which tiers. */
struct term_table *class_similar(const struct run *r, const struct similar_list *similar);

#endif
