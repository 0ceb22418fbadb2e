#include "measure/acceptance.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

/* If a thread waited for a core for more than this share of a sample, the sample says more about
 * other programs than about the kernel. */
#define WAITED_SHARE 0.02

/* A case takes at most so many times max_samples blocks, accepted or not. */
enum { BLOCKS_FACTOR = 3 };

/* This part of the budget is always spent. Otherwise short kernels would have enough blocks within
 * one moment, in which the processor's clock may happen to be high. */
#define SPENT_LEAST 0.25

/* If a time is taken from several driver processes, then from at least so many. */
enum { PROCESSES_LEAST = 3 };

struct sample *blocks_samples(const struct block *blocks, unsigned count)
{
    struct sample *s = xcalloc(count + 1, sizeof *s);
    for (unsigned i = 0; i < count; i++)
        s[i] = blocks[i].sample;
    return s;
}

/* A block is accepted if the yardstick beside it took about `reference` seconds; with or_less, also
 * if it was faster. */
static struct marking mark(struct block *blocks, unsigned count, unsigned wanted, double reference,
                           bool or_less)
{
    struct sample *samples = blocks_samples(blocks, count);
    double *apart = xcalloc(count + 1, sizeof *apart);
    for (unsigned i = 0; i < count; i++) {
        const double slower = blocks[i].slower / reference;
        const double faster = or_less ? 0 : reference / blocks[i].faster;
        apart[i] = samples[i].waited > WAITED_SHARE ? (double)INFINITY : fmax(slower, faster);
    }
    struct marking m = summary_mark(samples, apart, count, wanted);
    for (unsigned i = 0; i < count; i++)
        blocks[i].sample.disturbed = samples[i].disturbed;
    free(samples);
    free(apart);
    return m;
}

/* The speed of a unit is compared with the baseline, which was timed when the node had a certain
 * speed. Blocks count that were taken at that speed, because a higher clock helps some kernels and
 * not others. If this leaves too few blocks, the node is faster now than it was then; then the
 * fastest run of the yardstick is the reference. */
static struct marking accept(struct block *blocks, unsigned count, const struct performance *p,
                             double expected)
{
    const unsigned wanted = (unsigned)p->min_samples;
    double fastest = (double)INFINITY;
    for (unsigned i = 0; i < count; i++)
        fastest = fmin(fastest, blocks[i].faster);
    struct marking then = mark(blocks, count, wanted, expected, false);
    if (then.accepted >= wanted || fastest >= expected)
        return then;
    struct marking now = mark(blocks, count, wanted, fastest, true);
    return now.accepted > then.accepted ? now : mark(blocks, count, wanted, expected, false);
}

struct estimate blocks_estimate(struct block *blocks, unsigned count, unsigned first,
                                const struct performance *p, const struct expected_time *x)
{
    const struct marking m = accept(blocks, count, p, x->seconds);
    struct estimate e = {.blocks = count - first, .strictest = summary_strictest(m)};
    struct sample *samples = blocks_samples(blocks, count);
    e.summary = summary_of(samples, count, x->recorded, p->precision);
    for (unsigned i = first; i < count; i++)
        e.accepted += !samples[i].disturbed;
    free(samples);
    return e;
}

void blocks_cores(const struct block *blocks, unsigned count, double *cores, double *busiest)
{
    *cores = *busiest = (double)NAN;
    for (unsigned i = 0; i < count; i++) {
        const struct block *b = &blocks[i];
        if (b->sample.disturbed || isnan(b->cores) || b->cores <= *cores)
            continue;
        *cores = b->cores;
        *busiest = b->busiest;
    }
}

unsigned series_blocks_most(const struct performance *p)
{
    const int several = PROCESSES_MOST * p->min_samples;
    return (unsigned)(BLOCKS_FACTOR * (several > p->max_samples ? several : p->max_samples));
}

/* For the first half of the wait budget only blocks will do that are accepted by the strictest
 * rule; after that, all that are accepted. */
bool series_complete(const struct series_plan *s, const struct estimate *e, int64_t spent_ms)
{
    const struct performance *p = &s->performance;
    const int blocks = (int)e->blocks, accepted = (int)e->accepted;
    if (blocks >= BLOCKS_FACTOR * p->max_samples || accepted >= p->max_samples)
        return true;
    if (spent_ms > p->budget_ms + s->wait_budget_ms)
        return blocks >= 1;
    if (e->strictest ? (double)spent_ms < SPENT_LEAST * (double)p->budget_ms
                     : spent_ms <= p->budget_ms + s->wait_budget_ms / 2)
        return false;
    if (e->summary.precise && accepted >= p->min_samples)
        return true;
    return spent_ms > p->budget_ms && accepted >= SUMMARY_FEW;
}

bool yardstick_disturbed(double seconds, const struct expected_time *x)
{
    return seconds > SUMMARY_STRICTEST * x->seconds;
}

/* The blocks that are still allowed must last for all of the remaining time. Otherwise a short
 * kernel would use them up in the first slow second. */
uint64_t series_wait_ns(const struct series_plan *s, unsigned taken, uint64_t spent_ns)
{
    const struct performance *p = &s->performance;
    const uint64_t all = (uint64_t)(p->budget_ms + s->wait_budget_ms) * 1000000;
    const unsigned most = (unsigned)(BLOCKS_FACTOR * p->max_samples);
    const unsigned left = most > taken + 1 ? most - taken : 1;
    return spent_ns < all ? (all - spent_ns) / left : 0;
}

/* As many accepted blocks as are needed to say what this process takes. */
struct series_plan series_of_one_process(const struct series_plan *all)
{
    struct series_plan s = *all;
    s.performance.budget_ms /= PROCESSES_LEAST;
    s.performance.max_samples = s.performance.min_samples;
    s.wait_budget_ms /= PROCESSES_LEAST;
    return s;
}

bool series_too_long(const struct series_plan *all, int64_t spent_ms, int64_t disturbed_ms)
{
    return PROCESSES_LEAST * (spent_ms - disturbed_ms) > 2 * all->performance.budget_ms;
}

struct series_plan series_rest(const struct series_plan *all, int64_t spent_ms)
{
    struct series_plan s = *all;
    s.performance.budget_ms -= spent_ms;
    s.wait_budget_ms /= PROCESSES_LEAST;
    return s;
}

bool series_needs_process(const struct series_plan *all, int processes, bool precise,
                          int64_t spent_ms)
{
    if (processes < PROCESSES_LEAST)
        return true;
    return processes < PROCESSES_MOST && !precise && spent_ms < all->performance.budget_ms;
}

int64_t wait_budget_left(int64_t wait_budget_ms, int64_t beyond_ms, const struct interference *i)
{
    const int64_t disturbed_ms = (int64_t)(i->disturbed_ns / 1000000);
    const int64_t charge = beyond_ms < disturbed_ms ? beyond_ms : disturbed_ms;
    if (charge <= 0)
        return wait_budget_ms;
    return charge < wait_budget_ms ? wait_budget_ms - charge : 0;
}
