/*
 * From an assignment and directories to a run directory.
 *
 * Submissions are hostile input. Names are any bytes (plan/identifier.h); files may be links, FIFOs
 * or huge. Files are opened without following links, and only regular files of limited size whose
 * names the assignment lists are copied, and headers. All later steps work on the copies.
 *
 * The run is made in a hidden directory beside its final place and renamed when it is complete, so
 * that an interruption leaves no half-made run.
 */
#include "plan/planner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/names.h"
#include "base/plural.h"
#include "base/proc.h"
#include "model/assignment.h"
#include "model/protection.h"
#include "model/source_name.h"
#include "model/sweep.h"
#include "plan/identifier.h"
#include "plan/new_run.h"
#include "plan/roster.h"
#include "plan/snapshot.h"
#include "plan/source_choice.h"
#include "plan/submissions.h"
#include "rundir/paths.h"
#include "rundir/plan.h"
#include "rundir/stale_files.h"

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

/* --- tiers that cannot run ------------------------------------------------------------------ */

/* Why a tier is skipped for everybody, or NULL. */
static char *skip_reason(const struct tier *t, bool here)
{
    char *why = NULL;
    const struct launch_kind_info *kind = launch_kind_info(t->kind);
    if (kind->hint) {
        char *driver = install_path(kind->program);
        if (access(driver, X_OK) != 0)
            why = xasprintf("this installation has no driver-%s: %s", kind->name, kind->hint);
        free(driver);
    }
    for (unsigned i = 0; here && !why && i < t->requires_count; i++) {
        const struct requirement *q = &t->requires[i];
        if (q->to_run)
            continue; /* it can be compiled without this */
        char *command = q->command ? proc_which(q->command) : NULL;
        const char *lacking = q->command && !command ? q->command : NULL;
        if (!lacking && q->file && !fs_exists(q->file))
            lacking = q->file;
        if (lacking)
            why = xasprintf("this machine has no %s%s%s", lacking, q->hint ? ": " : "",
                            q->hint ? q->hint : "");
        free(command);
    }
    return why;
}

/* --- the plan --------------------------------------------------------------------------------- */

/* A plan while it is made. */
struct draft {
    const struct plan_request *req;
    const struct assignment *a;
    const char *dir; /* the run directory while it is being made */
    struct plan *p;
    struct names ids;    /* of the submissions so far */
    bool *tier_wanted;   /* per tier */
    char **tier_skipped; /* per tier: reason or NULL */
};

static int add_submission(struct draft *d, const char *name, const char *path, bool reference)
{
    struct plan *p = d->p;
    char *id = unique_id(&d->ids, name);
    names_add(&d->ids, id, p->submissions_count);
    p->submissions =
        xrealloc_array(p->submissions, p->submissions_count + 1, sizeof *p->submissions);
    p->submissions[p->submissions_count] = (struct submission){
        .id = id, .name = xstrdup(name), .path = xstrdup(path), .is_reference = reference};
    return (int)p->submissions_count++;
}

