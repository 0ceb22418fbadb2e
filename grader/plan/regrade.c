#include "plan/regrade.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "model/assignment_running.h"
#include "model/protection.h"
#include "plan/overrides_copy.h"
#include "plan/regrade_draft.h"
#include "rundir/find_submission.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

/* The assignment of the regraded run: a file, or the copy in the run. */
static int load_assignment(struct regrade *g, struct err *e)
{
    const struct plan *p = g->old->plan;
    const char *path = g->req->assignment ? g->req->assignment : p->assignment_path;
    g->d.a = g->old->assignment;
    if (g->choice.part)
        return 0;
    if (!g->req->assignment && !fs_exists(path)) {
        strbuf_addf(g->req->notes,
                    "%s is not there any more: the assignment and the reference in "
                    "the run stay\n",
                    path);
        return 0;
    }
    if (assignment_load(path, &g->loaded, e) != 0)
        return -1;
    g->d.a = g->loaded;
    g->plan.assignment = path;
    return assignment_prepare(g->loaded, false, plan_profile(p), NULL, e);
}

/* Has the run units of a tier? Those of the reference count where students hand in nothing. */
static bool tier_in_run(const struct run *r, unsigned t)
{
    bool students = false, in_run = false;
    for (unsigned i = 0; i < r->plan->submissions_count; i++)
        students = students || !r->plan->submissions[i].is_reference;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        in_run =
            in_run || (u->tier == (int)t && (!students || r->assignment->tiers[t].reference_only ||
                                             !r->plan->submissions[u->submission].is_reference));
    }
    return in_run;
}

/* The tiers of a run that was made with --tier, as far as they still exist. */
static void choose_names(struct regrade *g)
{
    const struct assignment *a = g->old->assignment;
    bool all = true;
    g->names = xcalloc(a->tiers_count + 1, sizeof *g->names);
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const bool in_run = tier_in_run(g->old, t);
        if (in_run && assignment_tier(g->d.a, a->tiers[t].name) >= 0)
            g->names[g->plan.tiers_count++] = a->tiers[t].name;
        all = all && in_run;
    }
    g->plan.tiers = g->names;
    if (all) /* then new ones are in it, too */
        g->plan.tiers_count = 0;
}

static void start_plan(struct regrade *g)
{
    const struct plan *was = g->old->plan;
    struct plan *p = xcalloc(1, sizeof *p);
    p->run_id = xstrdup(was->run_id);
    p->created = xstrdup(was->created);
    p->assignment_path =
        g->loaded ? fs_absolute_link(g->plan.assignment) : xstrdup(was->assignment_path);
    if (g->req->overrides)
        p->overrides_path = fs_absolute(g->req->overrides);
    else if (was->overrides_path)
        p->overrides_path = xstrdup(was->overrides_path);
    p->profile = xstrdup(was->profile);
    p->seed = was->seed;
    if (g->loaded && was->seed == g->old->assignment->seed) /* not that of an option */
        p->seed = g->loaded->seed;
    p->revision = was->revision;
    plan_revise(p, "regrade");
    p->roster_columns_count = was->roster_columns_count;
    p->roster_columns = texts_copy(was->roster_columns, was->roster_columns_count);
    g->d.p = p;
}

/* What is not of a single submission. */
static int copy_common(struct regrade *g, struct err *e)
{
    static const char *const kept[] = {"assignment.yaml", "adapters", "matrices", "kernel",
                                       "template"};
    if (g->loaded)
        return draft_copy_assignment(&g->d, e) == 0 ? draft_check_reference(&g->d, e) : -1;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (revision_keep(g->old->dir, g->d.dir, kept[i], e) != 0)
            return -1;
    return 0;
}

/* Only some submissions are looked at. */
static void note_other_tools(struct regrade *g)
{
    OWNED char *why = other_tools_for_all(&g->tools);
    for (unsigned i = 0; !why && i < g->old->plan->units_count; i++)
        why = other_tools_for_unit(&g->tools, i);
    if (why)
        strbuf_addf(g->req->notes,
                    "since the run was graded, something else has changed (%s). The other units "
                    "keep their results from before\n",
                    why);
}

/* Compare what all units depend on. */
static int compare_common(struct regrade *g, struct err *e)
{
    OWNED char *before = rundir_assignment(g->old->dir), *now = rundir_assignment(g->d.dir);
    int rc = assignment_running_load(before, g->old->plan->profile, &g->was, e);
    if (rc == 0)
        rc = assignment_running_load(now, g->old->plan->profile, &g->is, e);
    g->out->policy = !digest_same_files(before, now);
    if (rc == 0 && !g->choice.part) {
        cases_make(g->d.a, g->d.p->seed, &g->cases);
        const struct inputs was = regrade_inputs_before(g), is = regrade_inputs_now(g);
        g->all_because = inputs_differ_for_all(&was, &is);
        if (!g->all_because)
            g->all_because = other_tools_for_all(&g->tools);
    } else if (rc == 0) {
        note_other_tools(g);
    }
    return rc;
}

