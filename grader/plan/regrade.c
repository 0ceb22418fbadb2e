#include "plan/regrade.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/submission_dir.h"
#include "model/assignment_running.h"
#include "plan/draft.h"
#include "plan/inputs.h"
#include "plan/other_tools.h"
#include "plan/overrides_copy.h"
#include "plan/regrade_choice.h"
#include "rundir/attempts.h"
#include "rundir/find_submission.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

enum { NAMES_SHOWN = 5 };

/* A regraded run while it is made. */
struct regrade {
    const struct regrade_request *req;
    const struct run *old;
    struct results res;
    struct regrade_choice choice;
    struct plan_request plan; /* what the draft wants to know */
    struct draft d;
    char **names;              /* of the tiers in `plan`; the strings are not owned */
    struct assignment *loaded; /* from a file; NULL: that of the old run counts */
    struct case_list cases;
    json_t *was, *is;  /* model/assignment_running.h */
    char **skipped;    /* per tier: why it cannot run here, or NULL */
    char *all_because; /* all units run again; NULL: not all of them */
    struct other_tools tools;
    struct strbuf gone; /* submissions whose directories are not there any more */
    unsigned gone_count;
    bool *handed_in; /* per submission of the draft: a file of it has changed */
    struct regrade_plan *out;
};

/* 1: it is to stop; -1: the run is another process's by now. */
static int go_on(const struct regrade *g, struct err *e)
{
    return g->req->stop && *g->req->stop ? 1 : run_lock_kept(g->old->dir, e);
}

/* --- submissions ------------------------------------------------------------------------------ */

static int old_unit(const struct regrade *g, int submission, int tier)
{
    const struct plan *p = g->old->plan;
    const char *name = g->d.a->tiers[tier].name;
    const struct unit_range mine = plan_units_of(p, submission);
    for (unsigned i = mine.first; i < mine.end; i++)
        if (strcmp(g->old->assignment->tiers[p->units[i].tier].name, name) == 0)
            return (int)i;
    return -1;
}

static bool had_sources(const struct regrade *g, unsigned submission)
{
    const struct plan *p = g->old->plan;
    const struct unit_range mine = plan_units_of(p, (int)submission);
    for (unsigned i = mine.first; i < mine.end; i++)
        if (p->units[i].source)
            return true;
    return false;
}

/* The unit as it was planned; what was skipped then may run now. */
static struct choice choice_again(const struct unit *u, const struct tier *t)
{
    struct choice c = {0};
    for (unsigned i = 0; u->source && i < t->sources_count; i++)
        if (strcmp(t->sources[i], u->source) == 0)
            c.source = t->sources[i];
    if (u->preset && (u->verdict != VERDICT_SKIPPED || !c.source))
        choice_settle(&c, u->verdict, xstrdup(u->message ? u->message : ""));
    return c;
}

/* Keep what the run has of a submission. */
static int keep_sources(struct regrade *g, int from, int s, struct err *e)
{
    const char *id = g->d.p->submissions[s].id;
    const bool reference = g->d.p->submissions[s].is_reference;
    g->d.p->submissions[s].submitted = g->old->plan->submissions[from].submitted;
    g->d.p->submissions[s].modified = g->old->plan->submissions[from].modified;
    char *dir = rundir_sources(g->old->dir, id), *relative = xasprintf("sources/%s", id);
    int rc = revision_keep(g->old->dir, g->d.dir, relative, e);
    for (unsigned t = 0; rc == 0 && t < g->d.a->tiers_count; t++) {
        if (!draft_is_unit(&g->d, t, reference))
            continue;
        const int u = old_unit(g, from, (int)t);
        struct choice c = {0};
        if (u >= 0)
            c = choice_again(&g->old->plan->units[u], &g->d.a->tiers[t]);
        if (!c.source && !c.preset) /* it is new, or its name is not accepted any more */
            rc = choose_source(dir, g->d.a, &g->d.a->tiers[t], reference, &c, e);
        draft_add_unit(&g->d, s, (int)t, c);
    }
    free(relative);
    free(dir);
    return rc;
}

static void note_gone(struct regrade *g, const char *id)
{
    if (g->gone_count++ < NAMES_SHOWN)
        strbuf_addf(&g->gone, "%s%s", g->gone.len ? ", " : "", id);
}

static int copy_submission(struct regrade *g, unsigned i, struct err *e)
{
    const struct submission *was = &g->old->plan->submissions[i];
    const struct regrade_look *look = &g->choice.look[i];
    const char *path = look->path ? look->path : was->path;
    if (was->is_reference && g->loaded)
        path = g->d.a->reference;
    int s = draft_add_submission(&g->d, was->id, was->name, path, was->is_reference);
    g->d.p->submissions[s].roster_fields =
        was->roster_fields ? texts_copy(was->roster_fields, g->d.p->roster_columns_count) : NULL;
    if (!look->wanted || (was->is_reference && !g->loaded))
        return keep_sources(g, (int)i, s, e);
    struct stat st;
    const int there = submission_dir_look(path, &st, e);
    if (there < 0)
        return -1;
    if (there == SUBMISSION_DIR_THERE) {
        int rc = draft_take_sources(&g->d, s, path, e);
        return rc == 0 ? regrade_choice_limit(&g->choice, i, g->old, &g->d, s, e) : -1;
    }
    if (had_sources(g, i)) {
        note_gone(g, was->id);
        return keep_sources(g, (int)i, s, e);
    }
    return draft_take_sources(&g->d, s, NULL, e);
}

