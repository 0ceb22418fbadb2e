/*
 * yaml_read.h - typed reading of a YAML file, one place at a time, with errors that name file, line
 * and field.
 *
 * The first error is recorded in the file, and every later read returns its default. So a reader
 * can read all fields in a row, and check for an error once, at the end. The caller frees the
 * strings and lists that are returned, unless a comment says otherwise.
 */
#ifndef BASE_YAML_READ_H
#define BASE_YAML_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/yaml_file.h"

enum { YAML_LIST_MOST = 100 }; /* items of a list: with aliases, a short file can have long lists */

/* A place in the file, with its name for messages. The node is NULL where the file has nothing. */
struct yaml_at {
    struct yaml_file *file;
    yaml_node_t *node;
    int line;        /* of the node, or of the mapping that lacks it */
    char field[160]; /* "tiers[2].points.correct" */
};

struct yaml_at yaml_root(struct yaml_file *f);

/* Record "path:line: field 'x': text" unless an error is recorded already. */
void yaml_error(const struct yaml_at *at, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The place must be a mapping without other keys than these (NULL-terminated), each once at most.
 */
void yaml_expect_keys(const struct yaml_at *at, const char *const *keys);
bool yaml_present(const struct yaml_at *at);
struct yaml_at yaml_get(const struct yaml_at *map, const char *key);
/* As yaml_get(), and an error if the key is absent. */
struct yaml_at yaml_need(const struct yaml_at *map, const char *key);
/* The i-th key of a mapping, borrowed, and its value. False behind the last one, and after an
 * error. */
bool yaml_pair(const struct yaml_at *map, unsigned i, const char **key, struct yaml_at *value);
unsigned yaml_count(const struct yaml_at *list); /* 0 when absent; error when not a sequence */
struct yaml_at yaml_item(const struct yaml_at *list, unsigned i);

/* One line without control characters; a copy of `otherwise`, which may be NULL, if absent. */
char *yaml_string(const struct yaml_at *at, const char *otherwise);
/* The same, with every sequence of white space as one blank. So block scalars (>, |) are allowed.
 */
char *yaml_words(const struct yaml_at *at, const char *otherwise);
const char *yaml_text(const struct yaml_at *at); /* borrowed; NULL when absent */
long long yaml_integer(const struct yaml_at *at, long long min, long long max, long long otherwise);
uint64_t yaml_u64(const struct yaml_at *at, uint64_t otherwise);
double yaml_number(const struct yaml_at *at, double min, double max, double otherwise);
bool yaml_bool(const struct yaml_at *at, bool otherwise);
int64_t yaml_duration(const struct yaml_at *at, int64_t otherwise_ms);
uint64_t yaml_bytes(const struct yaml_at *at, uint64_t otherwise);
/* A sequence of scalars. One scalar is a list of one. NULL if absent. */
char **yaml_strings(const struct yaml_at *at, unsigned *count);
int *yaml_integers(const struct yaml_at *at, int min, int max, unsigned *count);
/* The index of the scalar in `names` (NULL-terminated), or `otherwise` if it is absent. Another
 * scalar is an error that lists the names. */
int yaml_choice(const struct yaml_at *at, const char *const *names, int otherwise);

#endif
