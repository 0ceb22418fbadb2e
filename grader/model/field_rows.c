/* fields.def as tables. */
#include "model/assignment.h"
#include "model/assignment_fields.h"
#include "model/field.h"

#define KIND_INTEGER(least, most) .kind = VALUE_INTEGER, .low = (least), .high = (most)
#define KIND_COUNT(most) .kind = VALUE_COUNT, .low = 1, .high = (most)
#define KIND_NUMBER(least, most) .kind = VALUE_NUMBER, .low = (least), .high = (most)
#define KIND_SEED .kind = VALUE_SEED
#define KIND_TRUTH .kind = VALUE_TRUTH
#define KIND_TIME .kind = VALUE_TIME
#define KIND_BYTES .kind = VALUE_BYTES
#define KIND_TEXT .kind = VALUE_TEXT
#define KIND_CHOICE(type, ...)                                                                     \
    .kind = VALUE_CHOICE, .words = (const char *const[])                                           \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define DEFAULT_IS(written) .otherwise = (written)
#define DEFAULT_UNSET(says) .unset = (says)

#define FIELD_ROW(in, kind_, member, key_, default_, also_, again_, text_)                         \
    {.key = (key_),                                                                                \
     .offset = offsetof(struct in, member),                                                        \
     .also = FIELD_##also_,                                                                        \
     .again = FIELD_##again_,                                                                      \
     .text = (text_),                                                                              \
     DEFAULT_##default_,                                                                           \
     KIND_##kind_},
#define KEY_ROW(key_, again_) {.key = (key_), .again = FIELD_##again_},

static const struct field root[] = {
#define FIELDS_ROOT
#define FIELD(...) FIELD_ROW(assignment, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field correctness[] = {
#define FIELDS_CORRECTNESS
#define FIELD(...) FIELD_ROW(correctness, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field performance[] = {
#define FIELDS_PERFORMANCE
#define FIELD(...) FIELD_ROW(performance, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field limits[] = {
#define FIELDS_LIMITS
#define FIELD(...) FIELD_ROW(limits, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field submit[] = {
#define FIELDS_SUBMIT
#define FIELD(...) FIELD_ROW(submit_policy, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field slurm[] = {
#define FIELDS_SLURM
#define FIELD(...) FIELD_ROW(resources, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field tier[] = {
#define FIELDS_TIER
#define FIELD(...) FIELD_ROW(tier, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

static const struct field points[] = {
#define FIELDS_POINTS
#define FIELD(...) FIELD_ROW(tier_points, __VA_ARGS__)
#define KEY KEY_ROW
#include "model/fields.def"
};

#define MAP(key_, in, member, rows_)                                                               \
    {                                                                                              \
        .key = (key_), .offset = offsetof(struct in, member), .row = (rows_),                      \
        .rows = sizeof(rows_) / sizeof(rows_)[0]                                                   \
    }

const struct field_map assignment_fields[OF_ASSIGNMENT] = {
    [OF_ROOT] = {.row = root, .rows = sizeof root / sizeof root[0]},
    [OF_CORRECTNESS] = MAP("correctness", assignment, correctness, correctness),
    [OF_PERFORMANCE] = MAP("performance", assignment, performance, performance),
    [OF_LIMITS] = MAP("limits", assignment, limits, limits),
    [OF_SUBMIT] = MAP("submit", assignment, submit, submit),
    [OF_SLURM] = MAP("slurm", assignment, slurm, slurm),
};

const struct field_map tier_fields[OF_TIER] = {
    [OF_TIER_ITSELF] = {.row = tier, .rows = sizeof tier / sizeof tier[0]},
    [OF_TIER_POINTS] = MAP("points", tier, points, points),
    [OF_TIER_SLURM] = MAP("slurm", tier, slurm, slurm),
};
