/*
 * simulate: the rules of measuring (estimate.h) in worlds whose truth is known.
 *
 *     simulate [--gradings N] [--world NAME] [--budget SECONDS] [--precision SHARE]
 *
 * Each grading times one unit beside the yardstick, by the rules, on a node that is disturbed as
 * the world says. One line a world: bias and mean error of the speed, how often the interval holds
 * the truth, its half width (median), how often the time is confirmed and how
 * often it is then more than 5 % off, seconds used. Exit status 1 when a goal is missed: marked
 * with `!`.
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

enum { SPELLS_MOST = 400, SAMPLES_MOST = 4000, TRACE_MOST = 20000 };

/* Goals, as shares. */
static const double COVERAGE = 0.95, FALSELY_CONFIRMED = 0.02, ERROR = 0.02, ERROR_SPELLS = 0.05;
static const double GAIN = 0.02;

/* Seconds: yardstick, unit, what the harness does between runs, what the other launches of the unit
 * take between two starts. */
static const double YARD = 0.005, UNIT = 0.010, BETWEEN = 0.002, OTHERS = 0.5;

/* --- random numbers -------------------------------------------------------------------------- */

struct random {
    uint64_t key, counter;
};

static double uniform(struct random *r, double low, double high)
{
    return low + (high - low) * rng_unit(rng_at(r->key, r->counter++));
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
    struct range yard, unit, other; /* other: the yardstick on another core of the unit */
    double drift, felt; /* amplitude of the clock's drift; the share of it that the unit feels */
    double off_record;  /* the node is slower than its record by this share */
    double noise;       /* of the unit's runs: some of them take so much longer */
    double tail;        /* share of runs that take half as long again, on average */
    double modes;       /* every run takes so much longer, or not, at random */
    double pages;       /* between starts, uniform up to this share */
    double start;       /* seconds to start a process */
    const char *trace;  /* recorded factors instead of all that */
    /* No rule can see this: that starts differ by more than the precision, so that two fast ones
     * can agree by chance. The figures are shown, and no goal is set. */
    bool unseen;
    /* What a unit does to gain: the truth is what it earns without. */
    bool sabotage;
    double slows_yard;    /* slows the yardstick beside it by this share */
    double slows_unlucky; /* the same, in starts that are slower than usual only */
    double slow_calls;    /* it is slower by this share in its first runs of a process */
    double cheats_run;    /* so rarely, a run takes a tenth of the time */
    double cheats_start;  /* so rarely, all runs of a start do */
};

#define QUIET .noise = 0.01, .start = 0.03
#define SPELL .yard = {1.3, 2}, .unit = {1.1, 2.2}
static const struct world worlds[] = {
    {"quiet", "no interference", QUIET},
    {"drift", "the clock moves by 4 %, and the unit with it", QUIET, .drift = 0.04, .felt = 1},
    {"half-drift", "the unit feels half of it", QUIET, .drift = 0.04, .felt = 0.5},
    {"spells-2s", "slow for 2 s now and then", .spell = 2, .pause = 4, SPELL, QUIET},
    {"spells-20s", "slow for 20 s now and then", .spell = 20, .pause = 40, SPELL, QUIET},
    {"half-slow", "slow for half of the time", .spell = 5, .pause = 5, SPELL, QUIET},
    {"never-quiet", "slow nearly always", .spell = 30, .pause = 1, .yard = {1.1, 1.4},
     .unit = {1.05, 1.45}, QUIET},
    {"off-record", "the node is 5 % slower than its record", QUIET, .off_record = 0.05},
    {"wrong-record", "its record was made while it was 40 % slower", QUIET, .off_record = -0.3},
    {"heavy-tail", "one run in five takes longer", .noise = 0.01, .tail = 0.2, .start = 0.03},
    {"noisy", "the unit's runs vary by 10 %", .noise = 0.1, .start = 0.03},
    {"modes", "a unit with two speeds, 25 % apart", QUIET, .modes = 0.25},
    {"pages", "the pages of a start cost up to 4 %", QUIET, .pages = 0.04},
    {"ranks", "a start of the ranks costs up to 17 %", .noise = 0.02, .pages = 0.17, .start = 0.4,
     .unseen = true},
    {"other-core", "another guest takes the second core", .spell = 5, .pause = 5, .yard = {1, 1},
     .unit = {1.1, 2.2}, .other = {1.3, 2}, QUIET},
    {"own-spells", "the unit is slow by itself, for 0.2 s", .spell = 0.2, .pause = 0.2,
     .yard = {1, 1}, .unit = {1.13, 1.13}, QUIET},
    {"trace-quiet", "a recorded quiet hour", .trace = "quiet", .start = 0.03},
    {"trace-noisy", "a recorded noisy hour", .trace = "noisy", .start = 0.03, .spell = 1},
    {"slows-2%", "the unit slows the yardstick by 2 %", QUIET, .sabotage = true,
     .slows_yard = 0.02},
    {"slows-40%", "the unit slows the yardstick by 40 %", QUIET, .sabotage = true,
     .slows_yard = 0.4},
    {"off-slows", "so on a node that is 5 % slower than its record", QUIET, .off_record = 0.05,
     .sabotage = true, .slows_yard = 0.4},
    {"slows-unlucky", "so in starts with bad pages", QUIET, .pages = 0.04, .sabotage = true,
     .slows_unlucky = 0.4},
    {"slow-calls", "the unit is slow in its first runs", QUIET, .sabotage = true,
     .slow_calls = 0.5},
    {"one-in-50", "it cheats in one run of fifty", QUIET, .sabotage = true, .cheats_run = 0.02},
    {"one-start", "it cheats in one start of a hundred", QUIET, .sabotage = true,
     .cheats_start = 0.01},
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
            OWNED char *path = xasprintf("%s/%s.txt", TRACES, names[i]);
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
    double from, to, yard, unit, other;
};

