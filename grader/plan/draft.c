/*
 * What a new run and a regraded one have in common: sources are copied, units are made.
 */
#include "plan/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/identifier.h"
#include "base/similar.h"
#include "base/submission_dir.h"
#include "model/source_name.h"
#include "model/tier_lacks.h"
#include "plan/snapshot.h"
#include "plan/unwritten.h"
#include "rundir/paths.h"

enum { ASSIGNMENT_MAX_BYTES = 4 << 20 };

static char *unique_id(const struct names *taken, const char *name)
{
    char *base = identifier_encode(name), *id = xstrdup(base);
    for (int n = 2; names_find(taken, id) != NAMES_NONE; n++) {
        free(id);
        id = xasprintf("%s-%d", base, n);
    }
    free(base);
    return id;
}

/* --- submissions and units -------------------------------------------------------------------- */

int draft_add_submission(struct draft *d, const char *id, const char *name, const char *path,
                         bool reference)
{
    struct plan *p = d->p;
    char *own = id ? xstrdup(id) : unique_id(&d->ids, name);
    names_add(&d->ids, own, p->submissions_count);
    p->submissions = list_one_more(p->submissions, p->submissions_count, sizeof *p->submissions);
    p->submissions[p->submissions_count] = (struct submission){.id = own,
                                                               .name = xstrdup(name),
                                                               .path = xstrdup(path),
                                                               .submitted = PLAN_NO_TIME,
                                                               .modified = PLAN_NO_TIME,
                                                               .is_reference = reference};
    return (int)p->submissions_count++;
}

void draft_add_unit(struct draft *d, int submission, int tier, struct choice c)
{
    struct plan *p = d->p;
    p->units = list_one_more(p->units, p->units_count, sizeof *p->units);
    p->units[p->units_count] = (struct unit){
        .index = (int)p->units_count,
        .id = xasprintf("%s.%s", p->submissions[submission].id, d->a->tiers[tier].name),
        .submission = submission,
        .tier = tier,
        .source = c.source ? xstrdup(c.source) : NULL,
        .preset = c.preset,
        .verdict = c.verdict,
        .message = c.message,
    };
    p->units_count++;
}

static void note_unused(const struct draft *d, int submission, const struct choice *c)
{
    if (d->req->notes)
        strbuf_addf(d->req->notes, "%s: %s and %s are both there: %s is taken\n",
                    d->p->submissions[submission].id, c->source, c->unused, c->source);
}

/* What was handed in is not nothing. The same file may be that of several tiers. */
static void note_closed(const struct draft *d, int submission, const char *message)
{
    if (!d->req->notes)
        return;
    OWNED char *text = xasprintf("%s: %s; its owner must open it for you\n",
                                 d->p->submissions[submission].id, message);
    if (!strstr(d->req->notes->s, text))
        strbuf_adds(d->req->notes, text);
}

/* from: the directory to read, or NULL; then `absent` says why there is none. */
static int take_sources(struct draft *d, int submission, const char *from, const char *absent,
                        struct err *e)
{
    const bool reference = d->p->submissions[submission].is_reference;
    const char *path = d->p->submissions[submission].path;
    OWNED char *to = rundir_sources(d->dir, d->p->submissions[submission].id);
    FREED_BY(strbuf_free) struct strbuf near = STRBUF_INIT;
    bool any = false;
    int rc = fs_mkdirs(to, e);
    if (rc == 0 && from)
        rc = snapshot_shared(&(struct snapshot_from){from, strrchr(path, '/') + 1, reference}, to,
                             d->a, d->req->notes, e);
    for (unsigned t = 0; rc == 0 && t < d->a->tiers_count; t++) {
        /* The sources of all tiers of the reference: baseline and yardstick are built from them. */
        if (!reference && !draft_is_unit(d, t, false))
            continue;
        struct choice c = {0};
        if (from)
            rc = choose_source(from, d->a, &d->a->tiers[t], reference, &c, e);
        else
            choice_settle(&c, VERDICT_MISSING, xstrdup(absent));
        if (c.source && c.unused)
            note_unused(d, submission, &c);
        if (c.near_miss && !reference)
            strbuf_addf(&near, "%s: %s\n", d->p->submissions[submission].id, c.message);
        any = any || c.source;
        if (c.source) {
            rc = snapshot_source(from, to, d->a->limits.source_bytes, &c, e);
            if (!c.source && !reference)
                note_closed(d, submission, c.message);
        }
        if (rc == 0 && !reference)
            unwritten_settle(&c, to, &d->a->tiers[t]);
        if (d->tier_skipped[t] || (reference && c.preset)) {
            char *why = d->tier_skipped[t] ? xstrdup(d->tier_skipped[t])
                                           : xasprintf("the reference: %s", c.message);
            free(c.message);
            choice_settle(&c, VERDICT_SKIPPED, why);
        }
        if (draft_is_unit(d, t, reference))
            draft_add_unit(d, submission, (int)t, c);
        else
            free(c.message);
    }
    /* Who has no source at all is named elsewhere. */
    if (any && d->req->notes)
        strbuf_adds(d->req->notes, near.s);
    if (rc == 0 && from && !reference)
        rc = submitted_find(&d->times, &d->p->submissions[submission], to, e);
    return rc;
}

