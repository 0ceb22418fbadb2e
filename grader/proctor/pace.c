#include "proctor/pace.h"

#include "model/summary.h"

void weather_look(struct weather *w, double before, double after, const struct pace *p, uint64_t ns)
{
    double slower = fmax(before, after);
    w->fastest = fmin(w->fastest, fmin(before, after));
    w->calmest = fmin(w->calmest, slower);
    if (slower > SUMMARY_CALM * p->seconds)
        w->restless_ns += ns;
}

void pace_keep(struct pace *p, const struct weather *w, bool patient)
{
    if (isnan(p->recorded)) {
        p->seconds = fmin(p->seconds, w->fastest);
        return;
    }
    if (!patient && isfinite(w->calmest) && w->calmest > SUMMARY_RESTLESS * p->seconds)
        p->seconds = w->fastest;
    p->seconds = fmax(p->recorded, fmin(p->seconds, w->fastest));
}
