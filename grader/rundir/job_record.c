#include "rundir/job_record.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/strbuf.h"

enum { MAX_BYTES = 64 << 20 };

/* 0, or -1: this is not a list of unit ids. */
static int read_units(const json_t *units, struct job_record *out)
{
    const size_t n = json_array_size(units);
    if (!json_is_array(units))
        return -1;
    out->unit = xcalloc(n + 1, sizeof *out->unit);
    for (size_t i = 0; i < n; i++) {
        const char *id = json_string_value(json_array_get(units, i));
        if (!id)
            return -1;
        out->unit[out->count++] = xstrdup(id);
    }
    return 0;
}

int job_record_load(const char *path, struct job_record *out, struct err *e)
{
    struct json_reader rd = {path, ERR_INPUT, e, false};
    json_t *o = json_read_file(&rd, MAX_BYTES);
    *out = (struct job_record){0};
    if (o)
        out->name = json_read_text(&rd, o, "name");
    if (o && read_units(json_object_get(o, "units"), out) != 0)
        json_bad_field(&rd, "units", "is not a list of units");
    if (o) {
        out->elements =
            (unsigned)json_read_int(&rd, o, "elements", out->count > 0, (long long)out->count);
        out->throttle = (unsigned)json_read_int(&rd, o, "throttle", 0, 1000000000);
    }
    json_decref(o);
    if (!rd.failed)
        return 0;
    job_record_free(out);
    return -1;
}

void job_record_free(struct job_record *r)
{
    for (unsigned i = 0; i < r->count; i++)
        free(r->unit[i]);
    free(r->unit);
    free(r->name);
    *r = (struct job_record){0};
}

int job_record_write(const char *path, const struct job_record_view *r, struct err *e)
{
    char now[40];
    clock_utc(now, sizeof now);
    json_t *units = json_array();
    for (unsigned i = 0; i < r->count; i++)
        json_array_append_new(units, json_string(r->unit[i]));
    return json_write_file(path,
                           json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", r->name, "created", now,
                                     "elements", (int)r->elements, "throttle", (int)r->throttle,
                                     "units", units),
                           e);
}
