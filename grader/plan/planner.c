/*
 * From an assignment and directories to a run directory.
 *
 * Submissions are hostile input. Names are any bytes (base/identifier.h); files may be links, FIFOs
 * or huge. Files are opened without following links, and only regular files of limited size whose
 * names the assignment lists are copied, and headers. All later steps work on the copies.
 *
 * The run is made in a hidden directory beside its final place and renamed when it is complete, so
 * that an interruption leaves no half-made run.
 */
#include "plan/planner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/display_path.h"
#include "base/fsio.h"
#include "base/identifier.h"
#include "base/names.h"
#include "base/plural.h"
#include "model/assignment.h"
#include "model/protection.h"
#include "plan/draft.h"
#include "plan/new_run.h"
#include "plan/overrides_copy.h"
#include "plan/roster.h"
#include "plan/snapshot.h"
#include "plan/source_choice.h"
#include "plan/submissions.h"
#include "rundir/paths.h"
#include "rundir/plan.h"
#include "rundir/stale_files.h"

/* Somebody who keeps an older version in a directory beside the sources is no class. */
enum { CLASS_LEAST = 2 };

static int plan_found(struct draft *d, const struct found *f, struct err *e)
{
    const int closed = f->source || access(f->path, R_OK | X_OK) == 0 ? 0 : errno;
    if (!f->source && d->req->notes) {
        OWNED char *shown = identifier_path(f->name);
        OWNED char *near = choice_near_miss(f->path, d->a), *place = choice_place(d->a);
        if (closed)
            strbuf_addf(d->req->notes, "%s: cannot be read (%s); its owner must open it for you\n",
                        shown, strerror(closed));
        else
            strbuf_addf(d->req->notes, "%s: holds no source file of any tier (%s)%s\n", shown,
                        place, near);
    }
    return draft_submission(d, f->name, f->path, NULL, false, e);
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
    OWNED char *where = xasprintf("%s/%s", container, student->directory);
    plan_note(d->req->absent, "%s", student->directory, "");
    return draft_submission(d, student->directory, NULL, where, false, e);
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

/* A source that lies beside submissions makes one submission of all of them. */
static bool may_be_class(const struct found *f)
{
    return f->inner >= CLASS_LEAST;
}

static int nobody_on_roster(const struct found_list *l, const char *roster, struct err *e)
{
    for (size_t k = 0; k < l->count; k++)
        if (may_be_class(&l->item[k]))
            return err_input(e,
                             "%s: is taken as one submission, because it holds %s; directories in "
                             "it hold sources, too. If these are the submissions, move that file "
                             "away. (As one submission, it is not on the roster %s)",
                             l->item[k].path, l->item[k].source, roster);
    return err_input(e,
                     "%s: it lists none of the %zu directories, for example not %s. Its column "
                     "'submission' (else 'id', else 'name') must have the names of the directories",
                     roster, l->count, l->item[0].name);
}

static int plan_by_roster(struct draft *d, const struct found_list *l, const struct roster *r,
                          struct err *e)
{
    OWNED bool *used = xcalloc(l->count + 1, sizeof *used);
    long long *same = xcalloc(l->count + 1, sizeof *same); /* index of another one with that name */
    FREED_BY(names_free) struct names by_name = NAMES_INIT;
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
        rc = nobody_on_roster(l, d->req->roster, e);
    for (size_t k = 0; k < l->count && rc == 0; k++)
        if (!used[k])
            plan_note(d->req->notes, "%s: left out, not on the roster", l->item[k].name, "");
    free(same);
    return rc;
}

/* There is no source in it. Perhaps a directory in it is meant, or only the name of one is wrong.
 */
static int not_single(const struct found_list *l, const struct assignment *a, struct err *e)
{
    const struct found *inner = NULL;
    for (size_t i = 0; i < l->count && !inner; i++)
        inner = l->item[i].source ? &l->item[i] : NULL;
    OWNED char *near = inner ? xstrdup("") : choice_near_miss(l->container, a),
               *one = inner ? display_path(inner->path) : NULL;
    err_input(e,
              "%s: holds no source file of any tier, but directories%s; this takes one submission"
              "%s%s (paragrade grade takes a directory of them)",
              l->container, near, one ? ", such as " : "", one ? one : "");
    return -1;
}

static int plan_students(struct draft *d, struct err *e)
{
    struct found_list l = {.notes = d->req->notes};
    struct roster r = {0};
    if (!d->req->paths_count && !d->req->with_reference)
        return err_input(e, "no submission directory was given");
    int rc = find_submissions(d->req->paths, d->req->paths_count, d->a, &l, e);
    if (d->req->progress)
        d->req->progress->total = l.count + d->p->submissions_count;
    if (rc == 0 && d->req->single && l.container)
        rc = not_single(&l, d->a, e);
    for (size_t i = 0; rc == 0 && !d->req->single && i < l.count; i++)
        if (may_be_class(&l.item[i]))
            plan_note(
                d->req->notes,
                "%s: is graded as one submission, because it holds %s; directories in it hold "
                "sources, too. If these are the submissions, interrupt this, and move that "
                "file away",
                l.item[i].path, l.item[i].source);
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

/* --- the directory -------------------------------------------------------------------------- */

static int fill_run(struct draft *d, struct err *e)
{
    int rc = draft_copy_assignment(d, e);
    if (rc == 0)
        rc = draft_check_reference(d, e);
    if (rc == 0)
        rc = draft_submission(d, "reference", d->a->reference, NULL, true, e);
    if (rc == 0)
        rc = plan_students(d, e);
    if (rc == 0 && d->req->single) /* students wait for it */
        draft_drop_idle_reference(d);
    d->p->overrides_path =
        d->req->overrides ? fs_absolute(d->req->overrides) : overrides_beside(d->req->roster);
    if (rc == 0 && d->req->overrides && !fs_exists(d->req->overrides))
        rc = err_input(e, "%s: no such file", d->req->overrides);
    if (rc == 0)
        rc = overrides_copy(d->p, d->a, NULL, d->dir, NULL, e);
    for (unsigned i = 0; rc == 0 && i < d->p->units_count; i++) {
        OWNED char *dir = rundir_unit(d->dir, d->p->units[i].id);
        rc = fs_mkdirs(dir, e);
    }
    return rc;
}

/* Write the plan and move the run to its place. Without req->run_id, the next free name is taken.
 */
static int finish_run(struct draft *d, char **run_dir, struct err *e)
{
    OWNED char *base = d->req->run_id ? xstrdup(d->req->run_id) : new_run_id(d->a);
    const struct run run = {.dir = (char *)d->dir, .plan = d->p};
    int rc = 1;
    if (d->req->execution && resume_options_save(&run, d->req->execution, e) != 0)
        rc = -1;
    /* Who tests the own submission can do it again. */
    if (rc == 1 && !d->p->self_test && fs_sync(d->dir, e) != 0)
        rc = -1;
    for (int n = 1; rc == 1; n++) {
        char *id = n == 1 ? xstrdup(base) : xasprintf("%s-%d", base, n);
        OWNED char *final = xasprintf("%s/%s", d->req->reports_dir, id);
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
    }
    return rc;
}

static int make_run(struct draft *d, char **run_dir, struct err *e)
{
    char now[40];
    clock_utc(now, sizeof now);
    d->p->created = xstrdup(now);
    d->p->assignment_path = fs_absolute_link(d->req->assignment);
    d->p->profile = xstrdup(d->req->profile ? d->req->profile : "");
    d->p->seed = d->req->seed_given ? d->req->seed : d->a->seed;
    if (draft_choose_tiers(d, e) != 0 || new_run_reports_dir(d->req->reports_dir, e) != 0)
        return -1;
    OWNED char *tmp = xasprintf("%s/.new-%ld-%llx", d->req->reports_dir, (long)getpid(),
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
    return rc;
}

/* The part of the assignment that is asked for. */
static int read_part(const struct assignment *a, const struct plan_request *req,
                     struct subset *only, struct err *e)
{
    *only = req->only;
    if (req->size &&
        kernel_shape_fixed(a->kernel, a->fixed, req->size, a->matrices, &only->size, e) != 0)
        return err_context(e, "--size");
    return 0;
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
    if (rc == 0)
        rc = read_part(a, req, &d.p->only, e);
    if (rc == 0)
        rc = assignment_prepare(a, req->sweep, req->profile, &d.p->only, e);
    if (rc == 0)
        rc = make_run(&d, run_dir, e);
    draft_release(&d);
    assignment_free(a);
    return rc;
}
