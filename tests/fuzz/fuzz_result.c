/* A unit's result as it lies in the run directory: half-written, edited, or another program's. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "rundir/result_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct unit_result *r;
    struct err e = ERR_INIT;
    int rc = unit_result_load(fuzz_file(data, size), &r, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
        FUZZ_ASSERT(!r);
        return 0;
    }
    FUZZ_ASSERT(r->unit_id && r->message && r->host && r->verdict < VERDICT_COUNT);
    FUZZ_ASSERT(r->protections >= PROTECTIONS_UNKNOWN && r->protections < 1 << PROTECTION_COUNT);
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        FUZZ_ASSERT(c->verdict < VERDICT_COUNT && c->case_index >= 0);
        FUZZ_ASSERT(c->launch.ranks > 0 && c->launch.threads > 0);
        FUZZ_ASSERT(memchr(c->message, '\0', sizeof c->message));
        FUZZ_ASSERT(memchr(c->mismatch.pattern, '\0', sizeof c->mismatch.pattern));
        for (unsigned k = 0; k < c->samples_count; k++)
            FUZZ_ASSERT(c->samples[k].unit > 0 && c->samples[k].alone > 0 &&
                        c->samples[k].start >= (k ? c->samples[k - 1].start : 0));
        case_result_derive(&r->cases[i], (double)NAN, 0.1);
        FUZZ_ASSERT(!c->samples_count || c->estimate.seconds.value > 0);
        FUZZ_ASSERT(c->estimate.starts <= c->samples_count);
    }
    const struct case_result *c = unit_result_first_failure(r);
    FUZZ_ASSERT(!c || c->verdict == r->verdict);
    unit_result_free(r);
    return 0;
}
