/* Which units of a regraded run run again, and why; the others keep what they have. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/hash.h"
#include "base/tree.h"
#include "model/assignment_running.h"
#include "model/unit_sources.h"
#include "plan/regrade_draft.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Was something handed in for this unit since the run was graded? Another assignment or another
 * adapter is not the student's doing. */
static bool is_handed_in(const struct regrade *g, int was, unsigned i)
{
    const struct unit *is = &g->d.p->units[i], *old = was < 0 ? NULL : &g->old->plan->units[was];
    const struct tier *t = &g->d.a->tiers[is->tier];
    const char *submission = g->d.p->submissions[is->submission].id;
    const struct inputs before = regrade_inputs_before(g), now = regrade_inputs_now(g);
    char x[HASH_HEX], y[HASH_HEX];
    if (is->preset)
        return old && (!old->preset || old->verdict != is->verdict);
    inputs_digest_own(&before, submission, t, is->source, x);
    inputs_digest_own(&now, submission, t, is->source, y);
    return strcmp(x, y) != 0;
}

/* Also a first one, of a unit that was to be timed further. */
static bool had_result(const struct regrade *g, const char *unit_id)
{
    OWNED char *first = rundir_first_result(g->old->dir, unit_id);
    return attempt_has_result(g->old->dir, unit_id) || fs_exists(first);
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
    const struct inputs before = regrade_inputs_before(g), now = regrade_inputs_now(g);
    char x[HASH_HEX], y[HASH_HEX];
    inputs_digest(&before, submission, &g->old->assignment->tiers[old->tier], old->source, x);
    inputs_digest(&now, submission, t, is->source, y);
    if (!same_text(old->source, is->source) || strcmp(x, y) != 0 || old->preset)
        return xstrdup(old->preset && old->verdict == VERDICT_SKIPPED ? "was skipped" : "source");
    if (!had_result(g, old->id))
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
    OWNED char *unit = xasprintf("units/%s", g->old->plan->units[was].id);
    return revision_archive(g->old->dir, g->d.dir, g->d.p->revision, unit, e);
}

/* The sources of a submission, if one of them is another file now, or is gone. */
static int archive_sources(struct regrade *g, const char *id, struct err *e)
{
    OWNED char *was = rundir_sources(g->old->dir, id), *is = rundir_sources(g->d.dir, id),
               *relative = xasprintf("sources/%s", id);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    bool same = true;
    if (!fs_exists(was))
        return 0;
    if (tree_list(was, SUBMISSION_FILES_MOST, &names, &count, e) != 0)
        return -1;
    for (size_t i = 0; i < count && same; i++) {
        OWNED char *old = xasprintf("%s/%s", was, names[i]),
                   *new = xasprintf("%s/%s", is, names[i]);
        same = digest_same_files(old, new);
    }
    return same ? 0 : revision_archive(g->old->dir, g->d.dir, g->d.p->revision, relative, e);
}

static int decide_unit(struct regrade *g, unsigned i, bool *had, struct err *e)
{
    struct unit *u = &g->d.p->units[i];
    const char *id = g->d.p->submissions[u->submission].id;
    int was = -1;
    for (unsigned s = 0; s < g->old->plan->submissions_count && was < 0; s++)
        if (strcmp(g->old->plan->submissions[s].id, id) == 0)
            was = regrade_old_unit(g, (int)s, u->tier);
    if (was >= 0)
        had[was] = true;
    if (is_handed_in(g, was, i))
        g->handed_in[u->submission] = true;
    char *why = why_again(g, was, i), *dir = rundir_unit(g->d.dir, u->id);
    OWNED char *relative = xasprintf("units/%s", u->id);
    int rc = 0;
    if (!u->preset && (why || !had_result(g, u->id)) && g->skipped[u->tier]) {
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
    free(dir);
    return rc;
}

int regrade_units(struct regrade *g, struct err *e)
{
    OWNED bool *had = xcalloc(g->old->plan->units_count + 1, sizeof *had);
    g->handed_in = xcalloc(g->d.p->submissions_count + 1, sizeof *g->handed_in);
    int rc = 0;
    for (unsigned i = 0; i < g->d.p->units_count && rc == 0; i++)
        if ((rc = regrade_go_on(g, e)) == 0)
            rc = decide_unit(g, i, had, e);
    for (unsigned i = 0; i < g->old->plan->submissions_count && rc == 0; i++)
        rc = archive_sources(g, g->old->plan->submissions[i].id, e);
    for (unsigned i = 0; i < g->old->plan->units_count && rc == 0; i++) {
        if (had[i])
            continue;
        rc = archive_unit(g, (int)i, e);
        add_change(g, g->old->plan->units[i].id, xstrdup("the tier is gone"));
    }
    return rc;
}
