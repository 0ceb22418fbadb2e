/*
 * gradebook.h - a CSV file of somebody else, in which single fields are changed. Every other byte
 * stays: encoding (UTF-8 with or without BOM, UTF-16, Latin-1), separator, quotes, line ends.
 */
#ifndef GRADEBOOK_GRADEBOOK_H
#define GRADEBOOK_GRADEBOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

struct gradebook_field {
    size_t at, len; /* in the text, with its quotes */
    char *value;    /* what it says, in UTF-8, without blanks around it */
    char *filled;   /* what it shall say; NULL: it stays */
    bool added;     /* the row had too few fields */
};

struct gradebook_row {
    size_t line; /* of the file, from 1 */
    size_t end;  /* in the text, before the line end */
    struct gradebook_field *field;
    size_t fields;
};

enum gradebook_encoding { GRADEBOOK_BYTES, GRADEBOOK_UTF16_LE, GRADEBOOK_UTF16_BE };

struct gradebook {
    char *text; /* UTF-8 or Latin-1, without BOM */
    size_t len;
    enum gradebook_encoding encoding;
    bool bom;
    char delimiter;
    struct gradebook_row *row; /* row[0] is the header; blank lines and what stands before the
                                  header (titles, "sep=;") are no rows */
    size_t rows;
};

/* Errors name the file and the line. After 0, to be freed with gradebook_free(). */
int gradebook_read(const char *path, struct gradebook *out, struct err *e);
void gradebook_free(struct gradebook *g);

/* The value of a field; "" if the row is too short. */
const char *gradebook_value(const struct gradebook *g, size_t row, size_t column);
/* Index of the column with this heading, else of the only one that begins with it (upper and lower
 * case do not matter); -1: none; -2: several begin with it. */
int gradebook_column(const struct gradebook *g, const char *heading);

/* The headings, for a message. The caller frees them. */
char *gradebook_headings(const struct gradebook *g);

/* Set a field. It is quoted if it was before, or has to be. */
void gradebook_fill(struct gradebook *g, size_t row, size_t column, const char *value);

/* Add the bytes of the whole file to a text. */
int gradebook_text(const struct gradebook *g, struct strbuf *out, struct err *e);

#endif