/* Messages name a directory by its path, not by the descriptor through which it was read. */
static void name_directory(struct err *e, const char *opened, const char *path)
{
    const char *at = e ? strstr(e->text, opened) : NULL;
    if (!at)
        return;
    OWNED char *text =
        xasprintf("%.*s%s%s", (int)(at - e->text), e->text, path, at + strlen(opened));
    snprintf(e->text, sizeof e->text, "%s", text);
}

int draft_take_sources(struct draft *d, int submission, const char *path, struct err *e)
{
    if (d->req->progress)
        progress_update(d->req->progress, (size_t)submission, "copying the sources of %s",
                        d->p->submissions[submission].id);
    if (d->p->submissions[submission].is_reference)
        return take_sources(d, submission, path, "", e);
    int fd = -1;
    const int there = path ? submission_dir_open(path, &fd, e) : SUBMISSION_DIR_NONE;
    if (there < 0)
        return -1;
    OWNED char *opened = xasprintf("/proc/self/fd/%d", fd);
    const int rc = take_sources(d, submission, fd >= 0 ? opened : NULL,
                                there == SUBMISSION_DIR_OTHERS_LINK
                                    ? "its directory was exchanged for a link to another one while "
                                      "it was copied"
                                    : "nothing was handed in",
                                e);
    if (rc != 0)
        name_directory(e, opened, path);
    if (fd >= 0)
        close(fd);
    return rc;
}

int draft_submission(struct draft *d, const char *name, const char *path, const char *where,
                     bool reference, struct err *e)
{
    return draft_take_sources(
        d, draft_add_submission(d, NULL, name, path ? path : where, reference), path, e);
}

/* The instructor's sources that submissions are compiled with. */
static int copy_adapters(const struct draft *d, struct err *e)
{
    OWNED char *to = rundir_adapters(d->dir);
    int rc = 0;
    for (unsigned i = 0; i < d->a->tiers_count && rc == 0; i++) {
        const struct tier *t = &d->a->tiers[i];
        if (!t->adapter)
            continue;
        OWNED char *path = rundir_adapter(d->dir, t);
        rc = fs_mkdirs(to, e);
        if (rc == 0)
            rc = fs_copy(t->adapter, path, ADAPTER_MOST, e);
        if (rc != 0)
            err_context(e, "%s: the adapter of the tier '%s'", d->req->assignment, t->name);
    }
    return rc;
}

/* The files of matrices that sizes name. A link is followed, so that courses can share files. */
static int copy_matrices(const struct draft *d, struct err *e)
{
    const struct matrix_files *m = d->a->matrices;
    int rc = 0;
    for (unsigned i = 0; i < m->count && rc == 0; i++) {
        OWNED char *from = xasprintf("%s/%s", m->dir, m->matrix[i]->structure.file);
        OWNED char *to = rundir_matrix(d->dir, m->matrix[i]);
        OWNED char *dir = xasprintf("%.*s", (int)(strrchr(to, '/') - to), to);
        rc = fs_mkdirs(dir, e);
        if (rc == 0)
            rc = fs_copy(from, to, MATRIX_FILE_MOST, e);
    }
    return rc;
}

/* The kernel file and its trusted source. */
static int copy_kernel(const struct draft *d, struct err *e)
{
    const struct kernel_file *f = d->a->kernel_file;
    if (!f)
        return 0;
    const char *slash = strrchr(f->path, '/');
    const char *names[KERNEL_FILE_PARTS];
    kernel_file_parts(f, names);
    OWNED char *dir = rundir_kernel(d->dir);
    int rc = fs_mkdirs(dir, e);
    for (int i = 0; names[i] && rc == 0; i++) {
        OWNED char *from =
            xasprintf("%.*s%s", slash ? (int)(slash - f->path) + 1 : 0, f->path, names[i]);
        OWNED char *to = rundir_kernel_file(d->dir, names[i]);
        rc = fs_copy(from, to, KERNEL_FILE_BYTES, e);
        if (rc != 0)
            err_context(e, "%s", f->path);
    }
    return rc;
}

/* What the students were given (model/similarity.h). */
static int copy_template(const struct draft *d, struct err *e)
{
    const char *from = d->a->template;
    if (!from)
        return 0;
    if (!fs_is_dir(from))
        return err_input(e, "%s: template: %s: no such directory", d->req->assignment, from);
    OWNED char *to = rundir_template(d->dir);
    int rc = fs_mkdirs(to, e);
    if (rc == 0)
        rc = snapshot_shared(&(struct snapshot_from){from, from, true}, to, d->a, NULL, e);
    for (unsigned t = 0; rc == 0 && t < d->a->tiers_count; t++) {
        struct choice c;
        rc = choose_source(from, d->a, &d->a->tiers[t], true, &c, e);
        if (c.source)
            rc = snapshot_source(from, to, d->a->limits.source_bytes, &c, e);
        free(c.message);
    }
    return rc;
}

