#include "rundir/measured_json.h"

json_t *interval_to_json(struct interval i)
{
    return json_pack("{s:o, s:o, s:o, s:I}", "median", json_number_or_null(i.median), "low",
                     json_number_or_null(i.low), "high", json_number_or_null(i.high), "n",
                     (json_int_t)i.n);
}

json_t *shape_to_json(struct shape s)
{
    return json_pack("[i, i, i]", s.m, s.n, s.k);
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

struct shape shape_read(struct json_reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    json_int_t dim[3];
    bool fine = json_array_size(v) == 3;
    for (size_t i = 0; i < 3; i++) {
        dim[i] = json_integer_value(json_array_get(v, i));
        fine = fine && dim[i] >= 1 && dim[i] <= INT32_MAX;
    }
    if (!fine)
        json_bad_field(rd, key, "is not a shape");
    return (struct shape){(int)dim[0], (int)dim[1], (int)dim[2]};
}
