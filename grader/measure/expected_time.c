#include "measure/expected_time.h"

#include "model/summary.h"

void interference_note(struct interference *w, double before, double after,
                       const struct expected_time *p, uint64_t ns)
{
    double slower = fmax(before, after);
    w->fastest = fmin(w->fastest, fmin(before, after));
    w->calmest = fmin(w->calmest, slower);
    if (slower > SUMMARY_CALM * p->seconds)
        w->restless_ns += ns;
}

void expected_time_update(struct expected_time *p, const struct interference *w, bool patient)
{
    if (isnan(p->recorded)) {
        p->seconds = fmin(p->seconds, w->fastest);
        return;
    }
    if (!patient && isfinite(w->calmest) && w->calmest > SUMMARY_RESTLESS * p->seconds)
        p->seconds = w->fastest;
    p->seconds = fmax(p->recorded, fmin(p->seconds, w->fastest));
}
