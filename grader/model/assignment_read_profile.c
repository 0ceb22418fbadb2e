/*
 * The profiles of an assignment file. The other parts that they change are read already.
 */
#include "model/assignment_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment_fields.h"
#include "model/field.h"

/* The field as it is in a profile: a whole number is not 0 there, `max` is at least the
 * assignment's `min`, and limits may only be lower, because Slurm's time was chosen for those of
 * the assignment. */
static struct field in_profile(const struct field *f, const struct assignment *a, const void *now)
{
    struct field own = *f;
    if (f->kind != VALUE_INTEGER && f->kind != VALUE_COUNT)
        return own;
    own.low = f->low > 1 ? f->low : 1;
    if (now == &a->correctness.max_dim)
        own.low = a->correctness.min_dim;
    if (f->also == FIELD_PROFILE_LIMIT)
        own.high = field_number(f, now);
    return own;
}

static void read_value(const struct yaml_at *at, const struct assignment *a, const struct field *f,
                       size_t offset, struct profile *p)
{
    const void *now = (const char *)a + offset;
    const struct field own = in_profile(f, a, now);
    const struct profile_value v = {f, offset, field_read(at, &own)};
    if (f->also == FIELD_PROFILE_LIMIT && field_number(f, &v.value) > field_number(f, now))
        yaml_error(at, "is more than limits.%s of the assignment", f->key);
    p->values = xrealloc_array(p->values, p->values_count + 1, sizeof *p->values);
    p->values[p->values_count++] = v;
}

/* The mapping must have no other keys than `own`, and those of the fields that profiles have there.
 */
static void expect_keys(const struct yaml_at *at, enum field_also also, const char *const *own)
{
    unsigned n = 0, room = 1;
    for (unsigned i = 0; own[i]; i++)
        room++;
    for (unsigned m = 0; m < OF_ASSIGNMENT; m++)
        room += assignment_fields[m].rows;
    const char **keys = xcalloc(room, sizeof *keys);
    for (unsigned i = 0; own[i]; i++)
        keys[n++] = own[i];
    for (unsigned m = 0; m < OF_ASSIGNMENT; m++)
        for (unsigned i = 0; i < assignment_fields[m].rows; i++)
            if (assignment_fields[m].row[i].also == also)
                keys[n++] = assignment_fields[m].row[i].key;
    yaml_expect_keys(at, keys);
    free(keys);
}

static void read_values(const struct yaml_at *at, const struct assignment *a, enum field_also also,
                        struct profile *p)
{
    for (const struct field_map *m = assignment_fields; m < assignment_fields + OF_ASSIGNMENT; m++)
        for (const struct field *f = m->row; f < m->row + m->rows; f++) {
            const struct yaml_at value = yaml_get(at, f->key);
            if (f->also == also && yaml_present(&value))
                read_value(&value, a, f, m->offset + f->offset, p);
        }
}

static int64_t time_or(const struct profile *p, size_t offset, int64_t otherwise)
{
    for (unsigned i = 0; i < p->values_count; i++)
        if (p->values[i].offset == offset)
            return p->values[i].value.ms;
    return otherwise;
}

static void read_profile(const struct yaml_at *at, const struct assignment *a, struct profile *p)
{
    expect_keys(at, FIELD_PROFILE, KEYS("name", "sizes", "limits"));
    struct yaml_at f = yaml_need(at, "name");
    p->name = read_name(&f, "a profile's");
    for (const struct profile *o = a->profiles; o < p; o++)
        if (strcmp(o->name, p->name) == 0)
            yaml_error(&f, "there are two profiles named '%s'", p->name);
    f = yaml_get(at, "sizes");
    read_sizes(&f, a, a->kernel, &p->sizes, &p->sizes_count);
    const struct yaml_at limits = yaml_get(at, "limits");
    expect_keys(&limits, FIELD_PROFILE_LIMIT, KEYS(NULL));
    read_values(at, a, FIELD_PROFILE, p);
    read_values(&limits, a, FIELD_PROFILE_LIMIT, p);
    f = yaml_get(&limits, "unit");
    const int64_t limit =
        time_or(p, offsetof(struct assignment, limits.case_ms), a->limits.case_ms);
    if (time_or(p, offsetof(struct assignment, limits.unit_ms), limit) < limit)
        yaml_error(&f, "is shorter than limits.case");
}

void read_profiles(const struct yaml_at *at, struct assignment *a)
{
    a->profiles_count = yaml_count(at);
    a->profiles = xcalloc(a->profiles_count, sizeof *a->profiles);
    for (unsigned i = 0; i < a->profiles_count && !at->file->failed; i++) {
        const struct yaml_at item = yaml_item(at, i);
        read_profile(&item, a, &a->profiles[i]);
    }
}
