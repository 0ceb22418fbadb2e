#include "measure/harness_again.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "supervise/arena_parts.h"
#include "supervise/driver_halt.h"

/* By then, a thread that is left has written something, also where other programs keep it from a
 * core. */
enum { LATER_MS = 300, LOOK_MS = 10 };

static void add_output(struct again *a, const void *output, size_t bytes)
{
    char hash[HASH_HEX];
    hash_bytes(output, bytes, hash);
    for (int i = 0; i < a->different; i++)
        if (strcmp(a->wrongs[i], hash) == 0)
            return;
    memcpy(a->wrongs[a->different++], hash, sizeof hash);
}

int harness_again(struct harness *h, const struct batch *b, int runs, uint64_t ns, struct again *a,
                  struct finding *f, struct outcome *o)
{
    const uint64_t start = clock_mono_ns();
    const struct shape shape = b->test_case->shape;
    *a = (struct again){0};
    if (harness_lay_out(h, shape, 1, b->driver->computes, o) == 0)
        driver_case(b->driver, &h->arena, false, o);
    for (int i = 0; i < runs && i < AGAIN_MOST && o->kind == OUTCOME_OK; i++) {
        struct timing t = {0};
        struct finding one = FINDING_INIT;
        if (ns && clock_mono_ns() - start >= ns)
            break;
        harness_run_batch(h, b, &one, &t, o);
        if (one.failed_runs)
            add_output(a, arena_output(&h->arena, 0), h->arena.out_bytes);
        a->first_wrong = a->first_wrong || (!a->runs && one.failed_runs);
        a->runs += one.runs;
        a->wrong += one.failed_runs;
        f->runs += one.runs;
        f->failed_runs += one.failed_runs;
    }
    return o->kind == OUTCOME_OK ? 0 : -1;
}

bool harness_changes_later(struct harness *h, struct driver_process *d, size_t bytes)
{
    void *before = malloc(bytes);
    bool changed = false;
    if (before) {
        memcpy(before, arena_output(&h->arena, 0), bytes);
        driver_resume(d);
        for (int ms = 0; ms < LATER_MS && !changed; ms += LOOK_MS) {
            clock_sleep_ms(LOOK_MS);
            if (d->spec.spread)
                arena_gather(&h->arena, 1);
            changed = memcmp(before, arena_output(&h->arena, 0), bytes) != 0;
        }
        driver_halt(d);
    }
    free(before);
    return changed;
}
