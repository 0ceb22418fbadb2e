#include "measure/exercise_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "kernel/outputs.h"
#include "measure/exercise_examples.h"
#include "measure/exercise_look.h"
#include "supervise/stop.h"

/* No byte of a poison is zero, and the other one has no byte in common. */
#define NO_ZERO_BYTE UINT64_C(0x0101010101010101)

/* An error of the second source, in the units of the comparison, from which on values are called
 * badly conditioned: half of what is allowed. */
#define UNITS_NOTED (KERNEL_ERROR_MOST / 2)

/* --- one case --------------------------------------------------------------------------------- */

/* Run the trusted source. Copies its result. NULL: it failed, and that is told. */
static void *run(struct exercise_look *l, enum exercise_program p, uint64_t poison,
                 enum pg_rounding rounding)
{
    struct exercise *x = l->x;
    struct outcome o;
    char why[512];
    if (exercise_run(x, p, poison, rounding, &o) != 0) {
        exercise_look_failed(l, EXERCISE_RUNS, "%s", exercise_why(x, &o, why, sizeof why));
        exercise_end(x, p);
        return NULL;
    }
    void *got = xcalloc(x->arena.out_bytes + 1, 1);
    memcpy(got, arena_output(&x->arena, 0), x->arena.out_bytes);
    return got;
}

/* "y[3]: 4, then 5"; false if there is no difference. */
static bool differ(const struct exercise_look *l, const void *a, const void *b, const char *between,
                   char *text, size_t cap)
{
    const size_t i = exercise_difference(l->x, a, b);
    char name[ELEMENT_NAME], one[ELEMENT_TEXT], two[ELEMENT_TEXT];
    if (i == l->elements)
        return false;
    exercise_text(l->x, a, i, one);
    exercise_text(l->x, b, i, two);
    snprintf(text, cap, "%s: %s%s%s", exercise_element(l->x, i, name), one, between, two);
    return true;
}

static bool look_repeats(struct exercise_look *l)
{
    char text[300];
    OWNED void *again = run(l, PROGRAM_TRUSTED, l->poison, PG_NEAREST);
    OWNED void *other = run(l, PROGRAM_AGAIN, l->poison, PG_NEAREST);
    const unsigned before = l->tally[EXERCISE_REPEATS].failed;
    l->tally[EXERCISE_REPEATS].cases++;
    if (again && differ(l, l->expected, again, ", then ", text, sizeof text))
        exercise_look_failed(l, EXERCISE_REPEATS, "a second call gives another result: %s", text);
    else if (other && differ(l, l->expected, other, ", then ", text, sizeof text))
        exercise_look_failed(l, EXERCISE_REPEATS, "another process gives another result: %s", text);
    return l->tally[EXERCISE_REPEATS].failed == before;
}

/* The first element that is compared and differs; the first that differs, if the comparison names
 * none; l->elements: the result is accepted. */
static size_t wrong_element(struct exercise_look *l, const void *other)
{
    struct mismatch m = {0};
    char name[ELEMENT_NAME];
    if (exercise_look_accepts(l, other, &m, NULL))
        return l->elements;
    const size_t first = exercise_difference(l->x, l->expected, other);
    for (size_t i = first; i < l->elements; i++)
        if (strcmp(exercise_element(l->x, i, name), m.element) == 0)
            return i;
    return first;
}

/* A result must not depend on what the output held. repeats: nor does it depend on chance. */
static bool look_writes(struct exercise_look *l, bool repeats)
{
    const unsigned before = l->tally[EXERCISE_WRITES].failed;
    const uint64_t poison = kernel_poison_of(l->x->kernel, POISON_NANS, ~l->poison | NO_ZERO_BYTE);
    OWNED void *other = run(l, PROGRAM_TRUSTED, poison, PG_NEAREST);
    char name[ELEMENT_NAME];
    struct stray stray;
    l->tally[EXERCISE_WRITES].cases++;
    const size_t i = other ? wrong_element(l, other) : l->elements;
    if (other && !arena_surround_intact(&l->x->arena, poison, 1, &stray))
        exercise_look_failed(l, EXERCISE_WRITES, "writes %s %s",
                             stray.where < 0 ? "before the start of" : "past the end of",
                             kernel_output(l->x->kernel, stray.output)->name);
    else if (i < l->elements && exercise_holds(l->x, l->expected, i, l->poison) &&
             exercise_holds(l->x, other, i, poison))
        exercise_look_failed(l, EXERCISE_WRITES, "%s is not written by the trusted source",
                             exercise_element(l->x, i, name));
    else if (i < l->elements && repeats)
        exercise_look_failed(l, EXERCISE_WRITES, "%s depends on what the output held before",
                             exercise_element(l->x, i, name));
    return l->tally[EXERCISE_WRITES].failed == before;
}

