/*
 * simulate: the rules of measuring (estimate.h) in worlds whose truth is known.
 *
 *     simulate [--gradings N] [--world NAME] [--budget SECONDS] [--precision SHARE]
 *
 * Each grading times one unit beside the yardstick, by the rules, on a node that is disturbed as
 * the world says. One line a world: bias and mean error of the speed, how often the 95 % interval
 * holds the truth, its half width (median), how often the time is called precise and how often it
 * is then more than 5 % off, seconds used. Exit status 1 when a goal is missed: marked with `!`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../helpers/rng_unit.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/estimate.h"

#ifndef TRACES
#define TRACES "tests/simulate/traces"
#endif

enum { SPELLS_MOST = 400, BLOCKS_MOST = 4000, TRACE_MOST = 20000 };

/* Goals, as shares. */
static const double COVERAGE = 0.93, FALSELY_PRECISE = 0.01, ERROR = 0.015, ERROR_SPELLS = 0.04;
static const double SABOTAGE = 0.02;

/* Seconds: yardstick, unit, what the harness does between runs. */
static const double YARD = 0.015, UNIT = 0.020, BETWEEN = 0.005;

/* --- random numbers -------------------------------------------------------------------------- */

struct random {
    uint64_t key, counter;
};

static double uniform(struct random *r, double low, double high)
{
    return low + (high - low) * rng_unit(rng_at(r->key, r->counter++));
}

static double normal(struct random *r)
{
    double u = 1 - uniform(r, 0, 1);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * uniform(r, 0, 1));
}

static double exponential(struct random *r, double mean)
{
    return -mean * log(1 - uniform(r, 0, 1));
}

/* --- worlds ---------------------------------------------------------------------------------- */

struct range {
    double low, high;
};

struct world {
    const char *name, *about;
    /* Spells of interference: mean length and pause in seconds, factors on times. */
    double spell, pause;
    struct range yard, unit, others;
    bool waits;         /* the scheduler shows that the unit waits for a core */
    double drift, felt; /* amplitude of the clock's drift; the share of it that the unit feels */
    double off_record;  /* the node is slower than expected by this share */
    double noise;       /* of the unit's runs, standard deviation */
    double tail;        /* share of runs that take half as long again, on average */
    double modes;       /* every run takes so much longer, or not, at random */
    double pages;       /* between processes, standard deviation */
    double lottery;     /* between processes, uniform up to this share */
    double start;       /* seconds to start a process */
    const char *trace;  /* recorded factors instead of all that */
    /* What a unit does to gain: the truth is what it earns without. */
    bool sabotage;
    double slows_yard;    /* slows the yardstick beside it by this share */
    double slows_unlucky; /* the same, in processes that are slower than usual only */
    double slow_calls;    /* it is slower by this share in its first runs of a process */
};

