/* What a node was measured to be: speed-ups are divided by it. */
#include "fuzz.h"
#include "rundir/node_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct node_record *n;
    struct err e = ERR_INIT;
    int rc = node_record_load(fuzz_file(data, size), &n, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
        FUZZ_ASSERT(!n);
        return 0;
    }
    FUZZ_ASSERT(n->host && n->model && n->yardstick && n->started);
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct shape s = n->calibrations[i].shape;
        FUZZ_ASSERT(shape_dims(s) > 0);
        FUZZ_ASSERT(node_calibration(n, s));
    }
    node_record_derive(n, NULL, 0.1);
    for (unsigned i = 0; i < n->calibrations_count; i++)
        FUZZ_ASSERT(n->calibrations[i].ratio.n <= n->calibrations[i].samples_count);
    node_record_free(n);
    return 0;
}
