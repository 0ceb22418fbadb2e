/* The rules of measuring: what timed runs say, and whether more of them are wanted. */
#include "unit.h"
#include <math.h>

#include "model/estimate.h"

enum { STARTS_MOST = 6, RUNS_MOST = 8 };

/* A start of the unit's process, tenths of seconds. Beside each run of the unit, the yardstick
 * takes as long. */
struct start {
    double alone, yardstick;
    double other;           /* the yardstick on another core */
    double unit[RUNS_MOST]; /* ends with a 0 */
};

#define PRECISION 0.02
#define TENTH 0.1
/* Just within and just beyond a share. */
#define BELOW(share) (1 + 0.99 * (share))
#define ABOVE(share) (1 + 1.01 * (share))
/* clang-format off */
#define STARTS(...) {__VA_ARGS__}
#define START(alone, yardstick, ...) {alone, yardstick, 0, {__VA_ARGS__}}
/* All runs of a start take as long. */
#define FOUR(seconds) seconds, seconds, seconds, seconds
/* An undisturbed start: the yardstick takes a tenth of a second. */
#define QUIET(seconds) START(1, 1, FOUR(seconds))
#define ENOUGH(...) {START(__VA_ARGS__), START(__VA_ARGS__), START(__VA_ARGS__), START(__VA_ARGS__)}
/* The yardstick on another core takes so long. */
#define OTHER(tenths) {1, 1, tenths, {FOUR(2)}}
#define NO_STARTS {{0, 0, 0, {0}}}
/* clang-format on */

static size_t runs_of(const struct start *x)
{
    size_t n = 0;
    while (n < RUNS_MOST && x->unit[n] != 0)
        n++;
    return n;
}

/* Starts without a run follow the last one. */
static size_t samples_of(const struct start *x, struct sample *s)
{
    size_t n = 0;
    for (int i = 0; i < STARTS_MOST; i++)
        for (size_t k = 0; k < runs_of(&x[i]); k++)
            s[n++] = (struct sample){.start = i,
                                     .reps = 1,
                                     .alone = x[i].alone * TENTH,
                                     .other = x[i].other * TENTH,
                                     .yardstick = x[i].yardstick * TENTH,
                                     .unit = x[i].unit[k] * TENTH};
    return n;
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-9 * fabs(b);
}

/* --- what runs say ---------------------------------------------------------------------------- */

/* What is true of an estimate. */
enum { NOT = 0, AGREED = 1, UNDISTURBED = 2, BOTH = 3, CONFIRMED = 7 };

