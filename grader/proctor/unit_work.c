#include "proctor/unit_work.h"

#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "proctor/fault.h"
#include "proctor/unit_record.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"

/* What one driver leaves must not keep the next one from starting. */
static void clear_directory(const char *dir)
{
    if (!dir)
        return;
    fs_remove_tree(dir, NULL);
    fs_mkdirs(dir, NULL);
}

static int start(struct unit_work *w, struct outcome *o)
{
    node_context_end_orphans(w->job->node);
    clear_directory(w->spec.scratch);
    clear_directory(w->spec.shm);
    driver_start(&w->driver, &w->spec, w->deadline, o);
    w->protections &= w->driver.protections;
    return o->kind == OUTCOME_OK ? 0 : -1;
}

int unit_driver_restart(struct unit_work *w, struct outcome *o)
{
    unit_record_driver(w->result, &w->driver);
    driver_end(&w->driver);
    if (start(w, o) != 0)
        return -1;
    driver_pin(&w->driver, w->spec.cpus, w->spec.cpu_count);
    return 0;
}

int unit_driver_ensure(struct unit_work *w, struct finding *f, struct err *e)
{
    struct outcome o;
    if (driver_alive(&w->driver) || start(w, &o) == 0)
        return 0;
    return unit_driver_lost(w, &o, f, e);
}

int unit_driver_lost(struct unit_work *w, const struct outcome *o, struct finding *f, struct err *e)
{
    const struct lost_driver lost = {.driver = &w->driver, .outcome = o, .alone = true};
    char message[sizeof f->message];
    const int failures_most = w->job->node->run.assignment->limits.failures;
    unit_record_driver(w->result, &w->driver);
    enum verdict v = fault_attribute(w->harness, &lost, w->end, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    f->verdict = v;
    memcpy(f->message, message, sizeof message);
    w->failures++;
    w->wrong = true;
    if (o->kind == OUTCOME_UNIT_TIMEOUT || o->kind == OUTCOME_LOAD_FAILED ||
        w->failures >= failures_most)
        w->over = true;
    return 0;
}

void unit_driver_end(struct unit_work *w)
{
    unit_record_driver(w->result, &w->driver);
    if (driver_alive(&w->driver))
        driver_end(&w->driver);
}

bool unit_time_to_spare(const struct unit_work *w)
{
    const uint64_t half = (uint64_t)w->job->node->run.assignment->limits.unit_ms * 1000000 / 2;
    return clock_mono_ns() + half < w->deadline;
}
