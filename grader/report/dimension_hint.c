#include "report/dimension_hint.h"

#include "base/strbuf.h"

/* Fewer cases may fit by chance. */
enum { CASES_LEAST = 2, FAILED_TO_LUCKY = 3 };

static bool has_one(const struct kernel *k, struct shape s)
{
    for (int i = 0; i < k->dims; i++)
        if (s.dim[i] == 1)
            return true;
    return false;
}

/* Does the unit pass the cases in which the dimensions x and y are equal, and hardly any other?
 * With a dimension of 1, a wrong index may be right, and with few values other than 0, too. */
static bool equal_ones_pass(const struct run *r, const struct unit_result *u, int x, int y)
{
    int passed = 0, failed = 0, lucky = 0;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index < 0 || c->case_index >= (int)r->cases.count)
            continue;
        const struct shape s = r->cases.item[c->case_index].shape;
        const bool equal = s.dim[x] == s.dim[y], pass = c->verdict == VERDICT_PASS;
        if (equal && !pass)
            return false;
        passed += equal && s.dim[x] > 1;
        failed += !equal && !pass;
        lucky += !equal && pass && !has_one(r->assignment->kernel, s);
    }
    return passed >= CASES_LEAST && failed >= CASES_LEAST && failed >= FAILED_TO_LUCKY * lucky;
}

char *dimension_hint(const struct run *r, const struct unit_result *u)
{
    const struct kernel *k = r->assignment->kernel;
    bool confused[SHAPE_DIMS] = {false};
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    for (int x = 0; x < k->dims; x++)
        for (int y = x + 1; y < k->dims; y++)
            if (equal_ones_pass(r, u, x, y))
                confused[x] = confused[y] = true;
    for (int x = 0; x < k->dims; x++)
        if (confused[x])
            strbuf_addf(&names, "%s%s", names.len ? " = " : "", k->dim_name[x]);
    return names.len ? xasprintf("sizes with %s pass, and hardly any others: does an index "
                                 "use one of these where another one is needed?",
                                 names.s)
                     : xstrdup("");
}