static int take_overrides(struct regrade *g, struct err *e)
{
    OWNED char *was = rundir_overrides(g->old->dir), *is = rundir_overrides(g->d.dir);
    char x[DIGEST_HEX] = "", y[DIGEST_HEX] = "";
    int rc = overrides_copy(g->d.p, g->d.a, was, g->d.dir, g->req->notes, e);
    digest_file(was, x, NULL);
    digest_file(is, y, NULL);
    g->out->policy = g->out->policy || strcmp(x, y) != 0;
    return rc;
}

/* A file that has not changed was not handed in again, whatever its time says now. */
static void keep_times(struct regrade *g)
{
    for (unsigned s = 0; s < g->d.p->submissions_count; s++) {
        struct submission *is = &g->d.p->submissions[s];
        const int at = find_submission(g->old->plan, is->id, NULL);
        if (at < 0)
            continue;
        const struct submission *was = &g->old->plan->submissions[at];
        if (!g->handed_in[s] && was->modified != PLAN_NO_TIME)
            is->modified = was->modified;
        if (!g->handed_in[s] && is->submitted == PLAN_NO_TIME)
            is->submitted = was->submitted;
        g->out->policy = g->out->policy || is->submitted != was->submitted;
    }
}

/* Records of nodes are kept unless everything runs again: then they are measured again, too. */
static int finish_draft(struct regrade *g, struct err *e)
{
    const unsigned n = g->d.p->revision;
    keep_times(g);
    int rc = g->all_because ? revision_archive(g->old->dir, g->d.dir, n, "nodes", e)
                            : revision_keep(g->old->dir, g->d.dir, "nodes", e);
    if (rc == 0)
        rc = take_overrides(g, e);
    if (rc == 0)
        rc = revision_keep(g->old->dir, g->d.dir, "resume.json", e);
    if (rc == 0)
        rc = revision_archive_records(g->old->dir, g->d.dir, n, e);
    if (rc == 0)
        rc = fs_sync(g->d.dir, e);
    return rc == 0 ? plan_save(g->d.p, g->d.dir, e) : -1;
}

static int make(struct regrade *g, struct err *e)
{
    if (load_assignment(g, e) != 0 || revision_begin(g->old->dir, &g->out->draft, e) != 0)
        return -1;
    g->d.req = &g->plan;
    g->d.dir = g->out->draft;
    start_plan(g);
    choose_names(g);
    if (draft_choose_tiers(&g->d, e) != 0)
        return -1;
    /* Whether a tier can run here matters only for units that run again. */
    g->skipped = g->d.tier_skipped;
    g->d.tier_skipped = xcalloc(g->d.a->tiers_count + 1, sizeof *g->d.tier_skipped);
    int rc = copy_common(g, e);
    if (rc == 0)
        rc = regrade_submissions(g, e);
    if (rc == 0)
        rc = compare_common(g, e);
    if (rc == 0)
        rc = regrade_units(g, e);
    if (rc == 0 && g->req->here && g->out->again)
        rc = protection_check_here(g->d.a->protections, e);
    return rc == 0 ? finish_draft(g, e) : rc;
}

int regrade_make(const struct regrade_request *req, struct regrade_plan *out, struct err *e)
{
    struct regrade g = {.req = req, .old = req->old, .out = out, .gone = STRBUF_INIT};
    *out = (struct regrade_plan){0};
    g.plan = (struct plan_request){.with_reference = true,
                                   .here = req->here,
                                   .notes = req->notes,
                                   .reports_dir = "",
                                   .progress = req->progress};
    if (req->progress) {
        req->progress->total = g.old->plan->submissions_count;
        progress_update(req->progress, 0, "reading the results of the run");
    }
    /* A damaged result is like none: its unit runs again. One that cannot be opened may be whole.
     */
    struct err why = ERR_INIT;
    int rc = 0;
    if (results_load(g.old, &g.res, &why) < 0) {
        *e = why;
        rc = -1;
    }
    other_tools_init(&g.tools, g.old, &g.res, req->prefix);
    if (rc == 0)
        rc = regrade_choice_make(req, &g.choice, e);
    if (rc == 0)
        rc = make(&g, e);
    if (rc != 0 && out->draft) {
        revision_abandon(out->draft);
        free(out->draft);
        out->draft = NULL;
    }
    for (unsigned t = 0; g.skipped && t < g.d.a->tiers_count; t++)
        free(g.skipped[t]);
    free(g.skipped);
    free(g.names);
    if (g.d.a)
        draft_release(&g.d);
    json_decref(g.was);
    json_decref(g.is);
    free(g.handed_in);
    free(g.all_because);
    other_tools_free(&g.tools);
    strbuf_free(&g.gone);
    case_list_free(&g.cases);
    regrade_choice_free(&g.choice);
    results_free(&g.res);
    assignment_free(g.loaded);
    return rc;
}

void regrade_plan_free(struct regrade_plan *p)
{
    for (size_t i = 0; i < p->changes; i++) {
        free(p->change[i].unit);
        free(p->change[i].why);
    }
    free(p->change);
    free(p->draft);
    *p = (struct regrade_plan){0};
}