/* An array of real numbers. One by value is chosen with care. */
static bool is_real_input(const struct operand *o)
{
    return type_is_rounded(o->type) && !o->by_value;
}

/* Exact results are the same in every direction of rounding. Of others, the difference tells how
 * far programs may be apart. */
static void look_rounding(struct exercise_look *l)
{
    const struct exercise *x = l->x;
    struct mismatch m;
    char text[300];
    bool real = false, compares = false;
    for (int i = 0; i < kernel_outputs(x->kernel); i++)
        real = real || type_is_rounded(kernel_output(x->kernel, i)->type);
    for (int i = 0; i < x->kernel->inputs; i++)
        compares = compares || is_real_input(&x->kernel->in[i]);
    if (!real && !compares)
        return;
    OWNED void *up = run(l, PROGRAM_TRUSTED, l->poison, PG_UPWARD);
    OWNED void *down = run(l, PROGRAM_TRUSTED, l->poison, PG_DOWNWARD);
    if (up && down && l->exact) {
        l->tally[EXERCISE_EXACT].cases++;
        const bool same =
            exercise_look_accepts(l, up, &m, NULL) && exercise_look_accepts(l, down, &m, NULL);
        if (!same && differ(l, up, down, " rounding up, ", text, sizeof text))
            exercise_look_failed(l, EXERCISE_EXACT, "%s rounding down: %s", text,
                                 real ? "results are rounded: give `terms`, fewer bits, or "
                                        "rounded: true"
                                      : "honest programs differ there: choose whole numbers, or "
                                        "let a check accept both");
    } else if (up && down) {
        l->spread = xcalloc(l->elements + 1, sizeof *l->spread);
        for (size_t i = 0; i < l->elements; i++)
            l->spread[i] = exercise_distance(x, up, down, i);
    }
}

static void look_finite(struct exercise_look *l)
{
    char name[ELEMENT_NAME], number[ELEMENT_TEXT];
    size_t bad = 0, first = 0;
    l->tally[EXERCISE_FINITE].cases++;
    for (size_t i = l->elements; i-- > 0;)
        if (!exercise_is_finite(l->x, l->expected, i) &&
            !exercise_holds(l->x, l->expected, i, l->poison)) {
            bad++;
            first = i;
        }
    if (!bad)
        return;
    exercise_text(l->x, l->expected, first, number);
    exercise_look_failed(
        l, EXERCISE_FINITE, "%s is %s; %.3g %% of the expected elements are not finite",
        exercise_element(l->x, first, name), number, 100.0 * (double)bad / (double)l->elements);
}

static void look_second(struct exercise_look *l)
{
    struct exercise *x = l->x;
    struct outcome o;
    struct mismatch m;
    struct accuracy a = {0};
    char why[512];
    if (!x->program[PROGRAM_SECOND].library || x->program[PROGRAM_SECOND].late)
        return;
    l->tally[EXERCISE_SECOND].cases++;
    if (exercise_run(x, PROGRAM_SECOND, l->poison, PG_NEAREST, &o) != 0) {
        exercise_look_failed(l, EXERCISE_SECOND, "the second source: %s",
                             exercise_why(x, &o, why, sizeof why));
        exercise_end(x, PROGRAM_SECOND);
    } else if (!exercise_look_accepts(l, arena_output(&x->arena, 0), &m, &a)) {
        if (*m.got)
            exercise_look_failed(l, EXERCISE_SECOND,
                                 "%s: the trusted source gives %s, the second %s", m.element,
                                 m.expected, m.got);
        else
            exercise_look_failed(l, EXERCISE_SECOND,
                                 "the check refuses the result of the second source: %s",
                                 m.pattern);
    }
    if (!l->exact)
        l->units = fmax(l->units, a.max);
}

static int look_at(struct exercise_look *l, const struct test_case *c, struct err *e)
{
    struct exercise *x = l->x;
    if (exercise_lay_out(x, c->shape, e) != 0)
        return -1;
    l->test_case = c;
    if (!exercise_look_values(l))
        return 0;
    for (int i = 0; i < x->kernel->inputs; i++)
        l->in[i] = arena_input(&x->arena, i, 0);
    l->elements = exercise_elements(x);
    l->exact = kernel_values_exact(x->kernel, c->values);
    l->poison = kernel_poison_of(x->kernel, POISON_NUMBERS, c->seed | NO_ZERO_BYTE);
    free(l->expected);
    free(l->spread);
    l->spread = NULL;
    l->expected = run(l, PROGRAM_TRUSTED, l->poison, PG_NEAREST);
    l->tally[EXERCISE_RUNS].cases++;
    if (!l->expected)
        return 0;
    const bool repeats = look_repeats(l);
    const bool writes = look_writes(l, repeats);
    look_finite(l);
    if (repeats) {
        look_rounding(l);
        exercise_look_asked(l);
        if (!exercise_look_is_blind(l)) {
            look_second(l);
            exercise_look_mistakes(l);
            exercise_look_nothing(l);
        }
        exercise_look_inputs(l);
    }
    if (writes)
        exercise_look_memory(l);
    return 0;
}

