#include "report/short_calls.h"

#include "base/strbuf.h"
#include "report/text.h"

/* From here on, little is gained: docs/rules.md. */
static const double SHORT = 100e-6;
/* Operations per second of a worker that even slow code reaches. */
static const double SLOW = 1e9;

/* The shortest call of several workers, in a tier at a size; NULL: none is short. */
static const struct speed *shortest(const struct run *r, const struct scoreboard *b, int tier,
                                    struct shape size)
{
    const struct speed *found = NULL;
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        if (s->graded && r->plan->units[s->unit].tier == tier && launch_workers(s->launch) > 1 &&
            s->seconds.value < SHORT && shape_equal(s->shape, size) &&
            (!found || s->seconds.value < found->seconds.value))
            found = s;
    }
    return found;
}

/* The end of each message. */
static void add_advice(struct strbuf *out, unsigned tier)
{
    strbuf_addf(out,
                "Calls below 100 us are timed many at a time, and a kernel that computes several "
                "of them together seems faster than it is. In tiers[%u].points.speed, use a larger "
                "size (docs/rules.md, Short calls).\n",
                tier);
}

char *short_calls(const struct run *r, const struct scoreboard *b)
{
    const struct assignment *a = r->assignment;
    struct strbuf out = STRBUF_INIT;
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned k = 0; k < tier_size_count(a, &a->tiers[t]); k++) {
            const struct tier *tier = &a->tiers[t];
            const struct shape shape = tier_size(a, tier, k);
            const struct speed *s =
                tier_pays_speed(tier, shape) ? shortest(r, b, (int)t, shape) : NULL;
            char size[SHAPE_TEXT], seconds[TEXT_MOST], launch[TEXT_MOST];
            if (!s)
                continue;
            shape_format(shape, size);
            text_seconds(s->seconds.value, seconds);
            text_launch(tier, s->launch, launch);
            strbuf_addf(&out,
                        "\nshort calls: %s, tier %s: a call at size %s takes %s on %s (%s), and "
                        "there are points for its speed. ",
                        r->plan->assignment_path, tier->name, size, seconds, launch,
                        text_submission(r, (unsigned)s->unit));
            add_advice(&out, t);
        }
    return strbuf_detach(&out);
}

/* That of the tier with the most workers. */
static struct launch widest(const struct tier *t)
{
    struct launch most = tier_launch(t, 0);
    for (unsigned i = 1; i < tier_launch_count(t); i++)
        if (launch_workers(tier_launch(t, i)) > launch_workers(most))
            most = tier_launch(t, i);
    return most;
}

char *short_calls_foreseen(const struct assignment *a, const char *path)
{
    struct strbuf out = STRBUF_INIT;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const struct tier *tier = &a->tiers[t];
        const struct launch l = widest(tier);
        if (launch_workers(l) < 2 || tier->kernel->counts_are_claims)
            continue;
        for (unsigned k = 0; k < tier_size_count(a, tier); k++) {
            const struct shape shape = tier_size(a, tier, k);
            char size[SHAPE_TEXT], launch[TEXT_MOST];
            if (!tier_pays_speed(tier, shape) ||
                kernel_operations(tier->kernel, shape) >= SHORT * SLOW * launch_workers(l))
                continue;
            shape_format(shape, size);
            text_launch(tier, l, launch);
            strbuf_addf(&out,
                        "paragrade cases: warning: %s: tier '%s' gives points for speed at size "
                        "%s, where even slow code needs less than 100 us on %s. ",
                        path, tier->name, size, launch);
            add_advice(&out, t);
        }
    }
    return strbuf_detach(&out);
}