struct node {
    const struct world *world;
    const struct trace *trace;
    struct random random;
    struct spell spell[SPELLS_MOST];
    int spells;
    double phase;   /* where drift or trace begin */
    double process; /* factor of the present process */
    bool cheats;    /* this process does */
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
        n->spell[n->spells++] =
            (struct spell){t, t + length, w->yard.low + a * (w->yard.high - w->yard.low),
                           w->unit.low + b * (w->unit.high - w->unit.low),
                           w->other.low + a * (w->other.high - w->other.low)};
        t += length + exponential(&n->random, w->pause);
    }
}

static struct spell spell_now(const struct node *n)
{
    for (int i = 0; i < n->spells; i++)
        if (n->now >= n->spell[i].from && n->now < n->spell[i].to)
            return n->spell[i];
    return (struct spell){.yard = 1, .unit = 1, .other = 1};
}

static double drift_now(const struct node *n)
{
    return n->world->drift * (1 + sin((n->phase + n->now) / 30)) / 2;
}

static bool happens(struct node *n, double chance)
{
    return chance > 0 && uniform(&n->random, 0, 1) < chance;
}

static void start_process(struct node *n)
{
    const struct world *w = n->world;
    n->runs = 0;
    n->process = 1 + (w->pages > 0 ? uniform(&n->random, 0, w->pages) : 0);
    n->cheats = happens(n, w->cheats_start);
    n->now += w->start;
}

/* Run the yardstick. `beside`: a process of the unit exists. */
static double run_yard(struct node *n, bool beside)
{
    const struct world *w = n->world;
    double x =
        YARD * (1 + w->off_record) * exp(drift_now(n)) * (1 + exponential(&n->random, 0.004));
    if (n->trace)
        x = YARD * n->trace->yard[trace_at(n->trace, n->phase + n->now)];
    x *= spell_now(n).yard;
    if (beside)
        x *= 1 + w->slows_yard + (n->process > 1.02 ? w->slows_unlucky : 0);
    n->now += x;
    return x;
}

/* Run the yardstick on another core. 0: the unit has one core. */
static double run_other(struct node *n)
{
    if (!(n->world->other.low > 0))
        return 0;
    const double x = YARD * spell_now(n).other * (1 + exponential(&n->random, 0.004));
    n->now += x;
    return x;
}

static double run_unit(struct node *n)
{
    const struct world *w = n->world;
    double x = UNIT * (1 + w->off_record) * n->process * exp(w->felt * drift_now(n)) *
               (1 + (w->noise > 0 ? exponential(&n->random, w->noise) : 0));
    if (n->trace)
        x = UNIT * n->trace->unit[trace_at(n->trace, n->phase + n->now)];
    if (happens(n, w->tail))
        x *= 1 + exponential(&n->random, 0.5);
    if (w->modes > 0 && uniform(&n->random, 0, 1) < 0.5)
        x *= 1 + w->modes;
    if (n->runs++ < 4)
        x *= 1 + w->slow_calls;
    if (n->cheats || happens(n, w->cheats_run))
        x /= 10;
    x *= spell_now(n).unit;
    n->now += x + BETWEEN;
    return x;
}

