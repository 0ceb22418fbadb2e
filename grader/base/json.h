/*
 * json.h - JSON files: read with errors that name the file and the field, written as a whole.
 *
 * A reader holds what every error needs. Its first error stays; later calls go on with harmless
 * values, so that a caller reads all fields and looks at `failed` once at the end.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

struct json_reader {
    const char *path;   /* for errors; the file that json_read_file() opens */
    enum err_kind kind; /* of an error about what is in the file */
    struct err *e;      /* may be NULL */
    bool failed;
};

/* Is it UTF-8, so that it can be a string in JSON? */
bool json_is_text(const char *s);

/* The object that a file of at most max bytes holds, as a new reference; NULL when there is none:
 * the file cannot be read (fs_read()), is not JSON, or holds another type than an object. */
json_t *json_read_file(struct json_reader *rd, size_t max);

/* Record that a field is wrong: "PATH: is damaged: field 'KEY' WHAT". */
void json_bad_field(struct json_reader *rd, const char *key, const char *what);

/* The fields of an object `o`, which may be NULL or of another type: then every field is wrong. */

/* The caller frees the string; "" after an error. */
char *json_read_text(struct json_reader *rd, const json_t *o, const char *key);
/* The same into an array of cap bytes, cut off when it does not fit. */
void json_read_text_into(struct json_reader *rd, const json_t *o, const char *key, char *out,
                         size_t cap);
/* A whole number from min to max; after an error, min or 0, whichever is larger. */
long long json_read_int(struct json_reader *rd, const json_t *o, const char *key, long long min,
                        long long max);
/* NAN for null and after an error. */
double json_read_number(struct json_reader *rd, const json_t *o, const char *key);
bool json_read_bool(struct json_reader *rd, const json_t *o, const char *key);
/* A borrowed reference, which is an array unless there was an error. */
const json_t *json_read_list(struct json_reader *rd, const json_t *o, const char *key);

/* A number; null for an infinite one and for NAN, which JSON lacks. */
json_t *json_number_or_null(double v);
/* Text for a terminal, made of bytes that may be anything: control characters are replaced, and in
 * text that is not UTF-8 also every byte above 0x7f. NULL gives "". */
json_t *json_printable(const char *s);

/* The text of a file: indented, numbers with all their digits, a line break at the end. The caller
 * frees it. `o` may be NULL, which json_pack() returns for text that is not UTF-8: then NULL. */
char *json_file_text(const json_t *o);
/* Write that text as fs_write_atomic() and fs_publish_once() do, and release `o`. */
int json_write_file(const char *path, json_t *o, struct err *e);
int json_publish_file(const char *path, json_t *o, struct err *e);
/* Print `o` for another program, indented and with a line break at the end, and release it. Numbers
 * have 9 significant digits. 0, or -1 when `o` is NULL or cannot be written. */
int json_print(FILE *f, json_t *o, struct err *e);

#endif
