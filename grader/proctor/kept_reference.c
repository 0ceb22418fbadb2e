#include "proctor/kept_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "proctor/kept.h"
#include "rundir/result_file.h"

/* Where the unit's result is kept; NULL: nowhere. */
static char *path_of(struct node_context *n, const struct unit *u)
{
    const struct tier *t = &n->run.assignment->tiers[u->tier];
    const char *yardstick = node_context_yardstick(n, t);
    struct err ignored = ERR_INIT;
    if (!n->run.plan->self_test || !n->run.plan->submissions[u->submission].is_reference ||
        !node_context_harness(n, t, true, &ignored))
        return NULL;
    for (unsigned i = 0; i < n->yardsticks_count; i++)
        if (strcmp(n->yardsticks[i].tier, yardstick) == 0)
            return kept_result_path(n, &n->yardsticks[i], u);
    return NULL;
}

/* Half of a 95 % interval, at most: what is kept is used again and again. */
#define KEPT_PRECISION 0.15

static bool is_good(const struct unit_result *r)
{
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct interval *x = &r->cases[i].relative;
        if (r->cases[i].blocks_count && !(sqrt(x->high / x->low) <= 1 + KEPT_PRECISION))
            return false;
    }
    return r->verdict == VERDICT_PASS;
}

struct unit_result *kept_reference_find(struct node_context *n, const struct unit *u)
{
    char *path = path_of(n, u);
    struct unit_result *r = NULL;
    struct err ignored = ERR_INIT;
    if (path && fs_is_private(path) && unit_result_load(path, &r, &ignored) == 0 &&
        (!is_good(r) || strcmp(r->unit_id, u->id) != 0 || strcmp(r->host, n->host) != 0)) {
        unit_result_free(r);
        r = NULL;
    }
    free(path);
    return r;
}

void kept_reference_keep(struct node_context *n, const struct unit *u, const struct unit_result *r)
{
    char *path = is_good(r) ? path_of(n, u) : NULL;
    struct err ignored = ERR_INIT;
    if (path) {
        unlink(path);
        unit_result_publish(r, path, &ignored); /* else it is measured again next time */
    }
    free(path);
}
