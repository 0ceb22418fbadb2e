/*
 * table.h - one CSV file of a report. Its rows are written by the column identifiers of
 * report/columns.def. base/csv.h says what happens when a column is forgotten or written twice.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/csv.h"
#include "base/err.h"
#include "kernel/kernel.h"
#include "rundir/parts.h"

enum table_id {
    UNITS,
    CASES,
    SAMPLES,
    SPEEDUP,
    EFFICIENCY,
    WEAK,
    ROOFLINE,
    SWEEP,
    PROFILE,
    COUNTERS,
    VERSUS,
    SPREAD,
    SIMILARITY,
    GRADES,
    TABLE_COUNT,
    GRADES_END = TABLE_COUNT, /* no file of its own: the last columns of GRADES */
};

enum { POINTS_DECIMALS = 2, FACT_SIGNIFICANT = 6 };

/* The name in columns.def that stands for a column for each field of a shape (kernel_field()). */
#define TABLE_SHAPE ""

/* UNITS_SUBMISSION, UNITS_TIER, ... */
enum column {
#define COLUMN(table, identifier, name) table##_##identifier,
#include "report/columns.def"
#undef COLUMN
    COLUMN_COUNT
};

/* Every column of columns.def. */
struct table_column {
    enum table_id table;
    const char *name;
};
extern const struct table_column table_columns[COLUMN_COUNT];

/* The file of each table, by enum table_id. */
extern const enum part table_file[TABLE_COUNT];

struct table {
    struct csv_out *csv;
    size_t index[COLUMN_COUNT]; /* of a column in this file; SIZE_MAX: it belongs to another one */
};

/* A table with the columns of columns.def, for an assignment with this kernel. table_close() frees
 * it. */
void table_init(struct table *t, enum table_id which, const struct kernel *k);
/* Append the columns of columns.def that belong to `which`. */
void table_add_columns(struct table *t, enum table_id which, const struct kernel *k);
/* Write the file into a directory, or remove it when there are no rows (csv_out_close()), and free
 * the table. It is freed on failure, too. */
int table_close(struct table *t, enum table_id which, const char *dir, struct err *e);

/* Write one field of the current row. */
void table_str(struct table *t, enum column c, const char *s);
void table_number(struct table *t, enum column c, const char *s); /* a number in a text */
void table_int(struct table *t, enum column c, long long v);
/* All columns of TABLE_SHAPE. */
void table_shape(struct table *t, enum column c, const struct kernel *k, struct shape s);
/* The same in one column, as text. */
void table_size(struct table *t, enum column c, struct shape s);
void table_num(struct table *t, enum column c, double v, int significant);
/* The same for a quantity that is unknown when it is 0: the field is empty then. */
void table_positive(struct table *t, enum column c, double v, int significant);
/* Points, or percent of them: with at most POINTS_DECIMALS decimals. */
void table_points(struct table *t, enum column c, double v);
void table_yes_no(struct table *t, enum column c, bool v);
void table_empty(struct table *t, enum column c);
void table_end_row(struct table *t);

#endif
