/*
 * `roofline` of an assignment file: the memory bandwidths of the host and of the GPU, in GB/s.
 *
 *     roofline: {bandwidth: [measured, 240], device_bandwidth: 3350}
 */
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "model/assignment_fields.h"
#include "model/assignment_read.h"

#define MEASURED "measured"
#define LEAST_GBS 0.001
#define MOST_GBS 1e6

static double read_bandwidth(const struct yaml_at *at)
{
    const char *text = yaml_text(at);
    double gbs = BANDWIDTH_MEASURED;
    if (text && strcmp(text, MEASURED) != 0 &&
        parse_double(text, LEAST_GBS, MOST_GBS, &gbs, NULL) != 0)
        yaml_error(
            at, "'%.60s' is no bandwidth; write " MEASURED ", or a number of GB/s from %g to %.0f",
            text, LEAST_GBS, MOST_GBS);
    return gbs;
}

/* Without a list: the measured one. */
static void read_bandwidths(const struct yaml_at *map, const char *key, struct bandwidths *b)
{
    struct yaml_at at = yaml_get(map, key);
    const bool list = yaml_present(&at) && at.node->type == YAML_SEQUENCE_NODE;
    b->count = list ? yaml_count(&at) : 1;
    if (!b->count)
        yaml_error(&at, "the list is empty");
    b->gbs = xcalloc(b->count + 1, sizeof *b->gbs);
    for (unsigned i = 0; i < b->count && yaml_present(&at) && !at.file->failed; i++) {
        struct yaml_at item = list_item(&at, i);
        b->gbs[i] = read_bandwidth(&item);
        for (unsigned j = 0; j < i; j++)
            if (b->gbs[j] == b->gbs[i])
                yaml_error(&item, "%s is given twice", yaml_text(&item));
    }
}

void read_roofline(const struct yaml_at *at, struct assignment *a)
{
    yaml_expect_keys(at, KEYS("bandwidth", "device_bandwidth"));
    read_bandwidths(at, "bandwidth", &a->bandwidth);
    read_bandwidths(at, "device_bandwidth", &a->device_bandwidth);
}
