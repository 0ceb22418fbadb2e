#include "model/roofline.h"

#include <math.h>
#include <stdio.h>

#include "base/known.h"

/* Shares of the roof at which the advice changes. */
#define SLOW 0.1  /* below: vectors, caches or coalesced access are not used */
#define FAIR 0.5  /* below: there is a factor of two or more to gain */
#define GOOD 0.8  /* above: little is left to gain */
#define ABOVE 1.1 /* above: the model does not hold, because ceilings are only so precise */

/* Workers that lose more than this hold each other up. */
#define EFFICIENT 0.7

struct roofline roofline_of(double operations, double bytes, double seconds, double peak,
                            double bandwidth)
{
    struct roofline r = {.operations = operations,
                         .bytes = bytes,
                         .intensity = known_or_nan(operations / bytes),
                         .gops = known_or_nan(operations / seconds * 1e-9),
                         .peak = known_or_nan(peak),
                         .bandwidth = known_or_nan(bandwidth),
                         .roof = (double)NAN,
                         .fraction = (double)NAN};
    const double memory = r.intensity * r.bandwidth;
    if (isnan(memory) || isnan(r.peak))
        return r;
    r.bound = memory < r.peak ? BOUND_MEMORY : BOUND_COMPUTE;
    r.roof = fmin(memory, r.peak);
    r.fraction = r.gops / r.roof;
    return r;
}

const char *bound_name(enum bound b)
{
    static const char *const names[] = {
        [BOUND_UNKNOWN] = "", [BOUND_COMPUTE] = "compute", [BOUND_MEMORY] = "memory"};
    return names[b];
}

/* Advice for a kernel below the roof: whoever is far from it starts with the first one. */
struct advice {
    const char *slow, *fair, *near;
};

static const struct advice host_compute = {
    "compute in blocks that stay in the caches, with vector instructions",
    "keep a tile of the output in vector registers, and use each loaded value several times",
    "unroll the inner loop, copy blocks into contiguous memory, and load the next block early",
};
static const struct advice host_memory = {
    "read and write memory in the order of its addresses, with the inner loop over neighbours",
    "use vector instructions, and merge passes over the same data",
    "read each operand once, with long contiguous accesses",
};
static const struct advice device_compute = {
    "let neighbouring threads read neighbouring elements, and share tiles in shared memory",
    "let each thread compute a tile of the output in registers",
    "load the next tile while this one is computed, and use tensor cores if the type has them",
};
static const struct advice device_memory = {
    "let neighbouring threads read neighbouring elements (coalesced access)",
    "start more threads, and load several elements in each of them",
    "load 16 bytes at a time, and read each element once",
};

static const char *next_step(const struct roofline *r, const struct roofline_place *p)
{
    const bool memory = r->bound == BOUND_MEMORY;
    const struct advice *a = p->device ? memory ? &device_memory : &device_compute
                             : memory  ? &host_memory
                                       : &host_compute;
    if (p->workers > 1 && p->efficiency < EFFICIENT)
        return "give all workers equal shares of the work, and let them wait for each other less "
               "often";
    return r->fraction < SLOW ? a->slow : r->fraction < FAIR ? a->fair : a->near;
}

/* Faster than the roof: what the model leaves out. */
static void above_roof(const struct roofline *r, const struct roofline_place *p, size_t at,
                       char out[ROOFLINE_TEXT])
{
    const char *why;
    if (r->bound == BOUND_COMPUTE)
        why = "It uses faster units than multiply-adds of this type, or an algorithm with fewer "
              "operations.";
    else if (p->cache > 0 && r->bytes <= p->cache)
        why = "That is possible because the operands fit in the caches: try a larger size.";
    else
        why = "That is possible because a part of the operands stays in the caches.";
    snprintf(out + at, ROOFLINE_TEXT - at, " %s", why);
}

/* For three digits. */
static int decimals(double v)
{
    return v >= 100 ? 0 : v >= 10 ? 1 : v >= 1 ? 2 : 3;
}

void roofline_advice(const struct roofline *r, const struct roofline_place *p,
                     char out[ROOFLINE_TEXT])
{
    out[0] = '\0';
    if (r->bound == BOUND_UNKNOWN || isnan(r->fraction))
        return;
    const bool memory = r->bound == BOUND_MEMORY;
    const double limit = memory ? r->bandwidth : r->peak, percent = 100 * r->fraction;
    const char *unit = memory ? "GB/s" : "GOP/s", *by = memory ? "memory" : "arithmetic";
    size_t at = (size_t)snprintf(
        out, ROOFLINE_TEXT, "%s limits this kernel (%.*f operations per byte).",
        memory ? "Memory bandwidth" : "Arithmetic", decimals(r->intensity), r->intensity);
    if (p->rough && r->fraction >= FAIR) {
        snprintf(out + at, ROOFLINE_TEXT - at,
                 " The time is too rough to say how close it is to what %s allows (%.*f %s).", by,
                 decimals(limit), limit, unit);
        return;
    }
    at += (size_t)snprintf(out + at, ROOFLINE_TEXT - at,
                           " It reaches %s%.*f%% of what %s allows (%.*f %s).",
                           p->rough ? "about " : "", percent < 9.95 && !p->rough, percent, by,
                           decimals(limit), limit, unit);
    if (r->fraction > ABOVE)
        above_roof(r, p, at, out);
    else if (r->fraction >= GOOD)
        snprintf(out + at, ROOFLINE_TEXT - at, " Little is left to gain%s.",
                 memory ? ", unless it moves less data" : "");
    else
        snprintf(out + at, ROOFLINE_TEXT - at, " Next: %s.", next_step(r, p));
}
