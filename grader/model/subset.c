#include "model/subset.h"

#include "base/plural.h"
#include "base/strbuf.h"
#include "model/assignment.h"
#include "model/cases.h"

bool subset_is_part(const struct subset *s)
{
    return s->one_case || s->size.dim[0] || s->threads || s->untimed;
}

char *subset_text(const struct subset *s)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    char size[SHAPE_TEXT];
    if (s->one_case)
        strbuf_addf(&sb, ", case %d", s->case_index);
    if (s->threads)
        strbuf_addf(&sb, ", %d %s", s->threads, plural((unsigned)s->threads, "thread", "threads"));
    if (s->size.dim[0]) {
        shape_format(s->size, size);
        strbuf_addf(&sb, ", size %s", size);
    }
    if (s->untimed)
        strbuf_adds(&sb, ", not timed");
    return xstrdup(sb.len ? sb.s + 2 : "");
}

/* Correctness cases come first. */
static int check_case(const struct assignment *a, int wanted, struct err *e)
{
    struct case_list l;
    int count = 0;
    cases_make(a, a->seed, &l);
    for (size_t i = 0; i < l.count; i++)
        count += l.item[i].kind != CASE_PERFORMANCE;
    case_list_free(&l);
    if (wanted < count)
        return 0;
    return err_input(e, "--case: there is no correctness case %d; possible: 0 to %d", wanted,
                     count - 1);
}

static int check_size(const struct assignment *a, struct shape wanted, struct err *e)
{
    FREED_BY(case_list_free) struct case_list l = {0};
    FREED_BY(strbuf_free) struct strbuf possible = STRBUF_INIT;
    char text[SHAPE_TEXT];
    bool found = false;
    cases_make(a, a->seed, &l);
    for (size_t i = 0; i < l.count; i++) {
        if (l.item[i].kind != CASE_PERFORMANCE)
            continue;
        found = found || shape_equal(l.item[i].shape, wanted);
        shape_format(l.item[i].shape, text);
        strbuf_addf(&possible, "%s%s", possible.len ? ", " : "", text);
    }
    shape_format(wanted, text);
    int rc =
        found ? 0 : err_input(e, "--size: no tier is timed at %s; possible: %s", text, possible.s);
    return rc;
}

static bool among(const int *list, unsigned count, int wanted)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

static void add_numbers(struct strbuf *sb, const int *list, unsigned count, bool *listed)
{
    for (unsigned i = 0; i < count; i++) {
        if (listed[list[i]])
            continue;
        listed[list[i]] = true;
        strbuf_addf(sb, "%s%d", sb->len ? ", " : "", list[i]);
    }
}

static int no_such_threads(const struct assignment *a, int wanted, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    int most = 0;
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned i = 0; i < a->tiers[t].threads_count; i++)
            most = a->tiers[t].threads[i] > most ? a->tiers[t].threads[i] : most;
    for (unsigned i = 0; i < a->correctness.stress_threads_count; i++)
        most = a->correctness.stress_threads[i] > most ? a->correctness.stress_threads[i] : most;
    OWNED bool *listed = xcalloc((size_t)most + 1, sizeof *listed);
    for (unsigned t = 0; t < a->tiers_count; t++)
        add_numbers(&sb, a->tiers[t].threads, a->tiers[t].threads_count, listed);
    for (unsigned t = 0; t < a->tiers_count; t++)
        add_numbers(&sb, a->correctness.stress_threads, tier_stress_count(a, &a->tiers[t]), listed);
    return err_input(e, "--threads: no tier runs with %d; possible: %s", wanted, sb.s);
}

static int apply_threads(struct assignment *a, int wanted, struct err *e)
{
    struct correctness *c = &a->correctness;
    const bool stress = among(c->stress_threads, c->stress_threads_count, wanted);
    bool any = false;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const struct tier *tier = &a->tiers[t];
        any = any || among(tier->threads, tier->threads_count, wanted) ||
              (stress && tier_stress_count(a, tier));
    }
    if (!any)
        return no_such_threads(a, wanted, e);
    for (unsigned t = 0; t < a->tiers_count; t++) {
        struct tier *tier = &a->tiers[t];
        if (!among(tier->threads, tier->threads_count, wanted) &&
            !(stress && tier_stress_count(a, tier)))
            tier->idle = true;
        tier->threads[0] = wanted;
        tier->threads_count = 1;
    }
    c->stress_threads_count = stress;
    if (stress)
        c->stress_threads[0] = wanted;
    return 0;
}

/* The other tiers have cases of their own. */
static void apply_case(struct assignment *a, int wanted)
{
    FREED_BY(case_list_free) struct case_list l = {0};
    cases_make(a, a->seed, &l);
    for (unsigned t = 0; t < a->tiers_count; t++)
        if (!shape_rule_equal(a->tiers[t].shapes, l.item[wanted].rule))
            a->tiers[t].idle = true;
}

int subset_apply(struct assignment *a, const struct subset *s, struct err *e)
{
    if ((s->one_case && check_case(a, s->case_index, e) != 0) ||
        (s->size.dim[0] && check_size(a, s->size, e) != 0) ||
        (s->threads && apply_threads(a, s->threads, e) != 0))
        return -1;
    if (s->one_case)
        apply_case(a, s->case_index);
    a->only = *s;
    return 0;
}
