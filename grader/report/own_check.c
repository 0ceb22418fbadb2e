#include "report/own_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/smallest.h"
#include "report/text.h"

/* The option that gives a check the cases of the run; the caller frees it. */
static char *profile_option(const struct run *r)
{
    const char *graded = r->plan->profile, *own = assignment_self_test_profile(r->assignment);
    if (strcmp(graded, own ? own : "") == 0)
        return xstrdup("");
    return graded[0] ? xasprintf(" -p %s", graded) : xstrdup(" --full");
}

/* Has a check a case of this number with the same shape? Edges do not depend on the seed, and the
 * assignment that students have does not tell another one. */
static bool is_known(const struct run *r, const struct test_case *c)
{
    return r->plan->seed == r->assignment->seed || c->kind == CASE_EDGE;
}

static const struct test_case *case_of(const struct run *r, const struct case_result *c)
{
    return c->case_index < (int)r->cases.count ? &r->cases.item[c->case_index] : NULL;
}

char *own_check(const struct run *r, unsigned unit, const struct case_result *c)
{
    const struct test_case *t = case_of(r, c);
    char *profile = profile_option(r), which[SHAPE_TEXT + 16] = "", size[SHAPE_TEXT];
    if (t && t->kind == CASE_PERFORMANCE) {
        shape_format(t->shape, size);
        snprintf(which, sizeof which, " --size %s", size);
    } else if (t && is_known(r, t)) {
        snprintf(which, sizeof which, " --case %d", c->case_index);
    }
    char *text = xasprintf("paragrade check -t %s%s%s", text_tier(r, unit), which, profile);
    free(profile);
    return text;
}

char *own_check_export(const struct run *r, unsigned unit, const struct case_result *c)
{
    const struct test_case *t = case_of(r, c);
    const char *tier = text_tier(r, unit);
    char size[SHAPE_TEXT];
    if (!t || is_known(r, t))
        return xasprintf("paragrade replay --export case%d %s %d", c->case_index, tier,
                         c->case_index);
    kernel_size_text(r->assignment->kernel, t->shape, size);
    return xasprintf("paragrade replay --export case%d %s %s --values %s", c->case_index, tier,
                     size, kernel_values_name(r->assignment->kernel, t->values));
}
