#include "rundir/measured_json.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"

/* The numbers of a sample, in this order. */
#define SAMPLE_NUMBERS(NUMBER)                                                                     \
    NUMBER(alone)                                                                                  \
    NUMBER(other)                                                                                  \
    NUMBER(yardstick)                                                                              \
    NUMBER(unit)                                                                                   \
    NUMBER(cores)                                                                                  \
    NUMBER(busiest)                                                                                \
    NUMBER(end_to_end)                                                                             \
    NUMBER(device)

json_t *samples_to_json(const struct sample *s, unsigned n)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) {
        json_t *o = json_pack("{s:i, s:i}", "start", s[i].start, "reps", s[i].reps);
#define NUMBER(field) json_object_set_new(o, #field, json_number_or_null(s[i].field));
        SAMPLE_NUMBERS(NUMBER)
#undef NUMBER
        json_array_append_new(list, o);
    }
    return list;
}

static bool possible(double seconds)
{
    return isnan(seconds) || (seconds >= 0 && isfinite(seconds));
}

struct sample *samples_read(struct json_reader *rd, const json_t *o, const char *key, unsigned *n)
{
    const json_t *list = json_read_list(rd, o, key);
    struct sample *s = NULL;
    *n = 0;
    for (unsigned i = 0; i < json_array_size(list) && !rd->failed; i++) {
        const json_t *x = json_array_get(list, i);
        s = list_one_more(s, i, sizeof *s);
        *n = i + 1;
        s[i].start = (int)json_read_int(rd, x, "start", 0, 1 << 20);
        s[i].reps = (int)json_read_int(rd, x, "reps", 1, 1 << 20);
#define NUMBER(field) s[i].field = json_read_number(rd, x, #field);
        SAMPLE_NUMBERS(NUMBER)
#undef NUMBER
        if (i && s[i].start < s[i - 1].start)
            json_bad_field(rd, key, "are not in the order of their starts");
        if (!(s[i].alone > 0) || !(s[i].other >= 0) || !possible(s[i].yardstick) ||
            !possible(s[i].unit))
            json_bad_field(rd, key, "holds a time that is not positive");
    }
    return s;
}

void launch_to_json(json_t *o, const char *nodes, const char *gpus, struct launch l)
{
    if (l.nodes > 1)
        json_object_set_new(o, nodes, json_integer(l.nodes));
    if (l.gpus > 1)
        json_object_set_new(o, gpus, json_integer(l.gpus));
}

/* The structure first, if there is one: ["uniform-20", 300, 20, 8]. */
json_t *shape_to_json(struct shape s)
{
    json_t *list = json_array();
    char structure[STRUCTURE_TEXT];
    structure_format(s.structure, structure);
    if (*structure)
        json_array_append_new(list, json_string(structure));
    for (int i = 0; i < shape_dims(s); i++)
        json_array_append_new(list, json_integer(s.dim[i]));
    return list;
}

int shape_from_json(const json_t *list, struct shape *s)
{
    const char *structure = json_string_value(json_array_get(list, 0));
    const size_t first = structure ? 1 : 0;
    struct err ignored = ERR_INIT;
    *s = (struct shape){0};
    if (!json_is_array(list) || json_array_size(list) > first + SHAPE_DIMS)
        return -1;
    if (structure && structure_parse(structure, strlen(structure), &s->structure, &ignored) != 0)
        return -1;
    for (size_t i = first; i < json_array_size(list); i++) {
        const json_int_t n = json_integer_value(json_array_get(list, i));
        if (n < 0 || n > INT32_MAX)
            return -1;
        shape_set(s, (int)(i - first), (int)n);
    }
    return 0;
}

struct shape shape_read(struct json_reader *rd, const json_t *o, const char *key)
{
    struct shape s;
    if (shape_from_json(json_object_get(o, key), &s) != 0 || !shape_dims(s))
        json_bad_field(rd, key, "is not a shape");
    return s;
}