static void add_unit(struct draft *d, int submission, int tier, struct choice c)
{
    struct plan *p = d->p;
    p->units = xrealloc_array(p->units, p->units_count + 1, sizeof *p->units);
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

/* Are there points for a fraction of the reference's speed? Then the reference must run, too. */
static bool has_fraction(const struct draft *d, unsigned t)
{
    const struct tier_points *p = &d->a->tiers[t].points;
    return p->metric == METRIC_FRACTION && p->speed_count > 0 && !subset_is_part(&d->a->only);
}

/* Is a tier that is wanted compared with this one of the reference? */
static bool is_compared(const struct draft *d, unsigned t)
{
    for (unsigned i = 0; i < d->a->versus_count; i++) {
        const struct versus *v = &d->a->versus[i];
        if (v->reference && v->other == (int)t && d->tier_wanted[v->tier])
            return !subset_is_part(&d->a->only);
    }
    return false;
}

static bool is_unit(const struct draft *d, unsigned t, bool reference)
{
    if (!reference)
        return d->tier_wanted[t] && !d->a->tiers[t].reference_only;
    return (d->tier_wanted[t] && (d->req->with_reference || has_fraction(d, t))) ||
           is_compared(d, t);
}

static void note_unused(const struct draft *d, const char *name, const struct choice *c)
{
    char *id = identifier_encode(name);
    if (d->req->notes)
        strbuf_addf(d->req->notes, "%s: %s and %s are both there: %s is taken\n", id, c->source,
                    c->unused, c->source);
    free(id);
}

/* Copy the sources of one submission and make its units. path NULL: the student is on the roster
 * and has handed in nothing. */
static int plan_submission(struct draft *d, const char *name, const char *path, const char *where,
                           bool reference, struct err *e)
{
    int s = add_submission(d, name, path ? path : where, reference);
    char *to = rundir_sources(d->dir, d->p->submissions[s].id);
    int rc = fs_mkdirs(to, e);
    if (rc == 0 && path)
        rc = snapshot_shared(path, to, d->a, d->req->notes, e);
    for (unsigned t = 0; rc == 0 && t < d->a->tiers_count; t++) {
        /* The sources of all tiers of the reference: baseline and yardstick are built from them. */
        if (!reference && !is_unit(d, t, false))
            continue;
        struct choice c = {0};
        if (path)
            c = choose_source(path, d->a, &d->a->tiers[t]);
        else
            choice_settle(&c, VERDICT_MISSING, xstrdup("nothing was handed in"));
        if (c.source && c.unused)
            note_unused(d, name, &c);
        if (c.source)
            rc = snapshot_source(path, to, d->a->limits.source_bytes, &c, e);
        if (d->tier_skipped[t] || (reference && c.preset)) {
            char *why = d->tier_skipped[t] ? xstrdup(d->tier_skipped[t])
                                           : xasprintf("the reference: %s", c.message);
            free(c.message);
            choice_settle(&c, VERDICT_SKIPPED, why);
        }
        if (is_unit(d, t, reference))
            add_unit(d, s, (int)t, c);
        else
            free(c.message);
    }
    free(to);
    return rc;
}

/* The instructor's sources that submissions are compiled with. */
static int copy_adapters(const struct draft *d, struct err *e)
{
    char *to = rundir_adapters(d->dir);
    int rc = 0;
    for (unsigned i = 0; i < d->a->tiers_count && rc == 0; i++) {
        const struct tier *t = &d->a->tiers[i];
        if (!t->adapter)
            continue;
        char *path = rundir_adapter(d->dir, t);
        rc = fs_mkdirs(to, e);
        if (rc == 0)
            rc = fs_copy(t->adapter, path, ADAPTER_MOST, e);
        if (rc != 0)
            err_context(e, "%s: the adapter of the tier '%s'", d->req->assignment, t->name);
        free(path);
    }
    free(to);
    return rc;
}

/* The files of matrices that sizes name. A link is followed, so that courses can share files. */
static int copy_matrices(const struct draft *d, struct err *e)
{
    const struct matrix_files *m = d->a->matrices;
    int rc = 0;
    for (unsigned i = 0; i < m->count && rc == 0; i++) {
        char *from = xasprintf("%s/%s", m->dir, m->matrix[i]->structure.file);
        char *to = rundir_matrix(d->dir, m->matrix[i]);
        char *dir = xasprintf("%.*s", (int)(strrchr(to, '/') - to), to);
        rc = fs_mkdirs(dir, e);
        if (rc == 0)
            rc = fs_copy(from, to, MATRIX_FILE_MOST, e);
        free(dir);
        free(to);
        free(from);
    }
    return rc;
}

static int plan_reference(struct draft *d, struct err *e)
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
        struct choice c = choose_source(a->reference, a, &a->tiers[t]);
        if (c.preset) {
            err_input(e, "%s: the reference %s cannot serve as %s: tier '%s': %s",
                      d->req->assignment, a->reference, i ? "yardstick" : "baseline", needed[i],
                      c.message);
            free(c.message);
            return -1;
        }
    }
    return plan_submission(d, "reference", a->reference, NULL, true, e);
}

