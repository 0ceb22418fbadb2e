/*
 * csv.h - CSV in and out through libcsv (RFC 4180).
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stddef.h>

#include "base/err.h"

/* --- reading ---------------------------------------------------------------------------- */

struct csv_row {
    size_t line; /* line of the file on which the row starts, from 1 */
    size_t count;
    char **field; /* NUL-terminated */
};

struct csv_table {
    size_t count;
    struct csv_row *row; /* row[0] is the header */
};

/* Read a whole file: UTF-8 with or without BOM, LF or CRLF, quoted newlines. Blank lines are
 * dropped. Fields are separated by commas, semicolons or tabs, whichever is most frequent in
 * the header. UTF-16, a NUL byte, an open quote at the end, or a row wider than the header
 * is an error that names file and line; narrower rows are padded with "". */
int csv_read(const char *path, struct csv_table *t, struct err *e);
void csv_table_free(struct csv_table *t);
/* Which character separates the fields of a file with this text: a comma, semicolon or tab. */
char csv_delimiter(const char *s, size_t len);
/* Column index by header name (case-insensitive, surrounding blanks ignored), or -1. */
int csv_column(const struct csv_table *t, const char *name);

/* --- writing ----------------------------------------------------------------------------
 *
 * A table is written by column. First all columns are added. Then, in every row, each column is
 * written exactly once, in any order. A column that is forgotten, written twice or unknown is a
 * mistake in the program: it aborts with a message that names the column. The table is kept in
 * memory and written to its file at the end. */

struct csv_out;

struct csv_out *csv_out_new(void);
/* Returns the index of the new column: 0, 1, 2 ... */
size_t csv_out_column(struct csv_out *o, const char *name);
/* Spreadsheets would run text that starts with = + - or @ as a formula: it gets a ' in front. */
void csv_out_str(struct csv_out *o, size_t column, const char *s);
/* The same without that, for text that the user's own file had there. */
void csv_out_own(struct csv_out *o, size_t column, const char *s);
/* A number as it was printed, "-1.5" or "nan": spreadsheets may take it for one. Another text is
 * written as csv_out_str() writes it. */
void csv_out_number(struct csv_out *o, size_t column, const char *s);
void csv_out_int(struct csv_out *o, size_t column, long long v);
/* NaN and infinities become empty fields. */
void csv_out_num(struct csv_out *o, size_t column, double v, int significant);
/* The same with no more decimals than it needs, and at most `decimals`: 10, 7.5, 3.33. */
void csv_out_decimal(struct csv_out *o, size_t column, double v, int decimals);
void csv_out_end_row(struct csv_out *o);
/* Write the file atomically and free the table. It is freed on failure, too. A table without rows
 * is not written, and a file that has its name is removed: it is from an earlier report. */
int csv_out_close(struct csv_out *o, const char *path, struct err *e);

#endif
