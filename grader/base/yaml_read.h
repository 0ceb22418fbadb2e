/*
 * yaml_read.h - typed reading of a YAML file, one place at a time, with errors that name file,
 * line and field.
 *
 * The first error is kept and every later read returns its default, so that a reader is written
 * straight down and checked once at the end. Strings returned are the caller's.
 *
 * Files are taken from people who make mistakes: size, nesting, anchors and list lengths are
 * bounded so that no file, however odd, takes more than a moment or more than some megabytes.
 */
#ifndef BASE_YAML_READ_H
#define BASE_YAML_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "base/err.h"

enum {
    YAML_FILE_MOST = 1 << 20,
    YAML_DEPTH_MOST = 20,
    YAML_ANCHORS_MOST = 200,
    YAML_LIST_MOST = 100, /* items of a list; aliases make long ones cheap to write */
};

struct yaml_file {
    const char *path;
    yaml_document_t doc;
    bool open;
    bool failed;
    struct err *e;
};

/* A place in the file: a node, or the absence of one (node NULL), and its name for messages. */
struct yaml_at {
    struct yaml_file *file;
    yaml_node_t *node;
    int line;        /* of the node, or of the mapping that lacks it */
    char field[160]; /* "tiers[2].points.correct" */
};

int yaml_open(struct yaml_file *f, const char *path, struct err *e);
void yaml_close(struct yaml_file *f);
struct yaml_at yaml_root(struct yaml_file *f);

/* Record "path:line: field 'x': text" unless an error is recorded already. */
void yaml_error(const struct yaml_at *at, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Error unless the place is a mapping with these keys at most (NULL-terminated), each once. */
void yaml_expect_keys(const struct yaml_at *at, const char *const *keys);
bool yaml_present(const struct yaml_at *at);
struct yaml_at yaml_get(const struct yaml_at *map, const char *key);
/* Error if absent. */
struct yaml_at yaml_need(const struct yaml_at *map, const char *key);
unsigned yaml_count(const struct yaml_at *list); /* 0 when absent; error when not a sequence */
struct yaml_at yaml_item(const struct yaml_at *list, unsigned i);

/* One line without control characters. `otherwise` may be NULL. */
char *yaml_string(const struct yaml_at *at, const char *otherwise);
/* As above, but any white space is one blank: block scalars (>, |) are welcome. */
char *yaml_words(const struct yaml_at *at, const char *otherwise);
const char *yaml_text(const struct yaml_at *at); /* borrowed; NULL when absent */
long long yaml_integer(const struct yaml_at *at, long long min, long long max, long long otherwise);
uint64_t yaml_u64(const struct yaml_at *at, uint64_t otherwise);
double yaml_number(const struct yaml_at *at, double min, double max, double otherwise);
bool yaml_bool(const struct yaml_at *at, bool otherwise);
int64_t yaml_duration(const struct yaml_at *at, int64_t otherwise_ms);
uint64_t yaml_bytes(const struct yaml_at *at, uint64_t otherwise);
/* A sequence of scalars, or one scalar: a list of one. */
char **yaml_strings(const struct yaml_at *at, unsigned *count);
int *yaml_integers(const struct yaml_at *at, int min, int max, unsigned *count);
/* Index of the scalar among names (NULL-terminated), or otherwise; error lists the names. */
int yaml_choice(const struct yaml_at *at, const char *const *names, int otherwise);

#endif
