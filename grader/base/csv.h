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
 * dropped. A NUL byte, an open quote at the end, or a row wider than the header is an error that
 * names file and line; narrower rows are padded with "". */
int csv_read(const char *path, struct csv_table *t, struct err *e);
void csv_table_free(struct csv_table *t);
/* Column index by header name (case-insensitive, surrounding blanks ignored), or -1. */
int csv_column(const struct csv_table *t, const char *name);

/* --- writing ---------------------------------------------------------------------------- */

struct csv_out; /* buffers the whole table, writes it atomically at the end */

struct csv_out *csv_out_new(void);
void csv_out_str(struct csv_out *o, const char *s);
void csv_out_int(struct csv_out *o, long long v);
void csv_out_num(struct csv_out *o, double v, int significant); /* NaN and infinities: empty */
void csv_out_end_row(struct csv_out *o);
/* Write atomically to path and free; frees on failure too. */
int csv_out_close(struct csv_out *o, const char *path, struct err *e);

#endif