/* --- the report ------------------------------------------------------------------------------- */

static void report(struct exercise_look *l, enum exercise_check c, const char *fine)
{
    struct exercise_tally *t = &l->tally[c];
    char more[64] = "";
    if (t->failed > 1)
        snprintf(more, sizeof more, "; so it is in %u of %u cases", t->failed, t->cases);
    if (t->failed)
        exercise_report_add(&l->x->report, c, EXERCISE_WRONG, "%s%s", t->first, more);
    else if (t->cases)
        exercise_report_add(&l->x->report, c, EXERCISE_OK, "%s in %u %s", fine, t->cases,
                            plural(t->cases, "case", "cases"));
    free(t->first);
}

static void report_second(struct exercise_look *l)
{
    if (!l->x->file->second)
        exercise_report_add(&l->x->report, EXERCISE_SECOND, EXERCISE_NOTE,
                            "there is no second source: trusted: {second: NAME.c} finds what "
                            "nothing else does");
    else
        report(l, EXERCISE_SECOND, "both sources agree");
    if (l->units > UNITS_NOTED && l->units <= KERNEL_ERROR_MOST)
        exercise_report_add(&l->x->report, EXERCISE_SECOND, EXERCISE_NOTE,
                            "honest sources are %.0f units of rounding apart, and %.0f are "
                            "allowed: choose values that are better conditioned",
                            l->units, KERNEL_ERROR_MOST);
}

/* The first kind of values that has real numbers, and not only whole ones; NULL: none has. */
static const char *real_kind(const struct exercise *x)
{
    const struct kernel *k = x->kernel;
    for (int v = 0; v < k->values_count; v++)
        for (int i = 0; i < k->inputs; i++)
            if (is_real_input(&k->in[i]) &&
                !generators_are_whole(&x->file->generators[v][i], k->in[i].type))
                return x->file->kind[v].name;
    return NULL;
}

/* Of many elements in many timed runs, chance brings some near to where another result begins. */
static void report_decided(struct exercise_look *l)
{
    const struct exercise *x = l->x;
    const char *kind = real_kind(x);
    for (int i = 0; kind && i < kernel_outputs(x->kernel); i++) {
        const struct operand *out = kernel_output(x->kernel, i);
        if (!type_is_rounded(out->type) && x->file->rule[i].how == RULE_AUTO)
            exercise_report_add(&l->x->report, EXERCISE_EXACT, EXERCISE_NOTE,
                                "%s holds whole numbers, and %s values are real ones: where "
                                "rounding decides, honest programs differ. Let a check accept "
                                "both; if nothing is rounded, compare: {%s: exact}",
                                out->name, kind, out->name);
    }
}

static void report_all(struct exercise_look *l)
{
    report(l, EXERCISE_VALUES, "the same key makes the same values");
    exercise_report_values(l);
    report(l, EXERCISE_RUNS, "the trusted source gives a result");
    report_second(l);
    exercise_report_mistakes(l);
    report(l, EXERCISE_CHECK, "the check accepts the right answer");
    exercise_report_asked(l);
    report(l, EXERCISE_REPEATS, "calls and processes give the same result");
    report(l, EXERCISE_WRITES, "every element is written");
    report(l, EXERCISE_MEMORY, "sanitizers find nothing");
    report(l, EXERCISE_EXACT, "rounding up and down gives accepted results");
    report_decided(l);
    report(l, EXERCISE_FINITE, "all results are finite");
    exercise_report_nothing(l);
    exercise_report_inputs(l);
}

int exercise_check(struct exercise *x, struct err *e)
{
    struct exercise_look l = {.x = x};
    int rc = 0;
    const bool can = !x->file->maker || x->maker_again.process.kernel;
    if (x->program[PROGRAM_TRUSTED].library && can) {
        exercise_check_examples(x);
        for (size_t i = 0; i < x->cases.count && rc == 0; i++) {
            rc = proctor_stop ? err_system(e, "it was told to end")
                              : look_at(&l, &x->cases.item[i], e);
            if (l.tally[EXERCISE_RUNS].failed || l.tally[EXERCISE_VALUES].failed)
                break; /* the others would fail, too, after a time limit each */
        }
        report_all(&l);
        if (!l.tally[EXERCISE_RUNS].failed && rc == 0) {
            exercise_look_timed(x);
            exercise_look_digits(x);
        }
    }
    free(l.expected);
    free(l.spread);
    exercise_report_sort(&x->report);
    return rc;
}