int draft_copy_assignment(const struct draft *d, struct err *e)
{
    OWNED char *copy = rundir_assignment(d->dir);
    int rc = fs_copy(d->req->assignment, copy, ASSIGNMENT_MAX_BYTES, e);
    if (rc == 0)
        rc = copy_adapters(d, e);
    if (rc == 0)
        rc = copy_matrices(d, e);
    if (rc == 0)
        rc = copy_kernel(d, e);
    return rc == 0 ? copy_template(d, e) : -1;
}

int draft_check_reference(const struct draft *d, struct err *e)
{
    const struct assignment *a = d->a;
    if (!a->reference || !fs_is_dir(a->reference))
        return err_input(e, "%s: reference: %s: no such directory; speed-ups need its '%s' tier",
                         d->req->assignment, a->reference ? a->reference : "(not given)",
                         a->baseline);
    const char *needed[] = {a->baseline, a->yardstick};
    for (int i = 0; i < 2; i++) {
        int t = assignment_tier(a, needed[i]);
        if (t < 0)
            return err_input(e, "%s: %s: there is no tier '%s'", d->req->assignment,
                             i ? "yardstick" : "baseline", needed[i]);
        struct choice c;
        if (choose_source(a->reference, a, &a->tiers[t], true, &c, e) != 0)
            return -1;
        if (c.preset) {
            err_input(e, "%s: the reference %s cannot serve as %s: tier '%s': %s",
                      d->req->assignment, a->reference, i ? "yardstick" : "baseline", needed[i],
                      c.message);
            free(c.message);
            return -1;
        }
    }
    return 0;
}

/* Can a unit of this tier be asked for? */
static bool is_offered(const struct draft *d, int t)
{
    const struct tier *tier = t < 0 ? NULL : &d->a->tiers[t];
    return tier && !tier->idle && (!tier->reference_only || d->req->with_reference);
}

/* A sweep is also chosen by the tier that it varies. */
static bool choose_sweeps_of(struct draft *d, const char *tier)
{
    bool any = false;
    for (unsigned t = 0; d->req->sweep && t < d->a->tiers_count; t++)
        if (d->a->tiers[t].sweep && strcmp(d->a->tiers[t].varies, tier) == 0)
            d->tier_wanted[t] = any = true;
    return any;
}

int draft_choose_tiers(struct draft *d, struct err *e)
{
    const struct assignment *a = d->a;
    d->tier_wanted = xcalloc(a->tiers_count + 1, sizeof *d->tier_wanted);
    d->tier_skipped = xcalloc(a->tiers_count + 1, sizeof *d->tier_skipped);
    for (size_t i = 0; i < d->req->tiers_count; i++) {
        int t = assignment_tier(a, d->req->tiers[i]);
        if (choose_sweeps_of(d, d->req->tiers[i]))
            continue;
        if (!is_offered(d, t)) {
            FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
            char hint[SIMILAR_HINT];
            for (unsigned k = 0; k < a->tiers_count; k++)
                if (is_offered(d, (int)k))
                    strbuf_addf(&names, "%s%s", names.len ? ", " : "", a->tiers[k].name);
            similar_hint(d->req->tiers[i], names.s, hint);
            if (t >= 0 && !a->tiers[t].idle)
                err_input(e, "students hand in nothing for the tier '%s'; the assignment has %s",
                          d->req->tiers[i], names.s);
            else if (t >= 0 && d->req->only.threads)
                err_input(e, "--threads: the tier %s never runs with %d; these tiers do: %s",
                          d->req->tiers[i], d->req->only.threads, names.s);
            else
                err_input(e, "there is no %s '%s'%s; the assignment has %s",
                          d->req->sweep ? "sweep" : "tier", d->req->tiers[i], hint, names.s);
            return -1;
        }
        d->tier_wanted[t] = true;
    }
    for (unsigned t = 0; t < a->tiers_count; t++) {
        if (!d->req->tiers_count)
            d->tier_wanted[t] = !a->tiers[t].idle;
        d->tier_skipped[t] = (d->req->here ? tier_lacks_to_build : tier_lacks_driver)(&a->tiers[t]);
    }
    return 0;
}

void draft_release(struct draft *d)
{
    for (unsigned t = 0; d->tier_skipped && t < d->a->tiers_count; t++)
        free(d->tier_skipped[t]);
    names_free(&d->ids);
    submitted_free(&d->times);
    free(d->tier_skipped);
    free(d->tier_wanted);
    plan_free(d->p);
}