TEST(what_runs_say)
{
    static const struct {
        const char *name;
        struct start start[STARTS_MOST];
        double record;
        double seconds, yardstick, relative;
        unsigned starts, is;
    } table[] = {
        {"nothing", NO_STARTS, 1, NAN, NAN, NAN, 0, NOT},
        {"nothing, and no record", NO_STARTS, NAN, NAN, NAN, NAN, 0, NOT},
        {"no time is known", STARTS(START(NAN, NAN, NAN), START(NAN, NAN, NAN, NAN)), NAN, NAN, NAN,
         NAN, 0, NOT},
        {"the yardstick only", STARTS(START(1, NAN, NAN), START(1, NAN, NAN), START(1, NAN, NAN)),
         1, NAN, 1, NAN, 0, UNDISTURBED},
        {"the unit only, and no record", ENOUGH(NAN, NAN, FOUR(2)), NAN, 2, NAN, NAN, 4, AGREED},
        {"one run", STARTS(START(1, 1, 2)), 1, 2, 1, 0.5, 1, UNDISTURBED},
        {"one start", STARTS(QUIET(2)), 1, 2, 1, 0.5, 1, UNDISTURBED},
        {"two starts", STARTS(QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 2, BOTH},
        {"three starts", STARTS(QUIET(2), QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 3, BOTH},
        {"four starts", ENOUGH(1, 1, FOUR(2)), 1, 2, 1, 0.5, 4, CONFIRMED},
        {"one run in each", ENOUGH(1, 1, 2), 1, 2, 1, 0.5, 4, CONFIRMED},
        {"times of which some are unknown do not count",
         STARTS(START(1, 1, NAN, 2, NAN, NAN, NAN, NAN), START(1, NAN, FOUR(2)), QUIET(2), QUIET(2),
                QUIET(NAN)),
         1, 2, 1, 0.5, 4, CONFIRMED},
        /* Rule 1. */
        {"one lucky run in each start",
         STARTS(START(1, 1, 0.1, 2, 2, 2), START(1, 1, 2, 2, 0.1, 2), START(1, 1, 2, 2, 2, 0.1),
                QUIET(2)),
         1, 2, 1, 0.5, 4, CONFIRMED},
        {"of three runs, the fastest",
         STARTS(START(1, 1, 3, 2, 4), START(1, 1, 2, 9, 8), START(1, 1, 7, 6, 2), QUIET(2)), 1, 2,
         1, 0.5, 4, CONFIRMED},
        {"most runs are slow",
         STARTS(START(1, 1, 9, 9, 2, 9, 9, 2, 9, 9), START(1, 1, 2, 2, 9, 9, 9, 9, 9, 9), QUIET(2),
                QUIET(2)),
         1, 2, 1, 0.5, 4, CONFIRMED},
        /* Rule 2. */
        {"one lucky start", STARTS(QUIET(0.1), QUIET(2), QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 4,
         UNDISTURBED},
        {"one slow start", STARTS(QUIET(2), QUIET(9), QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 4,
         CONFIRMED},
        {"two speeds, the fast one seen once", STARTS(QUIET(2), QUIET(2.4), QUIET(2.4), QUIET(2.4)),
         1, 2.4, 1, 1 / 2.4, 4, UNDISTURBED},
        {"two speeds, the fast one seen twice", STARTS(QUIET(2.4), QUIET(2), QUIET(2.4), QUIET(2)),
         1, 2, 1, 0.5, 4, CONFIRMED},
        {"starts that just agree",
         STARTS(QUIET(2), QUIET(2 * BELOW(PRECISION)), QUIET(3), QUIET(3)), 1, 2 * BELOW(PRECISION),
         1, 0.5 / BELOW(PRECISION), 4, CONFIRMED},
        {"starts that just do not",
         STARTS(QUIET(2), QUIET(2 * ABOVE(PRECISION)), QUIET(3), QUIET(3)), 1, 2 * ABOVE(PRECISION),
         1, 0.5 / ABOVE(PRECISION), 4, UNDISTURBED},
        /* Rule 3. */
        {"a unit that slows the yardstick beside it gains nothing", ENOUGH(1, 2, FOUR(2)), 1, 2, 1,
         0.5, 4, CONFIRMED},
        {"a unit that makes the yardstick faster loses", ENOUGH(1, 0.5, FOUR(2)), 1, 2, 0.5, 0.25,
         4, CONFIRMED},
        {"the yardstick was slow alone", ENOUGH(9, 1, FOUR(2)), 1, 2, 1, 0.5, 4, CONFIRMED},
        {"a speed-up by a yardstick that was undisturbed once only is not confirmed",
         STARTS(START(9, 9, FOUR(1)), START(9, 9, FOUR(1)), START(1, 1, FOUR(9)),
                START(9, 9, FOUR(1))),
         1, 1, 9, 9, 4, AGREED},
        {"the yardstick was lucky once",
         STARTS(START(0.5, 1, FOUR(2)), QUIET(2), QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 4, CONFIRMED},
        {"one start in which all was slow",
         STARTS(START(2, 2, FOUR(4)), QUIET(2), QUIET(2), QUIET(2)), 1, 2, 1, 0.5, 4, AGREED},
        {"and four more", STARTS(START(2, 2, FOUR(4)), QUIET(2), QUIET(2), QUIET(2), QUIET(2)), 1,
         2, 1, 0.5, 5, CONFIRMED},
        {"as slow as the gate allows", ENOUGH(1.03, 1.03, FOUR(2)), 1, 2, 1.03, 0.515, 4,
         CONFIRMED},
        {"a little slower", ENOUGH(1.031, 1.031, FOUR(2)), 1, 2, 1.031, 0.5155, 4, AGREED},
        {"a node that is half as fast", ENOUGH(2, 2, FOUR(4)), 1, 4, 2, 0.5, 4, AGREED},
        {"the same without a record", ENOUGH(2, 2, FOUR(4)), NAN, 4, 2, 0.5, 4, CONFIRMED},
        {"faster than the record", ENOUGH(0.9, 0.9, FOUR(2)), 1, 2, 0.9, 0.45, 4, CONFIRMED},
        {"other cores are as fast as the gate allows",
         STARTS(OTHER(1.03), OTHER(1.03), OTHER(1.03), OTHER(1.03)), 1, 2, 1, 0.5, 4, CONFIRMED},
        {"another core is slower", STARTS(OTHER(1), OTHER(1.031), OTHER(1), OTHER(1.031), OTHER(1)),
         1, 2, 1, 0.5, 5, AGREED},
        {"and then it is not",
         STARTS(OTHER(1), OTHER(1.1), OTHER(1), OTHER(1.1), OTHER(1), OTHER(1)), 1, 2, 1, 0.5, 6,
         CONFIRMED},
        /* How many starts are enough. */
        {"a long call", STARTS(START(1, 1, 10.1), START(1, 1, 10.1)), 1, 10.1, 1, 1 / 10.1, 2,
         CONFIRMED},
        {"a call that is not long", STARTS(START(1, 1, 10), START(1, 1, 10)), 1, 10, 1, 0.1, 2,
         BOTH},
        {"a long call, one start", STARTS(START(1, 1, 100)), 1, 100, 1, 0.01, 1, UNDISTURBED},
        /* Extreme numbers. */
        {"very small and very large times", ENOUGH(1e-9, 1e-9, FOUR(1e6)), 1e-9, 1e6, 1e-9, 1e-15,
         4, CONFIRMED},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS_MOST * RUNS_MOST];
        const size_t n = samples_of(table[i].start, s);
        const struct estimate e = estimate_of(s, n, TENTH * table[i].record, PRECISION);
        if (!near(e.seconds.value, TENTH * table[i].seconds) ||
            !near(e.yardstick, TENTH * table[i].yardstick) ||
            !near(e.relative.value, table[i].relative))
            fail_msg("%s: unit %g s, yardstick %g s, relative %g", table[i].name, e.seconds.value,
                     e.yardstick, e.relative.value);
        const unsigned is = e.agreed * 1U + e.undisturbed * 2U + e.confirmed * 4U;
        if (e.starts != table[i].starts || is != table[i].is)
            fail_msg("%s: %u starts, agreed %d, undisturbed %d, confirmed %d", table[i].name,
                     e.starts, e.agreed, e.undisturbed, e.confirmed);
        if (e.seconds.n != (e.starts ? n : 0) || e.relative.n != e.seconds.n || e.end_to_end.n ||
            e.seconds.unconfirmed == e.confirmed || e.relative.unconfirmed == e.confirmed)
            fail_msg("%s: %zu of %zu samples, unconfirmed %d", table[i].name, e.seconds.n, n,
                     e.seconds.unconfirmed);
    }
}

/* --- intervals -------------------------------------------------------------------------------- */

/* A time whose fastest three of `count` starts differ by the logarithm `spread`, in start k. The
 * second fastest one takes 1. */
static double spread_over(double spread, int count, int k)
{
    if (count == 2)
        return exp(k == 0 ? -spread : 0);
    return k == 0 ? exp(-spread / 4) : k == 1 ? 1 : k == 2 ? exp(3 * spread / 4) : 10;
}

static bool within(struct interval is, double value, double half)
{
    return fabs(is.value - value) <= 1e-9 * value &&
           fabs(is.low - value * exp(-half)) <= 1e-9 * value &&
           (isinf(half) ? isinf(is.high) : fabs(is.high - value * exp(half)) <= 1e-9 * value);
}

/* The half width is in units of the logarithm. */
TEST(intervals)
{
    static const struct {
        const char *name;
        double unit, yardstick; /* what their starts differ by, logarithms */
        double excess;          /* of the yardstick's time over what the gate allows, logarithm */
        double precision;
        int starts;
        double half; /* over ESTIMATE_FACTOR */
    } table[] = {
        {"one start: nothing is known", 0, 0, 0, 0.02, 1, INFINITY},
        {"two starts", 0, 0, 0, 0.02, 2, 0.01},
        {"two starts that differ", 0.03, 0.04, 0, 0, 2, 0.05},
        {"all agree exactly", 0, 0, 0, 0.02, 3, 0.01},
        {"the unit's starts differ", 0.03, 0, 0, 0, 3, 0.03},
        {"the yardstick's, too", 0.03, 0.04, 0, 0, 3, 0.05},
        {"the fourth one says nothing", 0.03, 0.04, 0, 0, 4, 0.05},
        {"and the yardstick was slow", 0.03, 0.04, 0.12, 0, 3, 0.13},
        {"all of that", 0.03, 0.04, 0.12, 1.68, 3, 0.85},
        {"a yardstick that is faster than the record", 0, 0, -0.5, 0.02, 3, 0.01},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[4];
        const int starts = table[i].starts;
        const double yardstick = (1 + ESTIMATE_GATE) * exp(table[i].excess);
        for (int k = 0; k < starts; k++)
            s[k] =
                (struct sample){.start = k,
                                .reps = 1,
                                .alone = NAN,
                                .yardstick = yardstick * spread_over(table[i].yardstick, starts, k),
                                .unit = 4 * spread_over(table[i].unit, starts, k)};
        const struct estimate e = estimate_of(s, (size_t)starts, 1, table[i].precision);
        const double half = ESTIMATE_FACTOR * table[i].half;
        if (!within(e.seconds, 4, half) || !within(e.relative, yardstick / 4, half))
            fail_msg("%s: %g in %g ... %g, %g in %g ... %g", table[i].name, e.seconds.value,
                     e.seconds.low, e.seconds.high, e.relative.value, e.relative.low,
                     e.relative.high);
    }
}

/* The copies have what the kernel's interval has, and what their own starts disagree by. */
TEST(copies)
{
    const struct {
        const char *name;
        double copies[4];
        double value, half; /* half: over ESTIMATE_FACTOR */
        size_t n;
    } table[] = {
        {"no device", {0, 0, 0}, NAN, INFINITY, 0},
        {"unknown", {NAN, NAN, NAN, NAN}, NAN, INFINITY, 0},
        {"one start has them", {0, 5, 0, 0}, 5, INFINITY, 4},
        {"they agree", {5, 5, 5, 5}, 5, 0.01, 4},
        {"they differ", {5, 6, 7, 8}, 6, hypot(0.01, log(1.4)), 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[4];
        for (int k = 0; k < 4; k++)
            s[k] = (struct sample){.start = k,
                                   .reps = 1,
                                   .alone = 1,
                                   .yardstick = 1,
                                   .unit = 4,
                                   .end_to_end = table[i].copies[k]};
        const struct estimate e = estimate_of(s, 4, 1, PRECISION);
        const struct interval x = e.end_to_end;
        assert_true(e.confirmed);
        if (x.n != table[i].n ||
            (x.n ? !within(x, table[i].value, ESTIMATE_FACTOR * table[i].half) : !isnan(x.value)))
            fail_msg("%s: %g in %g ... %g, n %zu", table[i].name, x.value, x.low, x.high, x.n);
    }
}

TEST(typical_runs)
{
    static const struct {
        const char *name;
        struct start start[STARTS_MOST];
        double typical;
    } table[] = {
        {"nothing", NO_STARTS, NAN},
        {"one run", STARTS(START(1, 1, 2)), 1},
        {"all alike", STARTS(QUIET(2), QUIET(2), QUIET(2)), 1},
        {"most runs are slower",
         STARTS(START(1, 1, 3, 2, 2, 3, 3, 3, 3, 3), START(1, 1, 3, 3, 3, 3, 3, 3, 2, 2), QUIET(3)),
         1.5},
        {"one lucky run says nothing", STARTS(START(1, 1, 0.1, 2, 2, 2), QUIET(2), QUIET(2)), 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS_MOST * RUNS_MOST];
        const size_t n = samples_of(table[i].start, s);
        const struct estimate e = estimate_of(s, n, TENTH, PRECISION);
        if (!near(e.typical, table[i].typical))
            fail_msg("%s: %g", table[i].name, e.typical);
    }
}

/* --- the yardstick alone ---------------------------------------------------------------------- */

TEST(the_yardstick_alone)
{
    static const struct {
        const char *name;
        struct start start[STARTS_MOST];
        double alone;
    } table[] = {
        {"nothing", NO_STARTS, NAN},
        {"unknown", STARTS(START(NAN, 1, 2)), NAN},
        {"one start", STARTS(START(3, 1, 2)), 3},
        {"a lucky start, and a disturbed one",
         STARTS(START(0.1, 1, 2), START(9, 1, 2), START(3, 1, 2)), 3},
        {"what it takes beside the unit says nothing",
         STARTS(START(3, 1, FOUR(2)), START(4, 1, FOUR(2))), 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS_MOST * RUNS_MOST];
        const size_t n = samples_of(table[i].start, s);
        if (!near(estimate_alone(s, n), TENTH * table[i].alone))
            fail_msg("%s: %g", table[i].name, estimate_alone(s, n));
    }
}

/* --- what is wanted --------------------------------------------------------------------------- */

/* Starts of one run each, where the yardstick takes 1 s. */
static size_t starts_with(struct sample *s, int count, double unit, double slower)
{
    for (int i = 0; i < count; i++)
        s[i] = (struct sample){
            .start = i, .reps = 1, .alone = 1, .yardstick = 1, .unit = unit * pow(slower, i)};
    return (size_t)count;
}

TEST(another_start)
{
    static const struct {
        const char *name;
        int starts;
        double unit, slower; /* by which factor each start is slower than the one before */
        double record;
        double budget, spent, last;
        bool wanted;
    } table[] = {
        {"nothing yet", 0, 1, 1, 1, 6, 0, 0, true},
        {"nothing yet, and no budget", 0, 1, 1, 1, 0, 0, 0, true},
        {"one start", 1, 0.1, 1, 1, 6, 1, 1, true},
        {"two that agree", 2, 0.1, 1, 1, 6, 2, 1, true},
        {"two, and the budget is spent", 2, 0.1, 1, 1, 6, 60, 30, true},
        {"four that agree", 4, 0.1, 1, 1, 6, 3, 1, false},
        {"four that agree, before anything is known of the node", 4, 0.1, 1, NAN, 6, 3, 1, false},
        {"four that do not", 4, 0.1, 1.1, 1, 6, 3, 1, true},
        {"four on a slow node", 4, 0.1, 1, 0.9, 6, 3, 1, true},
        {"another one just fits", 4, 0.1, 1.1, 1, 6, 5, 1, true},
        {"another one does not fit", 4, 0.1, 1.1, 1, 6, 5.1, 1, false},
        {"more of them, that do not agree either", 5, 0.1, 1.1, 1, 6, 5, 1, true},
        {"one start of a long call", 1, 30, 1, 1, 6, 40, 40, true},
        {"two of a long call", 2, 30, 1, 1, 6, 80, 40, false},
        {"two of a long call that do not agree", 2, 30, 1.1, 1, 6, 80, 40, false},
        {"the same with a large budget", 2, 30, 1.1, 1, 120, 80, 40, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS_MOST];
        const struct estimate_progress p = {
            .sample = s,
            .count = starts_with(s, table[i].starts, table[i].unit, table[i].slower),
            .record = table[i].record,
            .precision = PRECISION,
            .budget = table[i].budget,
            .spent = table[i].spent,
            .last = table[i].last};
        if (estimate_wants_start(&p) != table[i].wanted)
            fail_msg("%s", table[i].name);
    }
}

/* Whatever the node does, measuring ends: as soon as it can, and within the budget. */
TEST(measuring_ends)
{
    static const struct {
        const char *name;
        double unit, slower, record, start; /* start: what each takes */
        int starts;                         /* in a budget of 6 s */
    } table[] = {
        {"all is well", 0.1, 1, 1, 0.5, 4},
        {"starts that never agree", 0.1, 1.05, 1, 0.5, 12},
        {"a node that is never fast", 0.1, 1, 0.5, 0.5, 12},
        {"starts that take half of the budget", 0.1, 1.05, 1, 3, 4},
        {"starts that are longer than the budget", 0.1, 1, 1, 10, 4},
        {"starts of long calls that are longer than the budget", 10, 1.05, 1, 10, 2},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        enum { ROOM = 100 };
        struct sample s[ROOM];
        struct estimate_progress p = {
            .sample = s, .record = table[i].record, .precision = PRECISION, .budget = 6};
        while (p.count < ROOM && estimate_wants_start(&p)) {
            p.count = starts_with(s, (int)p.count + 1, table[i].unit, table[i].slower);
            p.last = table[i].start;
            p.spent += p.last;
        }
        if (p.count != (size_t)table[i].starts)
            fail_msg("%s: %zu starts in %g s", table[i].name, p.count, p.spent);
    }
}

TEST(runs_of_a_start)
{
    static const struct {
        double budget, run;
        unsigned runs;
    } table[] = {
        {6, NAN, 1},      {6, 0, 1},    {6, -1, 1},    {0, 1, 1},    {-6, 1, 1},
        {6, INFINITY, 1}, {6, 1e99, 1}, {6, 1e-99, 8}, {6, 0.01, 8}, {6, 0.1875, 8},
        {6, 0.19, 7},     {6, 0.5, 3},  {6, 0.75, 2},  {6, 0.76, 1}, {6, 6, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (estimate_runs(table[i].budget, table[i].run) != table[i].runs)
            fail_msg("%g s of %g s: %u", table[i].run, table[i].budget,
                     estimate_runs(table[i].budget, table[i].run));
}

TESTS(NULL, NULL)