/* --- one grading ----------------------------------------------------------------------------- */

struct goal {
    double budget, precision;
};

static struct estimate grade(struct node *n, const struct goal *goal)
{
    static struct sample sample[SAMPLES_MOST];
    struct estimate_progress p = {
        .sample = sample, .record = YARD, .precision = goal->precision, .budget = goal->budget};
    for (int start = 0; estimate_wants_start(&p) && p.count + ESTIMATE_RUNS < SAMPLES_MOST;
         start++) {
        const double from = n->now, alone = run_yard(n, false), other = run_other(n);
        start_process(n);
        run_unit(n); /* the first run does not count */
        const unsigned runs = estimate_runs(goal->budget, UNIT + YARD + BETWEEN);
        for (unsigned i = 0; i < runs; i++) {
            const double yard = run_yard(n, true);
            sample[p.count++] = (struct sample){.start = start,
                                                .reps = 1,
                                                .alone = alone,
                                                .other = other,
                                                .yardstick = yard,
                                                .unit = run_unit(n)};
        }
        p.last = n->now - from;
        p.spent += p.last;
        n->now += OTHERS;
        p.record = fmin(p.record, estimate_alone(sample, p.count));
    }
    return estimate_of(sample, p.count, p.record, goal->precision);
}

/* What honest units of this kind earn on average when nothing interferes. */
static double truth_of(const struct world *w, const struct goal *goal)
{
    struct world without = {
        .noise = w->noise, .tail = w->tail, .modes = w->modes, .pages = w->pages};
    enum { MANY = 2000 };
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
        static struct node n;
        node_init(&n, &without, UINT64_C(0x7472757468) + (uint64_t)i);
        sum += log(grade(&n, goal).relative.value);
    }
    return exp(sum / MANY);
}

/* --- the table ------------------------------------------------------------------------------- */

struct tally {
    double bias, error, covered, width, confirmed, falsely, seconds;
};

static struct tally tally_of(const struct world *w, int gradings, const struct goal *goal)
{
    struct tally t = {0};
    double truth = truth_of(w, goal), each = 1.0 / gradings, confirmed = 0;
    OWNED double *width = xcalloc((size_t)gradings, sizeof *width);
    for (int i = 0; i < gradings; i++) {
        static struct node n;
        node_init(&n, w, rng_at(0x6772616465 + (uint64_t)(w - worlds), (uint64_t)i));
        struct estimate e = grade(&n, goal);
        double off = log(e.relative.value / truth);
        t.bias += off * each;
        if (e.confirmed) {
            t.error += fabs(off);
            confirmed++;
        }
        t.covered += (e.relative.low <= truth && truth <= e.relative.high) * each;
        t.confirmed += e.confirmed * each;
        t.falsely += (e.confirmed && fabs(off) > 0.05) * each;
        t.seconds += n.now * each;
        width[i] = stats_relative_half_width(e.relative);
    }
    t.error = confirmed > 0 ? t.error / confirmed : 0;
    t.width = stats_median(width, (size_t)gradings);
    return t;
}

/* The number of goals that are missed. */
static int print_world(const struct world *w, const struct tally *t)
{
    bool covered = t->covered >= COVERAGE, falsely = t->falsely <= FALSELY_CONFIRMED;
    bool right = t->error <= (w->spell > 0 ? ERROR_SPELLS : ERROR);
    /* Whatever happens to the node: on average, nobody is called faster than he is. */
    bool gain = t->bias <= GAIN;
    if (w->sabotage || w->unseen) /* what a saboteur loses is its own affair */
        right = covered = falsely = true;
    printf("%-13s %+6.1f%%%c %5.1f%%%c %6.1f%%%c %6.1f%% %8.1f%% %6.1f%%%c %7.1f\n", w->name,
           100 * t->bias, gain ? ' ' : '!', 100 * t->error, right ? ' ' : '!', 100 * t->covered,
           covered ? ' ' : '!', 100 * t->width, 100 * t->confirmed, 100 * t->falsely,
           falsely ? ' ' : '!', t->seconds);
    return !covered + !falsely + !right + !gain;
}

int main(int argc, char **argv)
{
    int gradings = 1000, missed = 0, shown = 0;
    struct goal goal = {.budget = 2, .precision = 0.02};
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
    printf("%-13s %7s  %6s  %7s  %7s %9s %7s  %7s\n", "world", "bias", "error", "covered", "width",
           "confirmed", "falsely", "seconds");
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
