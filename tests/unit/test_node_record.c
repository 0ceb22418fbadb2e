/* The ceilings of a node: what is measured, what lies between, what a record must have. */
#include "unit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/device_ceiling.h"
#include "model/result.h"
#include "rundir/node_file.h"

#include "test_dir.h"

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

static struct ceiling measured[] = {
    {.workers = 1, .gops = 50, .type_gops = {50, 60, 30}, .gbs = 10, .triad_gbs = 12},
    {.workers = 2, .gops = 98, .type_gops = {98, 118, 59}, .gbs = 18, .triad_gbs = NAN},
    {.workers = 4, .gops = 180, .type_gops = {180, NAN, 110}, .gbs = 24, .triad_gbs = 26},
};
static struct ceiling gpu[] = {{.workers = 1,
                                .gops = 30000,
                                .type_gops = {30000, 60000, 30000},
                                .gbs = 3000,
                                .triad_gbs = NAN}};

TEST(ceilings)
{
    static const struct node_record host = {
        .peak_gops = 50, .bandwidth_gbs = 10, .ceilings = measured, .ceilings_count = 3};
    static const struct node_record device = {.device = true,
                                              .peak_gops = 30000,
                                              .bandwidth_gbs = 3000,
                                              .ceilings = gpu,
                                              .ceilings_count = 1};
    static const struct node_record bare = {.peak_gops = 50, .bandwidth_gbs = 10};
    static const struct node_record bare_device = {
        .device = true, .peak_gops = 30000, .bandwidth_gbs = 3000};
    static const struct {
        const struct node_record *n;
        int workers;
        double peak, f32, f64, bandwidth;
    } table[] = {
        {&bare, 1, 50, NAN, NAN, 10},
        {&bare, 2, 100, NAN, NAN, NAN},
        {&bare_device, 1, 30000, NAN, NAN, 3000},
        {&bare_device, 8, 30000, NAN, NAN, 3000},
        {&host, 1, 50, 60, 30, 12},
        {&host, 2, 98, 118, 59, 18},
        {&host, 3, 147, 177, 88.5, 22},
        {&host, 4, 180, NAN, 110, 26},
        {&host, 8, 360, NAN, 220, 26},
        {&device, 1, 30000, 60000, 30000, 3000},
        {&device, 8, 30000, 60000, 30000, 3000},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct node_record *n = table[i].n;
        const int w = table[i].workers;
        const double peak = node_peak(n, w), f32 = node_type_peak(n, TYPE_F32, w),
                     f64 = node_type_peak(n, TYPE_F64, w), bandwidth = node_bandwidth(n, w);
        if (!same(peak, table[i].peak) || !same(f32, table[i].f32) || !same(f64, table[i].f64) ||
            !same(bandwidth, table[i].bandwidth))
            fail_msg("%zu: %g %g %g %g", i, peak, f32, f64, bandwidth);
    }
}

TEST(devices)
{
    struct pg_device d = {.gops = {[PG_I32] = 3, [PG_F32] = 2, [PG_F64] = 0}, .copy_gbs = 5};
    struct ceiling c = device_ceiling(&d, TYPE_F32);
    assert_true(c.workers == 1 && c.gops == 2 && c.gbs == 5);
    assert_true(c.type_gops[TYPE_I32] == 3 && c.type_gops[TYPE_F32] == 2);
    assert_true(isnan(c.type_gops[TYPE_F64]) && isnan(c.tensor_gops) && isnan(c.triad_gbs));
    d.gops[PG_F64] = INFINITY; /* from the driver, which nobody trusts */
    d.tensor_gops = -1;
    c = device_ceiling(&d, TYPE_F64);
    assert_true(isnan(c.gops) && isnan(c.tensor_gops));
}

#define RECORD(ceilings)                                                                           \
    "{\"host\": \"n\", \"yardstick\": \"\", \"model\": \"\", \"device\": false, \"started\": "     \
    "\"\", \"kernel\": \"\", \"microcode\": \"\", \"driver\": \"\", \"cores\": 1, "                \
    "\"cores_total\": 1, \"l2\": 0, \"l3\": 0, \"peak_gops\": 1, "                                 \
    "\"bandwidth_gbs\": 1, \"tiles\": false, \"overhead_us\": 1, \"calibrations\": [], "           \
    "\"ceilings\": [{\"workers\": 1, " ceilings "}]}"

#define TYPES(f32) "\"type_gops\": {\"i32\": 1, \"f32\": " f32 ", \"f64\": 1}, "
#define FIGURES(tensor, triad)                                                                     \
    "\"gops\": 70, \"gbs\": 14, \"tensor_gops\": " tensor ", \"triad_gbs\": " triad

static int load(const char *text, struct node_record **n, struct err *e)
{
    OWNED char *file = at("node.json");
    assert_int_equal(fs_write_atomic(file, text, strlen(text), NULL), 0);
    return node_record_load(file, n, e);
}

TEST(records)
{
    static const struct {
        const char *text, *says; /* says: of a record that is refused */
        double f32, tensor, triad;
    } table[] = {
        {RECORD(TYPES("1") "\"gops\": 70, \"tensor_gops\": 8, \"triad_gbs\": 7"), "'gbs'", 0, 0, 0},
        {RECORD(TYPES("\"x\"") FIGURES("8", "7")), "'f32'", 0, 0, 0},
        {RECORD(TYPES("1") FIGURES("8", "\"x\"")), "'triad_gbs'", 0, 0, 0},
        {RECORD(FIGURES("8", "7")), "'i32'", 0, 0, 0},
        {RECORD(TYPES("null") FIGURES("null", "null")), NULL, NAN, NAN, NAN},
        {RECORD(TYPES("9") FIGURES("8", "7")), NULL, 9, 8, 7},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct node_record *n, *again;
        struct err e = ERR_INIT;
        const int rc = load(table[i].text, &n, &e);
        if (table[i].says) {
            if (rc == 0 || !strstr(e.text, table[i].says))
                fail_msg("%zu: %d %s", i, rc, e.text);
            continue;
        }
        if (rc != 0)
            fail_msg("%zu: %s", i, e.text);
        OWNED char *file = at("again.json");
        unlink(file);
        assert_int_equal(node_record_publish(n, file, NULL), 0);
        assert_int_equal(node_record_load(file, &again, NULL), 0);
        for (int k = 0; k < 2; k++) {
            const struct ceiling *c = &(k ? again : n)->ceilings[0];
            if (!same(c->type_gops[TYPE_F32], table[i].f32) ||
                !same(c->tensor_gops, table[i].tensor) || !same(c->triad_gbs, table[i].triad) ||
                c->gops != 70 || c->gbs != 14)
                fail_msg("%zu, %d", i, k);
        }
        node_record_free(n);
        node_record_free(again);
    }
}

TESTS(test_dir_make, test_dir_remove)
