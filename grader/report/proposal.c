#include "report/proposal.h"

#include <math.h>

#include "base/plural.h"
#include "report/text.h"

/* Students who come this close to the reference get all points. */
static const double FULL = 0.8;

/* The value of a speed-up as the tier's metric counts it. */
static double as_metric(enum speed_metric m, double speedup, const struct speed *own)
{
    switch (m) {
    case METRIC_GOPS:
        return speedup * own->gops / own->speedup.value;
    case METRIC_FRACTION:
        return speedup / own->speedup.value;
    case METRIC_SPEEDUP:
        break;
    }
    return speedup;
}

static bool is_reference(const struct run *r, const struct speed *s)
{
    return r->plan->submissions[r->plan->units[s->unit].submission].is_reference && s->graded &&
           isfinite(s->speedup.value);
}

/* The fastest launch of the reference in a tier at a size, or NULL. */
static const struct speed *fastest(const struct run *r, const struct scoreboard *b, int tier,
                                   struct shape shape)
{
    const struct speed *best = NULL;
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        if (is_reference(r, s) && r->plan->units[s->unit].tier == tier &&
            shape_equal(s->shape, shape) && (!best || s->speedup.value > best->speedup.value))
            best = s;
    }
    return best;
}

/* The fastest tier that is clearly slower than this one: its speed is what students had before. */
static double slower(const struct run *r, const struct scoreboard *b, const struct speed *own)
{
    double most = fmin(1, 0.5 * own->speedup.value);
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const struct speed *s = fastest(r, b, (int)t, own->shape);
        if (s && s->speedup.value < 0.5 * own->speedup.value && s->speedup.value > most)
            most = s->speedup.value;
    }
    return most;
}

static void print_curve(const struct run *r, const struct scoreboard *b, unsigned tier,
                        const struct speed_rule *rule, FILE *f)
{
    const struct tier *t = &r->assignment->tiers[tier];
    const struct speed *own = fastest(r, b, (int)tier, rule->shape);
    char size[SHAPE_TEXT], text[3][TEXT_MOST];
    shape_format(rule->shape, size);
    if (!own) {
        fprintf(f, "  %-10s %-6s the run has no time of the reference\n", t->name, size);
        return;
    }
    const double from = slower(r, b, own), to = FULL * own->speedup.value;
    const double value[3] = {from, sqrt(from * to), to};
    for (int i = 0; i < 3; i++)
        text_number(as_metric(t->points.metric, value[i], own), text[i]);
    fprintf(f, "  %-10s %-6s metric: %s, curve: [[%s, 0], [%s, 0.5], [%s, 1]]\n", t->name, size,
            metric_name(t->points.metric), text[0], text[1], text[2]);
}

void proposal_print_curves(const struct run *r, const struct scoreboard *b, FILE *f)
{
    bool any = false;
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const struct tier_points *p = &r->assignment->tiers[t].points;
        for (unsigned i = 0; i < p->speed_count; i++) {
            if (p->speed[i].every_size)
                continue;
            if (!any)
                fprintf(f, "\nCurves, from the speeds of the reference in %s\n", text_run_name(r));
            any = true;
            print_curve(r, b, t, &p->speed[i], f);
        }
    }
}

void proposal_print_hours(const struct run *r, const struct results *res, int students, FILE *f)
{
    double seconds = 0;
    unsigned units = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || !r->plan->submissions[r->plan->units[i].submission].is_reference ||
            u->verdict != VERDICT_PASS)
            continue;
        seconds += u->total_seconds; /* with building */
        units++;
    }
    if (units)
        term_print(f, 2,
                   "\nA class of %d: about %.2g node-hours (%u %s of %.3g s together, as the "
                   "reference takes them).\n",
                   students, seconds * students / 3600, units, plural(units, "tier", "tiers"),
                   seconds);
}
