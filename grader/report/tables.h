/*
 * tables.h - the rows of each CSV file, for report/tables.c, which writes the files.
 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include <jansson.h>

#include "report/score.h"
#include "report/similar_sources.h"
#include "report/table.h"
#include "rundir/run.h"

/* What the tables are made from. */
struct table_source {
    const struct run *run;
    const struct results *results;
    const struct scoreboard *board;
    const json_t *receipts; /* grades.csv quotes them (report/receipt.h) */
    const struct similar_row *similar;
    size_t similar_count;
};

/* Digits of most numbers, and of large whole numbers. */
enum { SIGNIFICANT = 6, WHOLE = 15 };

/* What was run and measured (report/tables_results.c). */
void rows_cases(const struct table_source *s, struct table *t);
void rows_samples(const struct table_source *s, struct table *t);
void rows_sweep(const struct table_source *s, struct table *t);
void rows_profile(const struct table_source *s, struct table *t);
void rows_counters(const struct table_source *s, struct table *t);

/* What it is worth (report/tables_scores.c). */
void rows_units(const struct table_source *s, struct table *t);
void rows_speedup(const struct table_source *s, struct table *t);
void rows_efficiency(const struct table_source *s, struct table *t);
/* Weak scaling (report/tables_weak.c). */
void rows_weak(const struct table_source *s, struct table *t);
void rows_roofline(const struct table_source *s, struct table *t);
void rows_versus(const struct table_source *s, struct table *t);

/* How rates spread (report/tables_spread.c). */
void rows_spread(const struct table_source *s, struct table *t);

/* Which sources resemble each other (report/tables_similarity.c). */
void rows_similarity(const struct table_source *s, struct table *t);

/* One row per student (report/tables_grades.c). */
void rows_grades(const struct table_source *s, struct table *t);

#endif
