#include "measure/record_kept.h"

#include <math.h>
#include <unistd.h>

#include "base/fsio.h"
#include "rundir/node_file.h"

static struct node_record *load(const char *kept)
{
    struct node_record *n = NULL;
    struct err ignored = ERR_INIT;
    if (kept && fs_is_private(kept))
        node_record_load(kept, &n, &ignored);
    return n;
}

static bool has_sizes(const struct node_record *n, const struct test_case **sizes, size_t count)
{
    bool same = n->calibrations_count == count;
    for (size_t i = 0; same && i < count; i++)
        same = shape_equal(n->calibrations[i].shape, sizes[i]->shape);
    return same;
}

struct node_record *record_kept_load(const char *kept, const struct test_case **sizes, size_t count)
{
    struct node_record *n = load(kept);
    if (n && !has_sizes(n, sizes, count)) {
        node_record_free(n);
        n = NULL;
    }
    return n;
}

void record_kept_save(const char *kept, const struct node_record *n)
{
    struct err ignored = ERR_INIT;
    if (!kept)
        return;
    unlink(kept);
    node_record_publish(n, kept, &ignored);
}

void record_kept_improve(const char *kept, const struct known_times *known)
{
    struct node_record *n = load(kept);
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
        record_kept_save(kept, n);
    node_record_free(n);
}