static int copy_submissions(struct regrade *g, struct err *e)
{
    int rc = 0;
    for (unsigned i = 0; i < g->old->plan->submissions_count && rc == 0; i++)
        if ((rc = go_on(g, e)) == 0)
            rc = copy_submission(g, i, e);
    for (size_t k = 0; k < g->choice.added_count && rc == 0; k++)
        if ((rc = go_on(g, e)) == 0)
            rc = draft_submission(&g->d, g->choice.added[k].name, g->choice.added[k].path, NULL,
                                  false, e);
    if (g->gone_count)
        strbuf_addf(g->req->notes, "%u %s not there any more (%s%s): the sources in the run stay\n",
                    g->gone_count, plural(g->gone_count, "directory is", "directories are"),
                    g->gone.s, g->gone_count > NAMES_SHOWN ? ", ..." : "");
    return rc;
}

/* --- units ------------------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct inputs inputs_before(const struct regrade *g)
{
    return (struct inputs){g->old->dir, g->old->assignment, &g->old->cases,
                           plan_reference_id(g->old->plan), g->was};
}

static struct inputs inputs_now(const struct regrade *g)
{
    return (struct inputs){g->d.dir, g->d.a, &g->cases, plan_reference_id(g->d.p), g->is};
}

/* Was something handed in for this unit since the run was graded? Another assignment or another
 * adapter is not the student's doing. */
static bool is_handed_in(const struct regrade *g, int was, unsigned i)
{
    const struct unit *is = &g->d.p->units[i], *old = was < 0 ? NULL : &g->old->plan->units[was];
    const struct tier *t = &g->d.a->tiers[is->tier];
    const char *submission = g->d.p->submissions[is->submission].id;
    const struct inputs before = inputs_before(g), now = inputs_now(g);
    char x[HASH_HEX], y[HASH_HEX];
    if (is->preset)
        return old && (!old->preset || old->verdict != is->verdict);
    inputs_digest_own(&before, submission, t, is->source, x);
    inputs_digest_own(&now, submission, t, is->source, y);
    return strcmp(x, y) != 0;
}

/* Why a unit runs again, or has another preset verdict; NULL: it keeps what it has. */
static char *why_again(struct regrade *g, int was, unsigned i)
{
    const struct unit *is = &g->d.p->units[i];
    const struct tier *t = &g->d.a->tiers[is->tier];
    const char *submission = g->d.p->submissions[is->submission].id;
    if (was < 0)
        return xstrdup("new");
    const struct unit *old = &g->old->plan->units[was];
    if (is->preset)
        return old->preset && old->verdict == is->verdict ? NULL : xstrdup("source");
    if (regrade_choice_asks(&g->choice, g->old->plan, was))
        return xstrdup("asked for");
    if (old->preset && old->verdict == VERDICT_SKIPPED && g->skipped[is->tier])
        return NULL; /* as before */
    if (g->all_because)
        return xstrdup(g->all_because);
    char *field = assignment_running_tier_differs(g->was, g->is, t->name);
    if (field) {
        char *why = xasprintf("assignment: %s", field);
        free(field);
        return why;
    }
    const struct inputs before = inputs_before(g), now = inputs_now(g);
    char x[HASH_HEX], y[HASH_HEX];
    inputs_digest(&before, submission, &g->old->assignment->tiers[old->tier], old->source, x);
    inputs_digest(&now, submission, t, is->source, y);
    if (!same_text(old->source, is->source) || strcmp(x, y) != 0 || old->preset)
        return xstrdup(old->preset && old->verdict == VERDICT_SKIPPED ? "was skipped" : "source");
    if (!attempt_has_result(g->old->dir, old->id))
        return xstrdup("no result");
    return g->choice.part ? NULL : other_tools_for_unit(&g->tools, (unsigned)was);
}

static void add_change(struct regrade *g, const char *unit, char *why)
{
    struct regrade_plan *out = g->out;
    out->change = xrealloc_array(out->change, out->changes + 1, sizeof *out->change);
    out->change[out->changes++] = (struct regrade_change){xstrdup(unit), why};
}

static int archive_unit(struct regrade *g, int was, struct err *e)
{
    const struct unit *u = &g->old->plan->units[was];
    const char *id = g->old->plan->submissions[u->submission].id;
    char *unit = xasprintf("units/%s", u->id), *sources = xasprintf("sources/%s", id);
    const unsigned n = g->d.p->revision;
    char *number = xasprintf("%u", n), *top = part_path(g->d.dir, PART_EARLIER_CHANGE, number);
    char *there = xasprintf("%s/%s", top, sources);
    int rc = revision_archive(g->old->dir, g->d.dir, n, unit, e);
    if (rc == 0 && !fs_exists(there))
        rc = revision_archive(g->old->dir, g->d.dir, n, sources, e);
    free(there);
    free(top);
    free(number);
    free(sources);
    free(unit);
    return rc;
}

