#include "proctor/kept_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/stats.h"
#include "proctor/kept.h"
#include "rundir/result_file.h"

/* The yardstick of the unit, if results of this unit are kept; else NULL. */
static const struct node_yardstick *yardstick_of(struct node_context *n, const struct unit *u)
{
    const struct tier *t = &n->run.assignment->tiers[u->tier];
    const char *yardstick = node_context_yardstick(n, t);
    struct err ignored = ERR_INIT;
    if (!n->run.plan->self_test || !n->run.plan->submissions[u->submission].is_reference ||
        !node_context_harness(n, t, true, &ignored))
        return NULL;
    return node_context_opened(n, yardstick);
}

/* Seconds that a rough result is used. The node was busy when it was measured. It may still be:
 * then another one would be no better. */
enum { ROUGH_AGE_MOST = 3600 };

static bool is_rough(const struct unit_result *r)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct interval *x = &r->cases[i].relative;
        if (r->cases[i].blocks_count && !(sqrt(x->high / x->low) <= 1 + INTERVAL_ROUGH))
            return true;
    }
    return false;
}

static bool is_recent(const char *path)
{
    struct stat st;
    const time_t now = time(NULL);
    return stat(path, &st) == 0 && st.st_mtime <= now && now - st.st_mtime < ROUGH_AGE_MOST;
}

static bool is_good(const struct unit_result *r, const char *path)
{
    return r->verdict == VERDICT_PASS && (!is_rough(r) || is_recent(path));
}

/* Was it timed with the expected times that the node's record has now? The record may have been
 * measured anew since. */
static bool is_of_record(const struct unit_result *r, const struct node_context *n,
                         const struct expected_times *expected)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (!c->blocks_count)
            continue;
        if (c->case_index < 0 || (size_t)c->case_index >= n->run.cases.count)
            return false;
        const double now = expected_times_get(expected, n->run.cases.item[c->case_index].shape);
        if (!(c->yard_expected == now))
            return false;
    }
    return true;
}

struct unit_result *kept_reference_find(struct node_context *n, const struct unit *u)
{
    const struct node_yardstick *y = yardstick_of(n, u);
    char *path = y ? kept_result_path(n, y, u) : NULL;
    struct unit_result *r = NULL;
    struct err ignored = ERR_INIT;
    if (path && fs_is_private(path) && unit_result_load(path, &r, &ignored) == 0 &&
        (!is_good(r, path) || strcmp(r->unit_id, u->id) != 0 || strcmp(r->host, n->host) != 0 ||
         !is_of_record(r, n, &y->harness.expected_times))) {
        unit_result_free(r);
        r = NULL;
    }
    free(path);
    return r;
}

void kept_reference_keep(struct node_context *n, const struct unit *u, const struct unit_result *r)
{
    const struct node_yardstick *y = r->verdict == VERDICT_PASS ? yardstick_of(n, u) : NULL;
    char *path = y ? kept_result_path(n, y, u) : NULL;
    struct err ignored = ERR_INIT;
    if (path) {
        unlink(path);
        unit_result_publish(r, path, &ignored); /* else it is measured again next time */
    }
    free(path);
}
