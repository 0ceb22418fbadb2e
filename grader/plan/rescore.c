#include "plan/rescore.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/assignment_running.h"
#include "plan/overrides_copy.h"
#include "plan/submitted.h"
#include "rundir/parts.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

static int refuse(const char *path, const char *field, struct err *e)
{
    return err_input(e,
                     "%s: %s differs from the assignment of the run, so units would run "
                     "differently. To run them again: paragrade regrade --assignment %s RUN",
                     path, field, path);
}

static bool same_tiers(const struct assignment *a, const struct assignment *b)
{
    bool same = a->tiers_count == b->tiers_count;
    for (unsigned t = 0; same && t < a->tiers_count; t++)
        same = strcmp(a->tiers[t].name, b->tiers[t].name) == 0;
    return same;
}

/* Do samples stay what they are? */
static int check_running(const struct run *old, const char *path, struct err *e)
{
    struct assignment *a = NULL;
    json_auto_t *was = NULL, *is = NULL;
    OWNED char *mine = rundir_assignment(old->dir), *field = NULL;
    int rc = assignment_load(path, &a, e);
    if (rc == 0)
        rc = assignment_prepare(a, false, plan_profile(old->plan), NULL, e);
    if (rc == 0)
        rc = assignment_running_load(mine, old->plan->profile, &was, e);
    if (rc == 0)
        rc = assignment_running_load(path, old->plan->profile, &is, e);
    if (rc == 0 && !same_tiers(old->assignment, a))
        rc = refuse(path, "the list of tiers", e);
    if (rc == 0)
        field = assignment_running_differs(was, is);
    for (unsigned t = 0; rc == 0 && !field && t < a->tiers_count; t++)
        field = assignment_running_tier_differs(was, is, a->tiers[t].name);
    if (field)
        rc = refuse(path, field, e);
    assignment_free(a);
    return rc;
}

/* All that is not made again. */
static int keep(const struct run *old, const char *draft, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (fs_list(old->dir, &names, &n, e) != 0)
        return -1;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        bool again = names[i][0] == '.' || strcmp(names[i], part_name(PART_EARLIER)) == 0;
        for (int p = 0; p < PART_COUNT; p++)
            again = again || (part_is_record((enum part)p) && p != PART_RESUME_OPTIONS &&
                              part_has_name((enum part)p, names[i]));
        if (!again)
            rc = revision_keep(old->dir, draft, names[i], e);
    }
    return rc;
}

/* What says anew what results are worth. */
struct policy {
    const char *assignment;
    bool from_run; /* it is the copy in the run */
    const char *overrides;
};

/* submitted.csv as it is now. A time that it no longer has stays, and so do those of files: nothing
 * was handed in since. */
static int read_times(const struct run *old, struct plan *p, struct err *e)
{
    FREED_BY(submitted_free) struct submitted times = {0};
    int rc = 0;
    for (unsigned i = 0; i < p->submissions_count && rc == 0; i++) {
        struct submission *s = &p->submissions[i];
        const int64_t modified = s->modified;
        OWNED char *copy = rundir_sources(old->dir, s->id);
        if (!s->is_reference)
            rc = submitted_find(&times, s, copy, e);
        s->modified = modified;
    }
    return rc;
}

static int save(const struct run *old, const char *draft, const struct policy *new,
                struct strbuf *notes, struct err *e)
{
    OWNED char *to = rundir_assignment(draft);
    struct plan *p;
    int rc = fs_copy(new->assignment, to, SIZE_MAX / 2, e);
    if (rc != 0 || plan_load(old->dir, &p, e) != 0)
        return -1;
    plan_revise(p, "rescore");
    if (!new->from_run) {
        free(p->assignment_path);
        p->assignment_path = fs_absolute_link(new->assignment);
    }
    if (new->overrides) {
        free(p->overrides_path);
        p->overrides_path = fs_absolute(new->overrides);
    }
    OWNED char *kept = rundir_overrides(old->dir);
    rc = read_times(old, p, e);
    if (rc == 0)
        rc = overrides_copy(p, old->assignment, kept, draft, notes, e);
    if (rc == 0)
        rc = plan_save(p, draft, e);
    if (rc == 0)
        rc = revision_archive_records(old->dir, draft, p->revision, e);
    plan_free(p);
    return rc;
}

int rescore_make(const struct run *old, const char *assignment, const char *overrides, char **draft,
                 struct strbuf *notes, struct err *e)
{
    OWNED char *mine = rundir_assignment(old->dir);
    const char *path = assignment ? assignment : old->plan->assignment_path;
    const bool from_run = !assignment && !fs_exists(path);
    *draft = NULL;
    if (from_run) {
        strbuf_addf(notes, "%s is not there any more: the assignment in the run stays\n", path);
        path = mine;
    }
    int rc = from_run ? 0 : check_running(old, path, e);
    if (rc == 0)
        rc = revision_begin(old->dir, draft, e);
    if (rc == 0) {
        rc = keep(old, *draft, e);
        if (rc == 0)
            rc = save(old, *draft, &(struct policy){path, from_run, overrides}, notes, e);
        if (rc != 0) {
            revision_abandon(*draft);
            free(*draft);
            *draft = NULL;
        }
    }
    return rc;
}
