/*
 * field_kinds.h - the kinds of fields in fields.def, as members of structures.
 *
 * A structure gets the members of a section of fields.def so:
 *
 *     #define FIELDS_LIMITS
 *     #include "model/fields.def"
 */
#ifndef MODEL_FIELD_KINDS_H
#define MODEL_FIELD_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#define FIELD_MEMBER(kind, member, key, otherwise, also, again, text) FIELD_TYPE_##kind member;
#define KEY_MEMBER(key, again)

#define FIELD_TYPE_INTEGER(low, high) int /* from low to high */
#define FIELD_TYPE_COUNT(high) int        /* at least 1 */
#define FIELD_TYPE_NUMBER(low, high) double
#define FIELD_TYPE_SEED uint64_t
#define FIELD_TYPE_TRUTH bool
#define FIELD_TYPE_TIME int64_t /* milliseconds */
#define FIELD_TYPE_BYTES uint64_t
#define FIELD_TYPE_TEXT char *
#define FIELD_TYPE_CHOICE(type, ...) enum type /* words, in the order of the enumeration */

#endif
