/*
 * field.h - the fields of an assignment file that have one value each, as data: fields.def as
 * tables, and what is done with all fields of a structure alike.
 */
#ifndef MODEL_FIELD_H
#define MODEL_FIELD_H

#include <stddef.h>

#include "base/yaml_read.h"

enum field_kind {
    VALUE_OF_ITS_OWN, /* not one value: it has a reader of its own, and no member here */
    VALUE_INTEGER,
    VALUE_COUNT,
    VALUE_NUMBER,
    VALUE_SEED,
    VALUE_TRUTH,
    VALUE_TIME,
    VALUE_BYTES,
    VALUE_TEXT,
    VALUE_CHOICE,
};

/* See fields.def. */
enum field_also { FIELD_NOBODY, FIELD_PROFILE, FIELD_PROFILE_LIMIT, FIELD_SWEEP };
enum field_again { FIELD_RUN, FIELD_KEEP };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset; /* in the structure of its mapping */
    double low, high;
    const char *const *words;
    const char *otherwise; /* as written; NULL: zero */
    const char *unset;     /* what the documentation says then */
    enum field_also also;
    enum field_again again;
    const char *text;
};

/* The fields of one mapping. */
struct field_map {
    const char *key; /* of the mapping; NULL: the file, or the tier itself */
    size_t offset;   /* of its structure in struct assignment, or in struct tier */
    const struct field *row;
    unsigned rows;
};

enum { OF_ROOT, OF_CORRECTNESS, OF_PERFORMANCE, OF_LIMITS, OF_SUBMIT, OF_SLURM, OF_ASSIGNMENT };
enum { OF_TIER_ITSELF, OF_TIER_POINTS, OF_TIER_SLURM, OF_TIER };
extern const struct field_map assignment_fields[OF_ASSIGNMENT], tier_fields[OF_TIER];

union field_value {
    int integer; /* and choices */
    double number;
    uint64_t unsigned_integer;
    int64_t ms;
    bool truth;
    char *text;
};

/* A value that a profile gives to a field. */
struct profile_value {
    const struct field *field;
    size_t offset; /* in struct assignment */
    union field_value value;
};

/* Read what is written at the place, or the default of the field. */
union field_value field_read(const struct yaml_at *at, const struct field *f);
/* Write it to the structure of the mapping. */
void field_set(const struct field *f, void *member, const union field_value *v);
/* The member, as a number; 0 for texts. */
double field_number(const struct field *f, const void *member);

/* Read all fields of a mapping, which must have no other keys. */
void fields_read(const struct yaml_at *map, const struct field_map *m, void *to);
/* Give `to` those values that sweeps have from their tier. Texts are copied. */
void fields_copy_for_sweep(const struct field_map *m, const void *from, void *to);
/* Give `to` all values of `from` that are not zero. Texts stay those of `from`. */
void fields_lay_over(const struct field_map *m, const void *from, void *to);
bool fields_equal(const struct field_map *m, const void *a, const void *b);
void fields_free(const struct field_map *m, void *of);

#endif
