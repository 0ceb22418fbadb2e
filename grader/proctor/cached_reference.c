#include "proctor/cached_reference.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fsio.h"
#include "proctor/cache.h"
#include "rundir/result_file.h"

/* The yardstick of the unit, if results of this unit are cached; else NULL. */
static const struct node_yardstick *yardstick_of(struct node_context *n, const struct unit *u)
{
    const struct tier *t = &n->run.assignment->tiers[u->tier];
    const char *yardstick = node_context_yardstick(n, t);
    struct err ignored = ERR_INIT;
    if (!n->run.plan->self_test || !n->run.plan->submissions[u->submission].is_reference ||
        !node_context_harness(n, t, HARNESS_CALIBRATED, &ignored))
        return NULL;
    return node_context_opened(n, yardstick);
}

/* Seconds that an unconfirmed result is used. The node was busy when it was measured. It may still
 * be: then another one would be no better. */
enum { UNCONFIRMED_AGE_MOST = 3600 };

static bool is_confirmed(struct unit_result *r, const struct node_context *n,
                         const struct known_times *known)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        struct case_result *c = &r->cases[i];
        if (!c->samples_count || c->case_index >= (int)n->run.cases.count)
            continue;
        case_result_derive(c, known_times_get(known, n->run.cases.item[c->case_index].shape),
                           n->run.assignment->performance.precision);
        if (!c->estimate.confirmed)
            return false;
    }
    return true;
}

static bool is_recent(const char *path)
{
    struct stat st;
    const time_t now = time(NULL);
    return stat(path, &st) == 0 && st.st_mtime <= now && now - st.st_mtime < UNCONFIRMED_AGE_MOST;
}

static bool is_good(struct unit_result *r, const struct node_context *n,
                    const struct known_times *known, const char *path)
{
    return r->verdict == VERDICT_PASS && (is_confirmed(r, n, known) || is_recent(path));
}

struct unit_result *cached_reference_find(struct node_context *n, const struct unit *u)
{
    const struct node_yardstick *y = yardstick_of(n, u);
    OWNED char *path = y ? cache_result_path(n, y, u) : NULL;
    struct unit_result *r = NULL;
    struct err ignored = ERR_INIT;
    if (path && fs_is_private(path) && unit_result_load(path, &r, &ignored) == 0 &&
        (strcmp(r->unit_id, u->id) != 0 || strcmp(r->host, n->host) != 0 ||
         !is_good(r, n, &y->harness.known, path))) {
        unit_result_free(r);
        r = NULL;
    }
    return r;
}

void cached_reference_keep(struct node_context *n, const struct unit *u,
                           const struct unit_result *r)
{
    const struct node_yardstick *y = r->verdict == VERDICT_PASS ? yardstick_of(n, u) : NULL;
    OWNED char *path = y ? cache_result_path(n, y, u) : NULL;
    struct err ignored = ERR_INIT;
    if (path) {
        unlink(path);
        unit_result_publish(r, path, &ignored); /* else it is measured again next time */
    }
}
