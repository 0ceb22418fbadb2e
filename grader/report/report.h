/*
 * report.h - the reports of a run: CSV files in its directory, tables on the terminal, JSON.
 *
 * report/columns.def owns every column name; docs/columns.md explains them.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/said.h"
#include "report/score.h"
#include "report/similar_sources.h"
#include "rundir/results.h"

/* Write the CSV files and receipts.json, each atomically. *similar (may be NULL): pairs of units
 * whose sources resemble each other, which the caller frees. To find them takes long, so a report
 * does it once. */
int report_write(const struct run *r, const struct results *res, const struct scoreboard *s,
                 struct similar_list *similar, struct err *e);

/* Write the CSV files alone, into `dir`. grades.csv quotes `receipts` (report/receipt.h). */
int report_write_tables(const struct run *r, const char *dir, const struct results *res,
                        const struct scoreboard *s, const json_t *receipts, struct err *e);

/* The class for its instructor. details, or a small class: also the verdict of each submission and
 * tier, speed-ups, efficiencies, and what failed. similar: as report_write() has counted them. */
void report_print_class(const struct run *r, const struct results *res, const struct scoreboard *s,
                        size_t similar, bool details, FILE *f);

/* Whose report, and what the results do not say. */
struct student_view {
    int submission;       /* index in the plan */
    const char *run_name; /* by which commands name the run; NULL: the reader does not have it */
    const char *receipt;  /* "" when there is none */
    double seconds;       /* that the run took; 0: not told */
};

/* One submission for its author: each tier with verdict, first wrong element, pattern, replay
 * command, compiler message, speeds, points. No directory of the grader or of the instructor is in
 * it. */
void report_print_student(const struct run *r, const struct results *res,
                          const struct scoreboard *s, const struct student_view *v, FILE *f);

/* One of its tiers alone: a unit of the plan. said: by other tiers before. */
void report_print_unit(const struct run *r, const struct results *res, const struct scoreboard *s,
                       int unit, const char *run_name, struct said *said, FILE *f);

/* The same as one JSON document: nothing of anybody else is in it. */
int report_print_student_json(const struct run *r, const struct results *res,
                              const struct scoreboard *s, const struct student_view *v, FILE *f,
                              struct err *e);

/* Everything as one JSON document. */
int report_print_json(const struct run *r, const struct results *res, const struct scoreboard *s,
                      FILE *f, struct err *e);

/* One unit as report_print_json() has it; without its comparisons. A new reference. */
json_t *report_unit_json(const struct run *r, const struct results *res, const struct scoreboard *b,
                         unsigned unit);

#endif
