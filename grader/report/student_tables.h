/*
 * student_tables.h - the tables of a student, for the terminal and for the page. A table without
 * rows has nothing to say.
 */
#ifndef REPORT_STUDENT_TABLES_H
#define REPORT_STUDENT_TABLES_H

#include "model/result.h"
#include "report/score.h"

struct term_table;

/* The times of a unit, and what would give more points. */
struct term_table *student_speeds(const struct run *r, const struct results *res,
                                  const struct scoreboard *b, int unit);
/* As a profiler prints it: what the device did in one call, and which calls the program made. Names
 * of kernels are the student's text. */
struct term_table *student_profile(const struct device_profile *p);

#endif