static int plan_found(struct draft *d, const struct found *f, struct err *e)
{
    if (!f->holds_source)
        plan_note(d->req->notes,
                  "%s: holds no source file of any tier (they must lie directly in it)", f->name,
                  "");
    return plan_submission(d, f->name, f->path, NULL, false, e);
}

/* The last submission is that of a student on the roster. */
static void describe_last(struct plan *p, const struct student *student)
{
    struct submission *s = &p->submissions[p->submissions_count - 1];
    free(s->name);
    s->name = xstrdup(student->name);
    s->roster_fields = texts_copy(student->field, p->roster_columns_count);
}

/* Nothing was handed in under this name. */
static int plan_absent(struct draft *d, const struct student *student, const char *container,
                       struct err *e)
{
    char *where = xasprintf("%s/%s", container, student->directory);
    plan_note(d->req->absent, "%s", student->directory, "");
    int rc = plan_submission(d, student->directory, NULL, where, false, e);
    free(where);
    return rc;
}

/* Single submissions were given, and no directory of them: who is not among them may have handed in
 * something all the same. */
static void note_part(const struct draft *d, size_t left_out)
{
    if (left_out && d->req->notes)
        strbuf_addf(d->req->notes,
                    "%s: %zu %s not graded, because only single submissions were given: this run "
                    "is a part of the class\n",
                    d->req->roster, left_out, plural(left_out, "student is", "students are"));
}

static int plan_by_roster(struct draft *d, const struct found_list *l, const struct roster *r,
                          struct err *e)
{
    bool *used = xcalloc(l->count + 1, sizeof *used);
    long long *same = xcalloc(l->count + 1, sizeof *same); /* index of another one with that name */
    struct names by_name = NAMES_INIT;
    size_t left_out = 0;
    int rc = 0;
    d->p->roster_columns = texts_copy(r->column, (unsigned)r->columns);
    d->p->roster_columns_count = (unsigned)r->columns;
    for (size_t k = 0; k < l->count; k++)
        same[k] = NAMES_NONE;
    for (size_t k = 0; k < l->count; k++) {
        long long first = names_add(&by_name, l->item[k].name, k);
        if (first != NAMES_NONE && same[first] == NAMES_NONE)
            same[first] = (long long)k;
    }
    for (size_t i = 0; i < r->count && rc == 0; i++) {
        long long at = names_find(&by_name, r->student[i].directory);
        const struct found *mine = at == NAMES_NONE ? NULL : &l->item[at];
        if (mine && same[at] != NAMES_NONE)
            rc = err_input(e, "%s: '%s' stands for both %s and %s", d->req->roster,
                           r->student[i].directory, mine->path, l->item[same[at]].path);
        if (mine)
            used[at] = true;
        if (!mine && !l->container) {
            left_out++;
            continue;
        }
        if (rc == 0)
            rc = mine ? plan_found(d, mine, e) : plan_absent(d, &r->student[i], l->container, e);
        if (rc == 0)
            describe_last(d->p, &r->student[i]);
    }
    if (l->count)
        note_part(d, left_out);
    bool any = false;
    for (size_t k = 0; k < l->count; k++)
        any = any || used[k];
    if (rc == 0 && l->count && !any)
        rc = err_input(e,
                       "%s: none of the %zu directories is on it (%s, say, is not): does its "
                       "column 'submission' (else 'id', else 'name') hold directory names?",
                       d->req->roster, l->count, l->item[0].name);
    for (size_t k = 0; k < l->count && rc == 0; k++)
        if (!used[k])
            plan_note(d->req->notes, "%s: left out, not on the roster", l->item[k].name, "");
    names_free(&by_name);
    free(same);
    free(used);
    return rc;
}

