/*
 * report.h - the tables: CSV files in the run directory and the same on the terminal.
 *
 * report/columns.def owns every column name; docs/columns.md explains them.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/score.h"
#include "rundir/results.h"

/* Write the tables and receipts.json (each atomically). */
int report_write(const struct run *r, const struct results *res, const struct scoreboard *s,
                 struct err *e);

/* The tables alone; grades.csv quotes `receipts` (report/receipt.h). */
int report_write_tables(const struct run *r, const struct results *res, const struct scoreboard *s,
                        const json_t *receipts, struct err *e);

/* The class on the terminal: verdict per submission x tier, speed-ups, efficiencies, grades. */
void report_print_class(const struct run *r, const struct results *res, const struct scoreboard *s,
                        FILE *f);

/* One submission for its author: each tier with verdict, first wrong element, pattern, replay
 * command, compiler message, speeds, points. */
void report_print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *s, int submission, FILE *f);

/* Everything as one JSON document. */
int report_print_json(const struct run *r, const struct results *res, const struct scoreboard *s,
                      FILE *f, struct err *e);

#endif
