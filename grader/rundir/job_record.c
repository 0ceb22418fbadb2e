#include "rundir/job_record.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/strbuf.h"

enum { MAX_BYTES = 64 << 20 };

/* 0, or -1: this is not a list of unit ids, or the list is empty. */
static int read_element(const json_t *ids, struct job_element *out)
{
    const size_t n = json_array_size(ids);
    out->unit = xcalloc(n + 1, sizeof *out->unit);
    for (size_t i = 0; i < n; i++) {
        const char *id = json_string_value(json_array_get(ids, i));
        if (!id)
            return -1;
        out->unit[out->count++] = xstrdup(id);
    }
    return n > 0 ? 0 : -1;
}

static int read_elements(const json_t *elements, struct job_record *out)
{
    const size_t n = json_array_size(elements);
    if (!json_is_array(elements))
        return -1;
    out->element = xcalloc(n + 1, sizeof *out->element);
    for (size_t i = 0; i < n; i++)
        if (read_element(json_array_get(elements, i), &out->element[out->count++]) != 0)
            return -1;
    return 0;
}

int job_record_load(const char *path, struct job_record *out, struct err *e)
{
    struct json_reader rd = {path, ERR_INPUT, e, false};
    json_t *o = json_read_file(&rd, MAX_BYTES);
    *out = (struct job_record){0};
    if (o)
        out->name = json_read_text(&rd, o, "name");
    if (o && read_elements(json_object_get(o, "elements"), out) != 0)
        json_bad_field(&rd, "elements", "is not a list of units");
    json_decref(o);
    if (!rd.failed)
        return 0;
    job_record_free(out);
    return -1;
}

void job_record_free(struct job_record *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        for (unsigned k = 0; k < r->element[i].count; k++)
            free(r->element[i].unit[k]);
        free(r->element[i].unit);
    }
    free(r->element);
    free(r->name);
    *r = (struct job_record){0};
}

int job_record_write(const char *path, const char *name, const char *const *unit, unsigned count,
                     struct err *e)
{
    char now[40];
    clock_utc(now, sizeof now);
    json_t *elements = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(elements, json_pack("[s]", unit[i]));
    return json_write_file(
        path, json_pack("{s:s, s:s, s:o}", "name", name, "created", now, "elements", elements), e);
}