static int decide_unit(struct regrade *g, unsigned i, bool *had, struct err *e)
{
    struct unit *u = &g->d.p->units[i];
    const char *id = g->d.p->submissions[u->submission].id;
    int was = -1;
    for (unsigned s = 0; s < g->old->plan->submissions_count && was < 0; s++)
        if (strcmp(g->old->plan->submissions[s].id, id) == 0)
            was = old_unit(g, (int)s, u->tier);
    if (was >= 0)
        had[was] = true;
    if (is_handed_in(g, was, i))
        g->handed_in[u->submission] = true;
    char *why = why_again(g, was, i), *dir = rundir_unit(g->d.dir, u->id);
    char *relative = xasprintf("units/%s", u->id);
    int rc = 0;
    if (!u->preset && (why || !attempt_has_result(g->old->dir, u->id)) && g->skipped[u->tier]) {
        u->preset = true;
        u->verdict = VERDICT_SKIPPED;
        u->message = xstrdup(g->skipped[u->tier]);
    }
    if (!why) {
        rc = revision_keep(g->old->dir, g->d.dir, relative, e);
        if (was >= 0 && !u->preset && g->old->plan->units[was].tools)
            u->tools = xstrdup(g->old->plan->units[was].tools);
        g->out->kept++;
    } else {
        if (was >= 0)
            rc = archive_unit(g, was, e);
        g->out->again += !u->preset;
        add_change(g, u->id, why);
    }
    if (rc == 0)
        rc = fs_mkdirs(dir, e);
    free(relative);
    free(dir);
    return rc;
}

static int decide_units(struct regrade *g, struct err *e)
{
    bool *had = xcalloc(g->old->plan->units_count + 1, sizeof *had);
    g->handed_in = xcalloc(g->d.p->submissions_count + 1, sizeof *g->handed_in);
    int rc = 0;
    for (unsigned i = 0; i < g->d.p->units_count && rc == 0; i++)
        if ((rc = go_on(g, e)) == 0)
            rc = decide_unit(g, i, had, e);
    for (unsigned i = 0; i < g->old->plan->units_count && rc == 0; i++) {
        if (had[i])
            continue;
        rc = archive_unit(g, (int)i, e);
        add_change(g, g->old->plan->units[i].id, xstrdup("the tier is gone"));
    }
    free(had);
    return rc;
}

/* --- the whole -------------------------------------------------------------------------------- */

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
        g->loaded ? fs_absolute(g->plan.assignment) : xstrdup(was->assignment_path);
    if (g->req->overrides)
        p->overrides_path = fs_absolute(g->req->overrides);
    else if (was->overrides_path)
        p->overrides_path = xstrdup(was->overrides_path);
    p->profile = xstrdup(was->profile);
    p->seed = was->seed;
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
    char *why = other_tools_for_all(&g->tools);
    for (unsigned i = 0; !why && i < g->old->plan->units_count; i++)
        why = other_tools_for_unit(&g->tools, i);
    if (why)
        strbuf_addf(g->req->notes,
                    "since the run was graded, something else has changed (%s). The other units "
                    "keep their results from before\n",
                    why);
    free(why);
}

/* Compare what all units depend on. */
static int compare_common(struct regrade *g, struct err *e)
{
    char *before = rundir_assignment(g->old->dir), *now = rundir_assignment(g->d.dir);
    int rc = assignment_running_load(before, g->old->plan->profile, &g->was, e);
    if (rc == 0)
        rc = assignment_running_load(now, g->old->plan->profile, &g->is, e);
    g->out->policy = !digest_same_files(before, now);
    if (rc == 0 && !g->choice.part) {
        cases_make(g->d.a, g->d.p->seed, &g->cases);
        const struct inputs was = inputs_before(g), is = inputs_now(g);
        g->all_because = inputs_differ_for_all(&was, &is);
        if (!g->all_because)
            g->all_because = other_tools_for_all(&g->tools);
    } else if (rc == 0) {
        note_other_tools(g);
    }
    free(now);
    free(before);
    return rc;
}

static int take_overrides(struct regrade *g, struct err *e)
{
    char *was = rundir_overrides(g->old->dir), *is = rundir_overrides(g->d.dir);
    char x[DIGEST_HEX] = "", y[DIGEST_HEX] = "";
    int rc = overrides_copy(g->d.p, g->d.a, was, g->d.dir, e);
    digest_file(was, x, NULL);
    digest_file(is, y, NULL);
    g->out->policy = g->out->policy || strcmp(x, y) != 0;
    free(is);
    free(was);
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
        rc = copy_submissions(g, e);
    if (rc == 0)
        rc = compare_common(g, e);
    if (rc == 0)
        rc = decide_units(g, e);
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
