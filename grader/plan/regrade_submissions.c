/* The submissions of a regraded run, and their sources. */
#include <string.h>

#include "base/plural.h"
#include "base/submission_dir.h"
#include "plan/regrade_draft.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

enum { NAMES_SHOWN = 5 };

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
    OWNED char *dir = rundir_sources(g->old->dir, id), *relative = xasprintf("sources/%s", id);
    int rc = revision_keep(g->old->dir, g->d.dir, relative, e);
    for (unsigned t = 0; rc == 0 && t < g->d.a->tiers_count; t++) {
        if (!draft_is_unit(&g->d, t, reference))
            continue;
        const int u = regrade_old_unit(g, from, (int)t);
        struct choice c = {0};
        if (u >= 0)
            c = choice_again(&g->old->plan->units[u], &g->d.a->tiers[t]);
        if (!c.source && !c.preset) /* it is new, or its name is not accepted any more */
            rc = choose_source(dir, g->d.a, &g->d.a->tiers[t], reference, &c, e);
        draft_add_unit(&g->d, s, (int)t, c);
    }
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

int regrade_submissions(struct regrade *g, struct err *e)
{
    int rc = 0;
    for (unsigned i = 0; i < g->old->plan->submissions_count && rc == 0; i++)
        if ((rc = regrade_go_on(g, e)) == 0)
            rc = copy_submission(g, i, e);
    for (size_t k = 0; k < g->choice.added_count && rc == 0; k++)
        if ((rc = regrade_go_on(g, e)) == 0)
            rc = draft_submission(&g->d, g->choice.added[k].name, g->choice.added[k].path, NULL,
                                  false, e);
    if (g->gone_count)
        strbuf_addf(g->req->notes, "%u %s not there any more (%s%s): the sources in the run stay\n",
                    g->gone_count, plural(g->gone_count, "directory is", "directories are"),
                    g->gone.s, g->gone_count > NAMES_SHOWN ? ", ..." : "");
    return rc;
}