static int plan_students(struct draft *d, struct err *e)
{
    struct found_list l = {0};
    struct roster r = {0};
    if (!d->req->paths_count && !d->req->with_reference)
        return err_input(e, "no submission directory was given");
    int rc = find_submissions(d->req->paths, d->req->paths_count, d->a, &l, e);
    if (rc == 0 && d->req->single && l.container)
        rc = err_input(e,
                       "%s: holds no source file of any tier, but directories; this takes one "
                       "submission (paragrade grade takes a directory of them)",
                       l.container);
    if (rc == 0 && d->req->roster) {
        rc = roster_load(d->req->roster, &r, e);
        if (rc == 0)
            rc = plan_by_roster(d, &l, &r, e);
        roster_free(&r);
    } else {
        for (size_t i = 0; rc == 0 && i < l.count; i++)
            rc = plan_found(d, &l.item[i], e);
    }
    found_free(&l);
    return rc;
}

/* Can a unit of this tier be asked for? */
static bool is_offered(const struct draft *d, int t)
{
    const struct tier *tier = t < 0 ? NULL : &d->a->tiers[t];
    return tier && !tier->idle && (!tier->reference_only || d->req->with_reference);
}

static int choose_tiers(struct draft *d, struct err *e)
{
    const struct assignment *a = d->a;
    d->tier_wanted = xcalloc(a->tiers_count + 1, sizeof *d->tier_wanted);
    d->tier_skipped = xcalloc(a->tiers_count + 1, sizeof *d->tier_skipped);
    for (size_t i = 0; i < d->req->tiers_count; i++) {
        int t = assignment_tier(a, d->req->tiers[i]);
        if (!is_offered(d, t)) {
            struct strbuf names = STRBUF_INIT;
            for (unsigned k = 0; k < a->tiers_count; k++)
                if (is_offered(d, (int)k))
                    strbuf_addf(&names, "%s%s", names.len ? ", " : "", a->tiers[k].name);
            if (t >= 0 && !a->tiers[t].idle)
                err_input(e, "students hand in nothing for the tier '%s'; the assignment has %s",
                          d->req->tiers[i], names.s);
            else if (t >= 0 && d->req->only.threads)
                err_input(e, "--threads: the tier %s never runs with %d; these tiers do: %s",
                          d->req->tiers[i], d->req->only.threads, names.s);
            else
                err_input(e, "there is no %s '%s'; the assignment has %s",
                          d->req->sweep ? "sweep" : "tier", d->req->tiers[i], names.s);
            strbuf_free(&names);
            return -1;
        }
        d->tier_wanted[t] = true;
    }
    for (unsigned t = 0; t < a->tiers_count; t++) {
        if (!d->req->tiers_count)
            d->tier_wanted[t] = !a->tiers[t].idle;
        d->tier_skipped[t] = skip_reason(&a->tiers[t], d->req->here);
    }
    return 0;
}

/* --- the directory -------------------------------------------------------------------------- */

static int fill_run(struct draft *d, struct err *e)
{
    char *copy = rundir_assignment(d->dir), *text = NULL;
    size_t len;
    int rc = fs_read(d->req->assignment, ASSIGNMENT_MAX_BYTES, &text, &len, e);
    if (rc == 0)
        rc = fs_write_atomic(copy, text, len, e);
    free(text);
    free(copy);
    if (rc == 0)
        rc = copy_adapters(d, e);
    if (rc == 0)
        rc = copy_matrices(d, e);
    if (rc == 0)
        rc = plan_reference(d, e);
    if (rc == 0)
        rc = plan_students(d, e);
    for (unsigned i = 0; rc == 0 && i < d->p->units_count; i++) {
        char *dir = rundir_unit(d->dir, d->p->units[i].id);
        rc = fs_mkdirs(dir, e);
        free(dir);
    }
    return rc;
}

/* Write the plan and move the run to its place. Without req->run_id, the next free name is taken.
 */
