#include "rundir/node_file.h"

#include <math.h>
#include <stdlib.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "rundir/measured_json.h"

enum { RECORD_MAX_BYTES = 64 << 20 };

static json_t *ceiling_to_json(const struct ceiling *c)
{
    json_t *o = json_pack("{s:i}", "workers", c->workers), *types = json_object();
    for (int t = 0; t < TYPE_COUNT; t++)
        json_object_set_new(types, type_name((enum element_type)t),
                            json_number_or_null(c->type_gops[t]));
    json_object_set_new(o, "gops", json_number_or_null(c->gops));
    json_object_set_new(o, "type_gops", types);
    json_object_set_new(o, "tensor_gops", json_number_or_null(c->tensor_gops));
    json_object_set_new(o, "gbs", json_number_or_null(c->gbs));
    json_object_set_new(o, "triad_gbs", json_number_or_null(c->triad_gbs));
    return o;
}

int node_record_publish(const struct node_record *n, const char *path, struct err *e)
{
    if (fs_mkdirs_for(path, e) != 0)
        return -1;
    json_t *o = json_object();
    json_object_set_new(o, "host", json_printable(n->host));
    json_object_set_new(o, "yardstick", json_printable(n->yardstick));
    json_object_set_new(o, "model", json_printable(n->model));
    json_object_set_new(o, "device", json_boolean(n->device));
    json_object_set_new(o, "started", json_printable(n->started));
    json_object_set_new(o, "kernel", json_printable(n->kernel));
    json_object_set_new(o, "microcode", json_printable(n->microcode));
    json_object_set_new(o, "driver", json_printable(n->driver));
    json_object_set_new(o, "cores", json_integer(n->cores));
    json_object_set_new(o, "cores_total", json_integer(n->cores_total));
    json_object_set_new(o, "l2", json_integer((json_int_t)n->l2));
    json_object_set_new(o, "l3", json_integer((json_int_t)n->l3));
    json_object_set_new(o, "peak_gops", json_number_or_null(n->peak_gops));
    json_object_set_new(o, "tiles", json_boolean(n->tiles));
    json_object_set_new(o, "bandwidth_gbs", json_number_or_null(n->bandwidth_gbs));
    json_object_set_new(o, "overhead_us", json_number_or_null(n->overhead_us));
    json_t *ceilings = json_array();
    for (unsigned i = 0; i < n->ceilings_count; i++)
        json_array_append_new(ceilings, ceiling_to_json(&n->ceilings[i]));
    json_object_set_new(o, "ceilings", ceilings);
    json_t *list = json_array();
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "shape", shape_to_json(c->shape),
                                              "known", json_number_or_null(c->known), "samples",
                                              samples_to_json(c->samples, c->samples_count)));
    }
    json_object_set_new(o, "calibrations", list);
    return json_publish_file(path, o, e);
}

static void read_ceilings(struct json_reader *rd, const json_t *o, struct node_record *n)
{
    const json_t *list = json_read_list(rd, o, "ceilings");
    for (unsigned i = 0; i < json_array_size(list) && !rd->failed; i++) {
        const json_t *c = json_array_get(list, i);
        const json_t *types = json_object_get(c, "type_gops");
        n->ceilings = list_one_more(n->ceilings, i, sizeof *n->ceilings);
        n->ceilings_count = i + 1;
        n->ceilings[i] = (struct ceiling){
            .workers = (int)json_read_int(rd, c, "workers", 1, INT32_MAX),
            .gops = json_read_number(rd, c, "gops"),
            .tensor_gops = json_read_number(rd, c, "tensor_gops"),
            .gbs = json_read_number(rd, c, "gbs"),
            .triad_gbs = json_read_number(rd, c, "triad_gbs"),
        };
        for (int t = 0; t < TYPE_COUNT; t++)
            n->ceilings[i].type_gops[t] =
                json_read_number(rd, types, type_name((enum element_type)t));
        if (i && n->ceilings[i].workers <= n->ceilings[i - 1].workers)
            json_bad_field(rd, "ceilings", "are not in the order of their workers");
    }
}

int node_record_load(const char *path, struct node_record **out, struct err *e)
{
    *out = NULL;
    struct json_reader rd = {path, ERR_SYSTEM, e, false};
    json_t *o = json_read_file(&rd, RECORD_MAX_BYTES);
    if (!o)
        return -1;
    struct node_record *n = xcalloc(1, sizeof *n);
    n->host = json_read_text(&rd, o, "host");
    n->yardstick = json_read_text(&rd, o, "yardstick");
    n->model = json_read_text(&rd, o, "model");
    n->device = json_read_bool(&rd, o, "device");
    n->started = json_read_text(&rd, o, "started");
    n->kernel = json_read_text(&rd, o, "kernel");
    n->microcode = json_read_text(&rd, o, "microcode");
    n->driver = json_read_text(&rd, o, "driver");
    n->cores = (int)json_read_int(&rd, o, "cores", 0, INT32_MAX);
    n->cores_total = (int)json_read_int(&rd, o, "cores_total", 0, INT32_MAX);
    n->l2 = (uint64_t)json_read_int(&rd, o, "l2", 0, INT64_MAX);
    n->l3 = (uint64_t)json_read_int(&rd, o, "l3", 0, INT64_MAX);
    n->peak_gops = json_read_number(&rd, o, "peak_gops");
    n->tiles = json_read_bool(&rd, o, "tiles");
    n->bandwidth_gbs = json_read_number(&rd, o, "bandwidth_gbs");
    n->overhead_us = json_read_number(&rd, o, "overhead_us");
    read_ceilings(&rd, o, n);
    const json_t *list = json_read_list(&rd, o, "calibrations");
    for (unsigned i = 0; i < json_array_size(list) && !rd.failed; i++) {
        const json_t *c = json_array_get(list, i);
        n->calibrations = list_one_more(n->calibrations, i, sizeof *n->calibrations);
        n->calibrations_count = i + 1;
        struct calibration *to = &n->calibrations[i];
        *to = (struct calibration){.shape = shape_read(&rd, c, "shape"),
                                   .known = json_read_number(&rd, c, "known")};
        to->samples = samples_read(&rd, c, "samples", &to->samples_count);
        if (to->shape.empty)
            json_bad_field(&rd, "shape", "has a size of 0");
        if (!isnan(to->known) && !(to->known > 0))
            json_bad_field(&rd, "known", "is not a positive time");
    }
    json_decref(o);
    if (rd.failed) {
        node_record_free(n);
        return -1;
    }
    *out = n;
    return 0;
}
