#include "measure/record_cache.h"

#include <math.h>
#include <unistd.h>

#include "base/fsio.h"
#include "rundir/node_file.h"

static struct node_record *load(const char *cached)
{
    struct node_record *n = NULL;
    struct err ignored = ERR_INIT;
    if (cached && fs_is_private(cached))
        node_record_load(cached, &n, &ignored);
    return n;
}

static bool has_sizes(const struct node_record *n, const struct test_case **sizes, size_t count)
{
    bool same = n->calibrations_count == count;
    for (size_t i = 0; same && i < count; i++)
        same = shape_equal(n->calibrations[i].shape, sizes[i]->shape);
    return same;
}

struct node_record *record_cache_load(const char *cached, const struct test_case **sizes,
                                      size_t count)
{
    struct node_record *n = load(cached);
    if (n && !has_sizes(n, sizes, count)) {
        node_record_free(n);
        n = NULL;
    }
    return n;
}

void record_cache_save(const char *cached, const struct node_record *n)
{
    struct err ignored = ERR_INIT;
    if (!cached)
        return;
    unlink(cached);
    node_record_publish(n, cached, &ignored);
}

void record_known(const struct node_record *n, struct known_times *known)
{
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        known_times_note(known, c->shape, c->known);
        known_times_note(known, c->shape, estimate_alone(c->samples, c->samples_count));
    }
}

void record_cache_learn(const char *cached, struct known_times *known)
{
    struct node_record *n = load(cached);
    if (n)
        record_known(n, known);
    node_record_free(n);
}

void record_cache_improve(const char *cached, const struct known_times *known)
{
    struct node_record *n = load(cached);
    bool better = false;
    if (!n)
        return;
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct calibration *c = &n->calibrations[i];
        const double seconds = known_times_get(known, c->shape);
        if (seconds < fmin(c->known, estimate_alone(c->samples, c->samples_count))) {
            c->known = seconds;
            better = true;
        }
    }
    if (better)
        record_cache_save(cached, n);
    node_record_free(n);
}
