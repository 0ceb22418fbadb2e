#include "rundir/measured_json.h"

#include <string.h>

#include "base/strbuf.h"

json_t *interval_to_json(struct interval i)
{
    return json_pack("{s:o, s:o, s:o, s:I}", "median", json_number_or_null(i.median), "low",
                     json_number_or_null(i.low), "high", json_number_or_null(i.high), "n",
                     (json_int_t)i.n);
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

struct interval interval_read(struct json_reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_object(v))
        json_bad_field(rd, key, "is not an interval");
    struct interval i = {json_read_number(rd, v, "median"), json_read_number(rd, v, "low"),
                         json_read_number(rd, v, "high"),
                         (size_t)json_read_int(rd, v, "n", 0, 1 << 30)};
    return i;
}

void *list_one_more(void *list, unsigned count, size_t size)
{
    if (count & (count - 1)) /* there is room up to the next power of two */
        return list;
    const size_t room = count ? 2 * (size_t)count : 1;
    char *larger = xrealloc_array(list, room, size);
    memset(larger + count * size, 0, (room - count) * size);
    return larger;
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
        if (n < 1 || n > INT32_MAX)
            return -1;
        s->dim[i - first] = (int)n;
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