#define QUIET .noise = 0.007, .start = 0.05
#define SPELL .yard = {1.3, 2}, .unit = {1.1, 2.2}, .others = {1, 1}
static const struct world worlds[] = {
    {"quiet", "no interference", QUIET},
    {"drift", "the clock moves by 4 %, and the unit with it", QUIET, .drift = 0.04, .felt = 1},
    {"half-drift", "the unit feels half of it", QUIET, .drift = 0.04, .felt = 0.5},
    {"no-drift", "the unit feels nothing of it", QUIET, .drift = 0.04},
    {"spells-20s", "slow for 20 s now and then", .spell = 20, .pause = 40, SPELL, QUIET},
    {"spells-45s", "slow for 45 s now and then", .spell = 45, .pause = 60, SPELL, QUIET},
    {"half-slow", "slow for half of the time", .spell = 5, .pause = 5, SPELL, QUIET},
    {"never-quiet", "slow nearly always", .spell = 30, .pause = 1, .yard = {1.1, 1.4},
     .unit = {1.05, 1.45}, .others = {1, 1}, QUIET},
    {"off-record", "the node is 5 % slower than its record", QUIET, .off_record = 0.05},
    {"wrong-record", "its record was made while it was 40 % slower", QUIET, .off_record = -0.3},
    {"heavy-tail", "one run in five takes longer", .noise = 0.01, .tail = 0.2, .start = 0.05},
    {"noisy", "the unit's runs vary by 10 %", .noise = 0.1, .start = 0.05},
    {"modes", "a unit with two speeds, 25 % apart", QUIET, .modes = 0.25},
    {"pages", "the pages of a process cost 4 %", QUIET, .pages = 0.04},
    {"ranks", "a start of the ranks costs up to 17 %", .noise = 0.02, .lottery = 0.17,
     .start = 0.8},
    {"hog", "another process takes one core", .spell = 10, .pause = 15, .yard = {1, 1},
     .unit = {1.4, 2}, .others = {1.6, 2.1}, .waits = true, QUIET},
    {"other-core", "another guest takes the second core", .spell = 20, .pause = 20, .yard = {1, 1},
     .unit = {1.2, 2}, .others = {1.3, 2}, QUIET},
    {"crowd", "more processes than cores, which a sample of milliseconds shows as far too slow",
     .spell = 20, .pause = 20, .yard = {1, 1}, .unit = {1.3, 2}, .others = {5, 40}, QUIET},
    {"trace-quiet", "a recorded quiet hour", .trace = "quiet", .start = 0.05},
    {"trace-noisy", "a recorded noisy hour", .trace = "noisy", .start = 0.05, .spell = 1},
    {"slows-4%", "the unit slows the yardstick by 3.9 %", QUIET, .sabotage = true,
     .slows_yard = 0.039},
    {"off-slows-4%", "so on a node that is 5 % slower than its record", QUIET, .off_record = 0.05,
     .sabotage = true, .slows_yard = 0.039},
    {"fast-slows", "by 12 % on a node that is 8 % faster", QUIET, .off_record = -0.08,
     .sabotage = true, .slows_yard = 0.12},
    {"slows-40%", "the unit slows the yardstick by 40 %", QUIET, .sabotage = true,
     .slows_yard = 0.4},
    {"slows-unlucky", "so in processes with bad pages", QUIET, .pages = 0.04, .sabotage = true,
     .slows_unlucky = 0.4},
    {"slow-calls", "the unit is slow in its first runs", QUIET, .sabotage = true,
     .slow_calls = 0.5},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

/* --- traces: tests/simulate/record.c writes them --------------------------------------------- */

struct trace {
    const char *name;
    size_t count;
    double end;
    double at[TRACE_MOST], yard[TRACE_MOST], unit[TRACE_MOST], waited[TRACE_MOST];
};

/* Factors over the medians of the quiet recording. */
static const struct trace *trace_of(const char *name)
{
    static struct trace loaded[2];
    static double yard_ms, unit_ms;
    static const char *const names[] = {"quiet", "noisy"};
    if (!loaded[0].name) {
        for (int i = 0; i < 2; i++) {
            struct trace *t = &loaded[i];
            char *path = xasprintf("%s/%s.txt", TRACES, names[i]);
            FILE *f = fopen(path, "r");
            if (!f) {
                fprintf(stderr, "simulate: %s: cannot be read\n", path);
                exit(2);
            }
            while (t->count < TRACE_MOST &&
                   fscanf(f, "%lf %lf %lf %lf", &t->at[t->count], &t->yard[t->count],
                          &t->unit[t->count], &t->waited[t->count]) == 4)
                t->count++;
            fclose(f);
            free(path);
            t->name = names[i];
            t->end = t->at[t->count - 1];
            if (i == 0) {
                yard_ms = stats_median(t->yard, t->count);
                unit_ms = stats_median(t->unit, t->count);
            }
            for (size_t j = 0; j < t->count; j++) {
                t->yard[j] /= yard_ms;
                t->unit[j] /= unit_ms;
            }
        }
    }
    return strcmp(name, "quiet") == 0 ? &loaded[0] : &loaded[1];
}

static size_t trace_at(const struct trace *t, double when)
{
    double x = fmod(when, t->end);
    size_t low = 0, high = t->count - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (t->at[middle] <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* --- one node while one unit is graded ------------------------------------------------------- */

struct spell {
    double from, to, yard, unit, others;
};

struct node {
    const struct world *world;
    const struct trace *trace;
    struct random random;
    struct spell spell[SPELLS_MOST];
    int spells;
    double phase;   /* where drift or trace begin */
    double process; /* factor of the present process */
    int runs;       /* of it */
    double now;
};

static void node_init(struct node *n, const struct world *w, uint64_t seed)
{
    *n = (struct node){.world = w, .random = {.key = rng_mix64(seed)}};
    n->trace = w->trace ? trace_of(w->trace) : NULL;
    n->phase = uniform(&n->random, 0, n->trace ? n->trace->end : 200);
    double t = w->spell > 0 ? -exponential(&n->random, w->pause + w->spell) : INFINITY;
    while (t < 2000 && !n->trace && n->spells < SPELLS_MOST) {
        double length = exponential(&n->random, w->spell);
        /* What hits one hard hits the other hard, but not as hard. */
        double a = uniform(&n->random, 0, 1), b = (a + uniform(&n->random, 0, 1)) / 2;
        double c = (a + uniform(&n->random, 0, 1)) / 2;
        n->spell[n->spells++] =
            (struct spell){t, t + length, w->yard.low + a * (w->yard.high - w->yard.low),
                           w->unit.low + b * (w->unit.high - w->unit.low),
                           w->others.low + c * (w->others.high - w->others.low)};
        t += length + exponential(&n->random, w->pause);
    }
}

static struct spell spell_now(const struct node *n)
{
    for (int i = 0; i < n->spells; i++)
        if (n->now >= n->spell[i].from && n->now < n->spell[i].to)
            return n->spell[i];
    return (struct spell){.yard = 1, .unit = 1, .others = 1};
}

static double drift_now(const struct node *n)
{
    return n->world->drift * sin((n->phase + n->now) / 30);
}

static void start_process(struct node *n)
{
    const struct world *w = n->world;
    n->runs = 0;
    n->process = exp(w->pages * normal(&n->random));
    if (w->lottery > 0)
        n->process *= exp(uniform(&n->random, 0, w->lottery));
    n->now += w->start;
}

/* Run the yardstick. `beside`: a process of the unit exists. */
static double run_yard(struct node *n, bool beside)
{
    const struct world *w = n->world;
    double x = YARD * (1 + w->off_record) * exp(drift_now(n) + 0.004 * normal(&n->random));
    if (n->trace)
        x = YARD * n->trace->yard[trace_at(n->trace, n->phase + n->now)];
    x *= spell_now(n).yard;
    if (beside)
        x *= 1 + w->slows_yard + (n->process > 1 ? w->slows_unlucky : 0);
    n->now += x;
    return x;
}

static double run_unit(struct node *n, double *waited)
{
    const struct world *w = n->world;
    const struct spell s = spell_now(n);
    double x = UNIT * (1 + w->off_record) * n->process *
               exp(w->felt * drift_now(n) + w->noise * normal(&n->random));
    if (n->trace) {
        size_t i = trace_at(n->trace, n->phase + n->now);
        x = UNIT * n->trace->unit[i];
        *waited = fmax(*waited, n->trace->waited[i]);
    }
    if (w->tail > 0 && uniform(&n->random, 0, 1) < w->tail)
        x *= 1 + exponential(&n->random, 0.5);
    if (w->modes > 0 && uniform(&n->random, 0, 1) < 0.5)
        x *= 1 + w->modes;
    if (n->runs++ < 4)
        x *= 1 + w->slow_calls;
    x *= s.unit;
    *waited = fmax(*waited, w->waits ? 1 - 1 / s.unit : 0);
    n->now += x + BETWEEN;
    return x;
}

/* --- one grading ----------------------------------------------------------------------------- */

struct goal {
    double budget, precision;
};

/* What is seen of a node while no process of the unit exists. */
struct alone {
    double yard, others;
};

static struct alone run_alone(struct node *n)
{
    const double others = spell_now(n).others;
    return (struct alone){run_yard(n, false), others};
}

static struct block take_block(struct node *n, double yard, double others, struct alone alone,
                               int process)
{
    double from = n->now;
    struct block b = {
        .yard[0] = yard, .alone = alone.yard, .others_alone = alone.others, .process = process};
    b.unit = run_unit(n, &b.waited);
    b.others = fmax(others, spell_now(n).others);
    b.yard[1] = run_yard(n, true);
    n->now += BETWEEN;
    b.seconds = n->now - from;
    return b;
}

static struct estimate grade(struct node *n, const struct goal *goal)
{
    static struct block block[BLOCKS_MOST];
    int process = 0;
    double expected = YARD;
    struct estimate_input p = {
        .block = block, .expected = YARD, .precision = goal->precision, .budget = goal->budget};
    struct alone alone = run_alone(n);
    start_process(n);
    double others = spell_now(n).others, yard = run_yard(n, true), from;
    for (enum estimate_step next; p.count < BLOCKS_MOST;) {
        p.expected = expected;
        p.slower = yard / expected;
        p.others = others;
        next = p.count ? estimate_next(&p) : ESTIMATE_TAKE;
        if (next == ESTIMATE_DONE)
            break;
        if (next == ESTIMATE_START) {
            process++;
            p.waited += n->world->start;
            alone = run_alone(n);
            start_process(n);
        }
        from = n->now;
        others = spell_now(n).others;
        if (next != ESTIMATE_TAKE)
            yard = run_yard(n, true);
        if (next == ESTIMATE_WAIT) {
            p.waited += n->now - from;
            continue;
        }
        block[p.count] = take_block(n, yard, others, alone, process);
        yard = block[p.count++].yard[1];
        expected = estimate_expected(block, p.count, YARD);
    }
    return estimate_of(block, p.count, expected, goal->precision);
}

/* What honest units of this kind earn on average when nothing interferes. */
static double truth_of(const struct world *w)
{
    struct world without = {.noise = w->noise,
                            .tail = w->tail,
                            .modes = w->modes,
                            .pages = w->pages,
                            .lottery = w->lottery};
    enum { MANY = 20000 };
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
        struct node n;
        struct block b[ESTIMATE_BLOCKS];
        node_init(&n, &without, UINT64_C(0x7472757468) + (uint64_t)i);
        start_process(&n);
        for (int j = 0; j < ESTIMATE_BLOCKS; j++) {
            b[j] = take_block(&n, YARD, 1, (struct alone){YARD, 1}, 0);
            b[j].yard[1] = YARD;
        }
        sum += log(estimate_of(b, ESTIMATE_BLOCKS, YARD, 0).relative.value);
    }
    return exp(sum / MANY);
}

/* --- the table ------------------------------------------------------------------------------- */

struct tally {
    double bias, error, covered, width, precise, falsely, seconds;
};

static struct tally tally_of(const struct world *w, int gradings, const struct goal *goal)
{
    struct tally t = {0};
    double truth = truth_of(w), each = 1.0 / gradings;
    double *width = xcalloc((size_t)gradings, sizeof *width);
    for (int i = 0; i < gradings; i++) {
        static struct node n;
        node_init(&n, w, rng_at(0x6772616465 + (uint64_t)(w - worlds), (uint64_t)i));
        struct estimate e = grade(&n, goal);
        double off = log(e.relative.value / truth);
        t.bias += off * each;
        t.error += fabs(off) * each;
        t.covered += (e.relative.low <= truth && truth <= e.relative.high) * each;
        t.precise += e.precise * each;
        t.falsely += (e.precise && fabs(off) > 0.05) * each;
        t.seconds += n.now * each;
        width[i] = stats_relative_half_width(e.relative);
    }
    t.width = stats_median(width, (size_t)gradings);
    free(width);
    return t;
}

/* The number of goals that are missed. */
static int print_world(const struct world *w, const struct tally *t)
{
    bool covered = t->covered >= COVERAGE, precise = t->falsely <= FALSELY_PRECISE;
    bool right = t->error <= (w->spell > 0 ? ERROR_SPELLS : ERROR);
    bool gain = !w->sabotage || t->bias <= SABOTAGE;
    if (w->sabotage) /* what it loses by its own doing is its own affair */
        right = covered = precise = true;
    printf("%-13s %+6.1f%%%c %5.1f%%%c %6.1f%%%c %6.1f%% %6.1f%% %6.1f%%%c %7.1f\n", w->name,
           100 * t->bias, gain ? ' ' : '!', 100 * t->error, right ? ' ' : '!', 100 * t->covered,
           covered ? ' ' : '!', 100 * t->width, 100 * t->precise, 100 * t->falsely,
           precise ? ' ' : '!', t->seconds);
    return !covered + !precise + !right + !gain;
}

int main(int argc, char **argv)
{
    int gradings = 2000, missed = 0, shown = 0;
    struct goal goal = {.budget = 4, .precision = 0.02};
    const char *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--gradings") == 0 && atoi(value) > 0)
            gradings = atoi(value);
        else if (strcmp(argv[i], "--world") == 0)
            only = value;
        else if (strcmp(argv[i], "--budget") == 0 && atof(value) > 0)
            goal.budget = atof(value);
        else if (strcmp(argv[i], "--precision") == 0 && atof(value) > 0)
            goal.precision = atof(value);
        else {
            fprintf(stderr, "usage: simulate [--gradings N] [--world NAME] [--budget SECONDS] "
                            "[--precision SHARE]\n");
            return 2;
        }
    }
    printf("%-13s %7s  %6s  %7s  %7s %7s %7s  %7s\n", "world", "bias", "error", "covered", "width",
           "precise", "falsely", "seconds");
    for (int i = 0; i < WORLDS; i++) {
        if (only && strcmp(only, worlds[i].name) != 0)
            continue;
        struct tally t = tally_of(&worlds[i], gradings, &goal);
        missed += print_world(&worlds[i], &t);
        shown++;
    }
    if (!shown) {
        fprintf(stderr, "simulate: there is no world '%s'\n", only);
        return 2;
    }
    printf("%d worlds, %d gradings each: %d goals missed\n", shown, gradings, missed);
    return missed != 0;
}
