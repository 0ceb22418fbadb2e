/*
 * class_list.h - a CSV file with a row per submission that an import brings up to date. What others
 * have added to the file stays: rows, columns, names of students, and what the import cannot tell.
 */
#ifndef IMPORT_CLASS_LIST_H
#define IMPORT_CLASS_LIST_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

enum { CLASS_COLUMNS_MOST = 11 };

enum class_change {
    CLASS_WRITE,
    CLASS_REMOVE, /* the file must have no such row */
    CLASS_KEEP,   /* a row that is there stays as it is; none is added */
};

struct class_row {
    const char *submission;
    const char *field[CLASS_COLUMNS_MOST]; /* of each column */
    enum class_change change;
    const char *weak_name; /* a name that is replaced, although the file has it; or NULL */
};

struct class_update {
    const char *column[CLASS_COLUMNS_MOST]; /* headings beside `submission` */
    size_t columns;
    const struct class_row *row; /* sorted by submission, each once */
    size_t rows;
};

/* Write the file anew, or for the first time. A file without rows is not written.
 * *kept: the submissions of CLASS_KEEP that have a row, one a line. */
int class_list_update(const char *path, const struct class_update *u, struct strbuf *kept,
                      struct err *e);

#endif
