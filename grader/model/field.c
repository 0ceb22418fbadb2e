#include "model/field.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

static size_t size_of(enum field_kind kind)
{
    static const size_t sizes[] = {
        [VALUE_INTEGER] = sizeof(int),    [VALUE_COUNT] = sizeof(int),
        [VALUE_NUMBER] = sizeof(double),  [VALUE_SEED] = sizeof(uint64_t),
        [VALUE_TRUTH] = sizeof(bool),     [VALUE_TIME] = sizeof(int64_t),
        [VALUE_BYTES] = sizeof(uint64_t), [VALUE_TEXT] = sizeof(char *),
        [VALUE_CHOICE] = sizeof(int), /* GCC and Clang: an enumeration has the size of an int */
    };
    return sizes[kind];
}

static union field_value read_written(const struct yaml_at *at, const struct field *f)
{
    const long long low = (long long)f->low, high = (long long)f->high;
    union field_value v = {0};
    switch (f->kind) {
    case VALUE_OF_ITS_OWN:
        break;
    case VALUE_INTEGER:
    case VALUE_COUNT:
        v.integer = (int)yaml_integer(at, low, high, 0);
        break;
    case VALUE_NUMBER:
        v.number = yaml_number(at, f->low, f->high, 0);
        break;
    case VALUE_SEED:
        v.unsigned_integer = yaml_u64(at, 0);
        break;
    case VALUE_TRUTH:
        v.truth = yaml_bool(at, false);
        break;
    case VALUE_TIME:
        v.ms = yaml_duration(at, 0);
        break;
    case VALUE_BYTES:
        v.unsigned_integer = yaml_bytes(at, 0);
        break;
    case VALUE_TEXT:
        v.text = yaml_string(at, NULL);
        break;
    case VALUE_CHOICE:
        v.integer = yaml_choice(at, f->words, 0);
        break;
    }
    return v;
}

/* A default is read like a value in the file. */
union field_value field_read(const struct yaml_at *at, const struct field *f)
{
    yaml_node_t node = {.type = YAML_SCALAR_NODE};
    struct yaml_at place = *at;
    if (!yaml_present(at) && f->otherwise) {
        node.data.scalar.value = (yaml_char_t *)f->otherwise;
        node.data.scalar.length = strlen(f->otherwise);
        place.node = &node;
    }
    return read_written(&place, f);
}

void field_set(const struct field *f, void *member, const union field_value *v)
{
    memcpy(member, v, size_of(f->kind));
}

static union field_value value_of(const struct field *f, const void *member)
{
    union field_value v = {0};
    memcpy(&v, member, size_of(f->kind));
    return v;
}

double field_number(const struct field *f, const void *member)
{
    const union field_value v = value_of(f, member);
    switch (f->kind) {
    case VALUE_INTEGER:
    case VALUE_COUNT:
    case VALUE_CHOICE:
        return v.integer;
    case VALUE_NUMBER:
        return v.number;
    case VALUE_TIME:
        return (double)v.ms;
    case VALUE_SEED:
    case VALUE_BYTES:
        return (double)v.unsigned_integer;
    case VALUE_TRUTH:
        return v.truth;
    case VALUE_OF_ITS_OWN:
    case VALUE_TEXT:
        break;
    }
    return 0;
}

/* Text or not, zero bytes are a value that is not given. */
static bool is_given(const struct field *f, const void *member)
{
    static const union field_value nothing;
    return memcmp(member, &nothing, size_of(f->kind)) != 0;
}

static void *place(const struct field *f, void *of)
{
    return (char *)of + f->offset;
}

static const void *place_in(const struct field *f, const void *of)
{
    return (const char *)of + f->offset;
}

void fields_read(const struct yaml_at *map, const struct field_map *m, void *to)
{
    const char **keys = xcalloc(m->rows + 1, sizeof *keys);
    for (unsigned i = 0; i < m->rows; i++)
        keys[i] = m->row[i].key;
    yaml_expect_keys(map, keys);
    free(keys);
    for (unsigned i = 0; i < m->rows; i++) {
        const struct field *f = &m->row[i];
        if (f->kind == VALUE_OF_ITS_OWN)
            continue;
        const struct yaml_at at = yaml_get(map, f->key);
        const union field_value v = field_read(&at, f);
        field_set(f, place(f, to), &v);
    }
}

void fields_copy_for_sweep(const struct field_map *m, const void *from, void *to)
{
    for (unsigned i = 0; i < m->rows; i++) {
        const struct field *f = &m->row[i];
        if (f->also != FIELD_SWEEP)
            continue;
        union field_value v = value_of(f, place_in(f, from));
        if (f->kind == VALUE_TEXT && v.text)
            v.text = xstrdup(v.text);
        field_set(f, place(f, to), &v);
    }
}

void fields_lay_over(const struct field_map *m, const void *from, void *to)
{
    for (unsigned i = 0; i < m->rows; i++) {
        const struct field *f = &m->row[i];
        if (is_given(f, place_in(f, from)))
            memcpy(place(f, to), place_in(f, from), size_of(f->kind));
    }
}

bool fields_equal(const struct field_map *m, const void *a, const void *b)
{
    bool equal = true;
    for (unsigned i = 0; i < m->rows && equal; i++) {
        const struct field *f = &m->row[i];
        const union field_value x = value_of(f, place_in(f, a)), y = value_of(f, place_in(f, b));
        equal = f->kind == VALUE_TEXT ? strcmp(x.text ? x.text : "", y.text ? y.text : "") == 0
                                      : memcmp(&x, &y, size_of(f->kind)) == 0;
    }
    return equal;
}

void fields_free(const struct field_map *m, void *of)
{
    for (unsigned i = 0; i < m->rows; i++)
        if (m->row[i].kind == VALUE_TEXT)
            free(value_of(&m->row[i], place(&m->row[i], of)).text);
}
