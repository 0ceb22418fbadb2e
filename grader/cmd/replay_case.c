#include "cmd/replay_case.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "report/replay_options.h"
#include "rundir/find_unit.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"

/* --- operands: [RUN] UNIT [CASE] ------------------------------------------------------------- */

static bool is_size(const char *text)
{
    return strpbrk(text, "x:=") != NULL;
}

/* A number, or a size: 17x33x1, n=9. */
static bool is_case(const char *text)
{
    return strchr(text, '=') ||
           (isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789x:")] == '\0');
}

bool replay_names_run(const struct options *o)
{
    return o->operands > 2 || (o->operands == 2 && !is_case(o->operand[1]));
}

bool replay_means(const struct options *o, const struct run *r)
{
    struct err ignored = ERR_INIT;
    const int unit = find_unit(r, o->operand[0], &ignored);
    return unit >= 0 && !r->plan->units[unit].preset;
}

/* --- launches -------------------------------------------------------------------------------- */

static int unknown_launch(const char *text, const struct tier *t, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < tier_launch_count(t); i++) {
        char launch[LAUNCH_TEXT];
        launch_format(tier_launch(t, i), launch);
        strbuf_addf(&sb, "%s%s", i ? ", " : "", launch);
    }
    return err_input(e, "--launch: the tier %s has no '%s' (RANKSxTHREADS); it has %s", t->name,
                     text, sb.s);
}

int replay_launch_index(struct launch l, const struct assignment *a, const struct tier *t)
{
    const unsigned launches = tier_launch_count(t), stress = tier_stress_count(a, t);
    for (unsigned i = 0; i < launches; i++)
        if (launch_equal(tier_launch(t, i), l))
            return (int)i;
    for (unsigned i = 0; i < stress; i++)
        if (launch_equal(tier_stress(a, t, i), l))
            return (int)(launches + i);
    return -1;
}

/* A case by size may have any launch of the tier's kind. */
static bool is_possible(struct launch l, const struct tier *t)
{
    return (l.ranks == 1 || launch_kind_has(t->kind, KIND_RANKS)) &&
           (l.threads == 1 || launch_kind_has(t->kind, KIND_THREADS)) &&
           (l.gpus <= 1 || launch_kind_has(t->kind, KIND_GPUS));
}

static int check_launch(const struct replay_case *c, const struct assignment *a,
                        const struct tier *t, struct err *e)
{
    const char *text = c->given.launch;
    struct launch l;
    if (!text)
        return 0;
    if (c->size && launch_parse(text, &l) && is_possible(l, t))
        return 0;
    if (launch_parse(text, &l) && replay_launch_index(l, a, t) >= 0)
        return 0;
    return unknown_launch(text, t, e);
}

/* --- the case that `again:` names ------------------------------------------------------------ */

/* What was given stays. */
static void take_conditions(struct replay_case *c, struct launch l, struct replay_conditions how)
{
    launch_format(l, c->of_launch);
    if (!c->given.launch)
        c->given.launch = c->of_launch;
    if (c->given.repeat == 1 && how.repeat)
        c->given.repeat = how.repeat;
    c->given.before = c->given.before || how.before;
    c->given.fill = c->given.fill || how.fill;
}

static void take_smallest(struct replay_case *c, const struct run *r,
                          const struct smallest_result *s, enum cause cause)
{
    kernel_size_text(r->assignment->kernel, s->shape, c->of_number);
    snprintf(c->of_values, sizeof c->of_values, "%s", s->values);
    snprintf(c->of_seed, sizeof c->of_seed, "0x%016llx", (unsigned long long)s->seed);
    c->size = c->of_number;
    if (!c->given.values && !c->given.case_seed) {
        c->given.values = c->of_values;
        c->given.case_seed = c->of_seed;
    }
    take_conditions(c, s->launch, replay_conditions_smallest(s, cause));
}

static int no_failed_case(const struct unit_result *u, struct err *e)
{
    return err_input(e,
                     u->verdict == VERDICT_PASS
                         ? "%s passes: say which case to run (paragrade cases lists them)"
                         : "%s has no case that failed: say which case to run",
                     u->unit_id);
}

