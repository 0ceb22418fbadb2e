#include "cmd/rehearse_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"

/* The result of a mutant's unit, or of the reference's with id NULL; NULL: there is none. */
static const struct unit_result *result_of(const struct run *r, const struct results *res,
                                           const char *id, const char *tier)
{
    char *unit = xasprintf("%s.%s", id ? id : plan_reference_id(r->plan), tier);
    const int at = plan_unit(r->plan, unit);
    free(unit);
    return at < 0 ? NULL : res->unit[at];
}

static const char *tier_name(const struct rehearsal *h, size_t i)
{
    return h->assignment->tiers[h->item[i].tier].name;
}

static bool same_code(const struct unit_result *a, const struct unit_result *b)
{
    return a && b && a->library_hash[0] && strcmp(a->library_hash, b->library_hash) == 0;
}

static enum fate fate_of(const struct unit_result *u, const struct unit_result *reference)
{
    if (!u || u->verdict == VERDICT_SKIPPED || verdict_fault(u->verdict) == FAULT_INFRA)
        return FATE_UNKNOWN;
    if (u->verdict == VERDICT_BUILD_ERROR)
        return FATE_STILLBORN;
    if (same_code(u, reference))
        return FATE_EQUIVALENT;
    return u->verdict == VERDICT_PASS ? FATE_SURVIVED : FATE_KILLED;
}

enum fate *rehearse_fates(const struct rehearsal *h, const struct run *r, const struct results *res)
{
    enum fate *fate = xcalloc(h->count, sizeof *fate);
    for (size_t i = 0; i < h->count; i++)
        fate[i] = fate_of(result_of(r, res, h->item[i].id, tier_name(h, i)),
                          result_of(r, res, NULL, tier_name(h, i)));
    return fate;
}

void rehearse_unreached(const struct rehearsal *h, const struct run *r, const struct results *res,
                        enum fate *fate)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct unit_result *u = result_of(r, res, h->item[i].id, tier_name(h, i));
        if (fate[i] == FATE_SURVIVED && u && u->verdict == VERDICT_PASS)
            fate[i] = FATE_UNREACHED;
    }
}

/* --- printing --------------------------------------------------------------------------------- */

static unsigned count(const enum fate *fate, size_t n, enum fate wanted)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fate[i] == wanted;
    return sum;
}

static void print_listed(const struct rehearsal *h, const enum fate *fate, enum fate which,
                         const char *title, FILE *f)
{
    bool any = false;
    for (size_t i = 0; i < h->count; i++) {
        const struct rehearsal_mutant *m = &h->item[i];
        if (fate[i] != which)
            continue;
        if (!any)
            fprintf(f, "\n%s%s%s\n", term_on(f, TERM_BOLD), title, term_off(f));
        any = true;
        term_print(f, 4, "%s  %s  %s:%u  %s: %s\n", m->id, tier_name(h, i), m->file, m->mutant.line,
                   m->mutant.what, m->text);
    }
}

/* Which kinds of cases a unit has failed. */
struct killers {
    bool edge, random, stress;
};

static struct killers killers_of(const struct run *r, const struct unit_result *u)
{
    struct killers k = {false, false, false};
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->verdict == VERDICT_PASS || c->case_index >= (int)r->cases.count)
            continue;
        const bool edge = r->cases.item[c->case_index].kind == CASE_EDGE;
        k.stress = k.stress || c->launch_index < 0;
        k.edge = k.edge || (edge && c->launch_index >= 0);
        k.random = k.random || (!edge && c->launch_index >= 0);
    }
    return k;
}

static void print_killers(const struct rehearsal *h, const struct run *r, const struct results *res,
                          const enum fate *fate, FILE *f)
{
    unsigned all[3] = {0}, alone[3] = {0};
    static const char *const names[] = {"edge cases", "random cases", "more threads than cores"};
    for (size_t i = 0; i < h->count; i++) {
        if (fate[i] != FATE_KILLED)
            continue;
        const struct killers k = killers_of(r, result_of(r, res, h->item[i].id, tier_name(h, i)));
        const bool by[3] = {k.edge, k.random, k.stress};
        for (int j = 0; j < 3; j++) {
            all[j] += by[j];
            alone[j] += by[j] && by[0] + by[1] + by[2] == 1;
        }
    }
    struct term_table *t = term_table_new("\nFound by");
    term_table_column(t, "kind", TERM_LEFT);
    term_table_column(t, "mutants", TERM_RIGHT);
    term_table_column(t, "by it alone", TERM_RIGHT);
    for (int j = 0; j < 3; j++) {
        term_table_cell(t, TERM_PLAIN, "%s", names[j]);
        term_table_cell(t, TERM_PLAIN, "%u", all[j]);
        term_table_cell(t, TERM_PLAIN, "%u", alone[j]);
        term_table_end_row(t);
    }
    term_table_print(t, f);
}

static void print_tiers(const struct rehearsal *h, const enum fate *fate, FILE *f)
{
    struct term_table *t = term_table_new(NULL);
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},         {"killed", TERM_RIGHT},    {"survived", TERM_RIGHT},
        {"not reached", TERM_RIGHT}, {"same code", TERM_RIGHT}, {"do not compile", TERM_RIGHT},
        {"not run", TERM_RIGHT}};
    static const enum fate fates[] = {FATE_KILLED,     FATE_SURVIVED,  FATE_UNREACHED,
                                      FATE_EQUIVALENT, FATE_STILLBORN, FATE_UNKNOWN};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned tier = 0; tier < h->assignment->tiers_count; tier++) {
        unsigned n[sizeof fates / sizeof fates[0]] = {0}, all = 0;
        for (size_t i = 0; i < h->count; i++)
            for (size_t j = 0; j < sizeof fates / sizeof fates[0]; j++)
                if (h->item[i].tier == (int)tier && fate[i] == fates[j]) {
                    n[j]++;
                    all++;
                }
        if (!all)
            continue;
        term_table_cell(t, TERM_PLAIN, "%s", h->assignment->tiers[tier].name);
        for (size_t j = 0; j < sizeof fates / sizeof fates[0]; j++)
            term_table_cell(t, TERM_PLAIN, "%u", n[j]);
        term_table_end_row(t);
    }
    term_table_print(t, f);
}

unsigned rehearse_print(const struct rehearsal *h, const struct run *r, const struct results *res,
                        const enum fate *fate, FILE *f)
{
    const unsigned killed = count(fate, h->count, FATE_KILLED);
    const unsigned survived = count(fate, h->count, FATE_SURVIVED);
    const unsigned judged = killed + survived;
    term_print(f, 2, "%s%s%s: %zu of %zu possible changes of the reference\n\n",
               term_on(f, TERM_BOLD), h->assignment->title, term_off(f), h->count, h->places);
    print_tiers(h, fate, f);
    print_killers(h, r, res, fate, f);
    print_listed(h, fate, FATE_SURVIVED, "Survived: no case shows these changes", f);
    print_listed(h, fate, FATE_UNREACHED,
                 "Not reached: no case runs the block of these changes on this machine", f);
    if (judged)
        term_print(f, 0, "\n%sKilled: %u of %u %s (%.1f %%)%s\n", term_on(f, TERM_BOLD), killed,
                   judged, plural(judged, "mutant", "mutants"), 100.0 * killed / judged,
                   term_off(f));
    else
        fputs("\nNo mutant could be judged here.\n", f);
    return survived;
}