static int finish_run(struct draft *d, char **run_dir, struct err *e)
{
    char *base = d->req->run_id ? xstrdup(d->req->run_id) : new_run_id(d->a);
    const struct run run = {.dir = (char *)d->dir, .plan = d->p};
    int rc = 1;
    if (d->req->execution && resume_options_save(&run, d->req->execution, e) != 0)
        rc = -1;
    for (int n = 1; rc == 1; n++) {
        char *id = n == 1 ? xstrdup(base) : xasprintf("%s-%d", base, n);
        char *final = xasprintf("%s/%s", d->req->reports_dir, id);
        free(d->p->run_id);
        d->p->run_id = id;
        rc = fs_exists(final) ? 1 : plan_save(d->p, d->dir, e);
        if (rc == 0)
            rc = new_run_move(d->dir, final, e);
        if (rc == 1 && d->req->run_id)
            rc = err_input(e,
                           "%s: exists already; choose another --run-id, or go on with "
                           "`paragrade resume`",
                           final);
        if (rc == 0)
            *run_dir = fs_absolute(final);
        free(final);
    }
    free(base);
    return rc;
}

static int make_run(struct draft *d, char **run_dir, struct err *e)
{
    char now[40];
    clock_utc(now, sizeof now);
    d->p->created = xstrdup(now);
    d->p->assignment_path = fs_absolute(d->req->assignment);
    d->p->profile = xstrdup(d->req->profile ? d->req->profile : "");
    d->p->seed = d->req->seed_given ? d->req->seed : d->a->seed;
    if (choose_tiers(d, e) != 0 || new_run_reports_dir(d->req->reports_dir, e) != 0)
        return -1;
    char *tmp = xasprintf("%s/.new-%ld-%llx", d->req->reports_dir, (long)getpid(),
                          (unsigned long long)clock_mono_ns());
    d->dir = tmp;
    int rc = new_run_mkdir(d->req->reports_dir, tmp, e);
    if (rc == 0) {
        stale_files_remove_plans(d->req->reports_dir, tmp);
        rc = fill_run(d, e);
        if (rc == 0)
            rc = finish_run(d, run_dir, e);
        if (rc != 0)
            fs_remove_tree(tmp, NULL);
    }
    d->dir = NULL;
    free(tmp);
    return rc;
}

/* Reduce the assignment to the part that is asked for. */
static int take_part(struct assignment *a, const struct plan_request *req, struct subset *only,
                     struct err *e)
{
    *only = req->only;
    if (req->size && kernel_shape(a->kernel, req->size, a->matrices, &only->size, e) != 0)
        return err_context(e, "--size");
    return subset_apply(a, only, e);
}

int plan_create(const struct plan_request *req, char **run_dir, struct err *e)
{
    *run_dir = NULL;
    if (req->run_id && !identifier_ok(req->run_id))
        return err_input(e,
                         "'%s' cannot be a run's name: letters, digits, '.', '_' and '-', at most "
                         "%d, not starting with '.' or '-'",
                         req->run_id, IDENTIFIER_MAX);
    struct assignment *a;
    if (assignment_load(req->assignment, &a, e) != 0)
        return -1;
    struct draft d = {.req = req, .a = a, .p = xcalloc(1, sizeof *d.p)};
    int rc = 0;
    d.p->sweep = req->sweep;
    d.p->self_test = req->single;
    d.p->unprotected = req->unprotected;
    if (req->here && !req->unprotected)
        rc = protection_check_here(a->protections, e);
    if (rc == 0 && req->sweep && !a->sweeps_count)
        rc = err_input(e, "%s: the assignment has no sweeps", req->assignment);
    if (req->sweep)
        sweep_take_over(a);
    if (rc == 0 && req->profile)
        rc = assignment_apply_profile(a, req->profile, e);
    if (rc == 0)
        rc = take_part(a, req, &d.p->only, e);
    if (rc == 0)
        rc = make_run(&d, run_dir, e);
    for (unsigned t = 0; d.tier_skipped && t < a->tiers_count; t++)
        free(d.tier_skipped[t]);
    names_free(&d.ids);
    free(d.tier_skipped);
    free(d.tier_wanted);
    plan_free(d.p);
    assignment_free(a);
    return rc;
}
