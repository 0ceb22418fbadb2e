#include "measure/exercise_look.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "kernel/outputs.h"

void exercise_look_failed(struct exercise_look *l, enum exercise_check c, const char *fmt, ...)
{
    struct exercise_tally *t = &l->tally[c];
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    t->failed++;
    if (t->first)
        return;
    OWNED char *name = exercise_case_name(l->x, l->test_case);
    t->first = xasprintf("%s: %s", name, text);
}

/* Is every element compared in its place, and as rounding says? */
static bool is_plain(const struct exercise *x)
{
    for (int i = 0; i < kernel_outputs(x->kernel); i++)
        if (!output_rule_is_plain(&x->file->rule[i]))
            return false;
    return true;
}

struct comparison exercise_look_comparison(const struct exercise_look *l, const void *got)
{
    return (struct comparison){.shape = l->test_case->shape,
                               .values = l->test_case->values,
                               .in = l->in,
                               .expected = l->expected,
                               .got = got,
                               .spread = l->spread,
                               .poison = l->poison,
                               .launch = {1, 1}};
}

/* After so many failures it is asked only what must be known: each of them may take the time limit.
 */
enum { FAILURES_MOST = 3 };

int exercise_look_ask(struct exercise_look *l, const void *got, bool needed, struct opinion *said)
{
    struct exercise *x = l->x;
    const struct comparison c = exercise_look_comparison(l, got);
    struct exercise_asked *t = &l->asked;
    struct outcome o;
    char why[512];
    *said = (struct opinion){.right = false};
    if (t->broken || (t->failed >= FAILURES_MOST && !needed))
        return -1;
    if (checks_ask_once(&x->checks, &c, got, said, &o) == 0)
        return 0;
    t->failed++;
    if (!t->how) {
        OWNED char *name = exercise_case_name(x, l->test_case);
        t->how = xasprintf("%s: %s", name, helper_why(&x->checks.process, &o, why, sizeof why));
    }
    return -1;
}

bool exercise_look_is_blind(const struct exercise_look *l)
{
    return l->x->file->check && (!l->x->checks.process.kernel || l->asked.broken);
}

bool exercise_look_accepts(struct exercise_look *l, const void *got, struct mismatch *m,
                           struct accuracy *a)
{
    struct accuracy ignored;
    struct opinion said;
    struct comparison c = exercise_look_comparison(l, got);
    if (!a && exercise_difference(l->x, l->expected, got) == l->elements)
        return true;
    if (!a && l->exact && is_plain(l->x))
        return false;
    if (l->x->checks.process.kernel) {
        exercise_look_ask(l, got, a != NULL, &said);
        c.checked = &said;
    }
    return kernel_compare(l->x->kernel, &c, m, a ? a : &ignored) == 0;
}