static int take_again(struct replay_case *c, const struct run *r, const struct unit_result *u,
                      struct err *e)
{
    const struct case_result *first = u ? unit_result_first_failure(u) : NULL;
    if (!u)
        return err_input(e, "%s has no result yet: say which case to run",
                         r->plan->units[c->unit].id);
    c->number = c->of_number;
    if (u->smallest.present) {
        take_smallest(c, r, &u->smallest, first ? first->cause : CAUSE_NONE);
        return 0;
    }
    if (!first || u->verdict == VERDICT_PASS)
        return no_failed_case(u, e);
    snprintf(c->of_number, sizeof c->of_number, "%d", first->case_index);
    take_conditions(c, first->launch, replay_conditions(first));
    return 0;
}

/* --- the case -------------------------------------------------------------------------------- */

/* A case by its size, such as 1x9x1 or n=9. */
static int find_size(struct replay_case *c, struct run *r, const struct tier *t, struct err *e)
{
    struct given_case g = {.size = c->size, .values = c->given.values};
    if (c->given.before)
        return err_input(e, "--before is for a case of the assignment; nothing comes before %s",
                         c->size);
    if (c->given.case_seed && parse_u64(c->given.case_seed, &g.seed, e) != 0)
        return err_context(e, "--seed");
    c->case_index = cases_add_given(&r->cases, r->assignment, t, &g, e);
    return c->case_index < 0 ? -1 : 0;
}

static int find_number(struct replay_case *c, const struct run *r, const struct tier *t,
                       struct err *e)
{
    long long n;
    if (c->given.values || c->given.case_seed)
        return err_input(e,
                         "--%s is for a case by size, such as 1x9x1 or n=9; case %.20s has its own",
                         c->given.values ? "values" : "seed", c->number);
    if (parse_int(c->number, 0, (long long)r->cases.count - 1, &n, e) != 0)
        return err_context(e, "case");
    if (!case_applies(r->assignment, t, &r->cases.item[n]))
        return err_input(e, "the tier %s does not run case %lld (paragrade cases --tier %s ...)",
                         t->name, n, t->name);
    c->case_index = (int)n;
    return 0;
}

/* What the unit's result says of the case: the first launch under which it failed, and why. For the
 * smallest case, the cause is that of the case from which it was found. */
static void recall(struct replay_case *c, const struct run *r, const struct unit_result *u)
{
    for (unsigned i = u->cases_count; i-- > 0;) {
        const struct case_result *x = &u->cases[i];
        if (x->case_index != c->case_index || x->verdict == VERDICT_PASS)
            continue;
        c->launch = x->launch;
        c->cause = x->cause != CAUSE_NONE ? x->cause : c->cause;
    }
    const struct case_result *first = unit_result_first_failure(u);
    if (c->size && first && u->smallest.present &&
        shape_equal(u->smallest.shape, r->cases.item[c->case_index].shape))
        c->cause = first->cause;
}

static int find_case(struct replay_case *c, struct run *r, const struct unit_result *u,
                     struct err *e)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[c->unit].tier];
    c->launch = tier_launch(t, 0);
    if (!c->number && take_again(c, r, u, e) != 0)
        return -1;
    if (is_size(c->number))
        c->size = c->number;
    if ((c->size ? find_size(c, r, t, e) : find_number(c, r, t, e)) != 0 ||
        check_launch(c, r->assignment, t, e) != 0)
        return -1;
    if (u)
        recall(c, r, u);
    return 0;
}

int replay_case_find(struct replay_case *c, const struct options *o, struct run *r, struct err *e)
{
    const char *name = o->operand[0];
    struct err ignored = ERR_INIT;
    *c = (struct replay_case){.given = *o, .number = o->operands > 1 ? o->operand[1] : NULL};
    c->unit = find_unit(r, name, e);
    if (c->unit < 0)
        return -1;
    const struct unit *unit = &r->plan->units[c->unit];
    if (unit->preset)
        return err_input(e, "%s was not run: %s", name, unit->message ? unit->message : "");
    OWNED char *file = rundir_result(r->dir, unit->id);
    struct unit_result *u = NULL;
    if (unit_result_load(file, &u, &ignored) != 0)
        u = NULL;
    const int rc = find_case(c, r, u, e);
    unit_result_free(u);
    return rc;
}
