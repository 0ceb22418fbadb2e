#include "execute/again.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"

/* Of the time that all units took. */
static const double SHARE = 0.25;

static bool is_confirmed(const struct unit_result *u)
{
    for (unsigned i = 0; i < u->cases_count; i++)
        if (u->cases[i].samples_count && !u->cases[i].estimate.confirmed)
            return false;
    return true;
}

static bool was_chosen(const struct run *r, const char *id)
{
    OWNED char *path = rundir_first_result(r->dir, id);
    return fs_exists(path);
}

/* Is its result older than the plan? Then a regrade has kept it. */
static bool was_kept(const struct run *r, const char *id)
{
    struct stat result, plan;
    OWNED char *of_result = rundir_result(r->dir, id), *of_plan = rundir_plan(r->dir);
    const bool known = stat(of_result, &result) == 0 && stat(of_plan, &plan) == 0;
    return known && (result.st_mtim.tv_sec != plan.st_mtim.tv_sec
                         ? result.st_mtim.tv_sec < plan.st_mtim.tv_sec
                         : result.st_mtim.tv_nsec < plan.st_mtim.tv_nsec);
}

static bool wanted(const struct run *r, const struct unit *u, const struct unit_result *result)
{
    const struct tier *t = &r->assignment->tiers[u->tier];
    return result && !u->preset && result->verdict == VERDICT_PASS && t->points.speed_count &&
           !is_confirmed(result) && !was_chosen(r, u->id) && !was_kept(r, u->id);
}

/* The record says that nothing failed: no attempt is lost that has begun and left no result. */
static int set_aside(const struct run *r, const char *id, struct err *e)
{
    char tag[64];
    snprintf(tag, sizeof tag, "again-%llx", (unsigned long long)clock_mono_ns());
    const struct attempt_failure f = {.tag = tag,
                                      .reason = "its times were not confirmed: it is timed further",
                                      .postponed = true};
    if (attempt_fail(r->dir, id, &f, e) != 0)
        return -1;
    OWNED char *path = rundir_result(r->dir, id), *first = rundir_first_result(r->dir, id);
    int rc = 0;
    if (rename(path, first) != 0)
        rc = err_system(e, "%s: cannot be renamed: %s", path, strerror(errno));
    return rc;
}

int again_choose(const struct run *r, const struct results *res, struct err *e)
{
    double left = 0;
    int chosen = 0;
    if (r->plan->self_test || r->plan->sweep)
        return 0;
    for (unsigned i = 0; i < res->unit_count; i++)
        if (res->unit[i] && was_chosen(r, res->unit[i]->unit_id))
            left -= res->unit[i]->total_seconds;
        else if (res->unit[i])
            left += SHARE * res->unit[i]->total_seconds;
    for (unsigned i = 0; i < res->unit_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!wanted(r, &r->plan->units[i], u) || u->total_seconds > left)
            continue;
        left -= u->total_seconds;
        if (set_aside(r, u->unit_id, e) != 0)
            return -1;
        chosen++;
    }
    return chosen;
}
