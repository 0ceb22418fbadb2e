#include "model/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

/* The median over the processes of the yardstick's time alone; NAN without blocks. */
static double median_alone(const struct block *b, size_t n)
{
    double *alone = xcalloc(n + 1, sizeof *alone);
    size_t processes = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || b[i].process != b[i - 1].process)
            alone[processes++] = b[i].alone;
    const double median = stats_median(alone, processes);
    free(alone);
    return median;
}

double estimate_expected(const struct block *b, size_t n, double recorded)
{
    const double alone = median_alone(b, n);
    return alone < (1 - ESTIMATE_TOLERANCE) * recorded ? alone : recorded;
}

double estimate_present(const struct block *b, size_t n, double expected)
{
    const double alone = median_alone(b, n);
    return alone > (1 + ESTIMATE_TOLERANCE) * expected && alone <= (1 + ESTIMATE_OTHERS) * expected
               ? alone
               : expected;
}

bool block_accepted(const struct block *b, double expected, double present)
{
    for (int i = 0; i < 2; i++)
        if (!(b->yard[i] >= expected * (1 - ESTIMATE_TOLERANCE) &&
              b->yard[i] <= present * (1 + ESTIMATE_TOLERANCE)))
            return false;
    return b->waited <= ESTIMATE_TOLERANCE && b->others <= 1 + ESTIMATE_OTHERS;
}

/* A speed as a logarithm, and by how much it may be lower and higher for reasons that repetition
 * does not show. */
struct value {
    double speed, lower, higher;
};

/* What slows the yardstick at present, with and without the unit, slows the unit as much. Other
 * interference that slows the yardstick may slow the unit as much, more, or not at all. An accepted
 * block takes the middle between "as much" and "not at all". A rejected one is corrected for as
 * much interference as there was without the unit, so that a unit which interferes gains nothing.
 * The sample of another core is short: a program that takes its turn there makes it look many times
 * slower than it is for the unit. So it is believed up to a limit. */
static struct value block_value(const struct block *b, double expected, double present,
                                double alone, bool accepted)
{
    double yard = (log(b->yard[0]) + log(b->yard[1])) / 2 - log(expected);
    double speed = log(expected) - log(b->unit);
    if (accepted) {
        double node = fmin(log(present) - log(expected), fmax(yard, 0)), rest = yard - node;
        double wide = fabs(node) + fabs(rest);
        return (struct value){speed + node + rest / 2, wide, wide};
    }
    double others = log(fmax(b->others, 1)), slower = others > 0 ? fmax(yard, others) : yard;
    double shown = others > 0 ? fmax(yard, fmin(others, log(ESTIMATE_OTHERS_MOST))) : yard;
    double believed = fmin(shown, fmax(log(alone), 0));
    double most = ESTIMATE_FELT * fmax(slower, 0) - log1p(-fmin(b->waited, 0.9));
    return (struct value){speed + believed, fmax(believed, 0),
                          fmax(most - believed, fabs(believed))};
}

/* Hodges-Lehmann: the median of the means of all pairs. */
static double middle(const double *x, size_t n)
{
    size_t pairs = 0;
    double *mean = xcalloc(n * (n + 1) / 2, sizeof *mean);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            mean[pairs++] = (x[i] + x[j]) / 2;
    const double m = stats_median(mean, pairs);
    free(mean);
    return m;
}

/* All that is said by all processes. */
struct pool {
    double *run; /* logarithms of the speed in each run of the unit that counts */
    size_t runs;
    double *process; /* of each process */
    size_t processes;
    double lower, higher; /* sums over processes */
    unsigned accepted, disturbed;
};

/* The factor by which the node was slower when no process of the unit existed. */
static double slower_alone(const struct block *b, double expected)
{
    return fmax(b->alone / expected, b->others_alone);
}

/* The accepted blocks of a process; all of them where there is none. next: the first block of the
 * next process, or NULL. */
static void add_process(struct pool *p, const struct block *b, size_t n, const struct block *next,
                        double expected, double present)
{
    const double alone = fmax(slower_alone(b, expected), next ? slower_alone(next, expected) : 0);
    size_t used = 0, good = 0, first = p->runs;
    double lower = 0, higher = 0;
    for (size_t i = 0; i < n; i++)
        good += block_accepted(&b[i], expected, present);
    for (size_t i = 0; i < n; i++) {
        bool fine = block_accepted(&b[i], expected, present);
        if (good && !fine)
            continue;
        struct value x = block_value(&b[i], expected, present, alone, fine);
        p->run[p->runs++] = x.speed;
        used++;
        lower += x.lower;
        higher += x.higher;
    }
    p->process[p->processes++] = middle(p->run + first, p->runs - first);
    p->lower += lower / (double)used;
    p->higher += higher / (double)used;
    p->accepted += (unsigned)good;
    p->disturbed += good == 0;
}

/* Half of the 95 % interval of the mean. */
static double student(const double *x, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    return n > 1 ? stats_student(n - 1) * sqrt(squares / (double)(n - 1) / (double)n) : INFINITY;
}

struct estimate estimate_of(const struct block *b, size_t n, double expected, double precision)
{
    struct estimate e = {.relative = {NAN, NAN, NAN, n}};
    const double present = estimate_present(b, n, expected);
    struct pool p = {.run = xcalloc(2 * n + 1, sizeof *p.run),
                     .process = xcalloc(n + 1, sizeof *p.process)};
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && b[to].process == b[from].process;)
            to++;
        add_process(&p, b + from, to - from, to < n ? b + to : NULL, expected, present);
    }
    if (n) {
        double sum = 0;
        for (size_t i = 0; i < p.processes; i++)
            sum += p.process[i];
        double mean = sum / (double)p.processes;
        double half = fmax(student(p.process, p.processes), student(p.run, p.runs));
        e.relative.median = exp(mean);
        e.relative.low = exp(mean - half - p.lower / (double)p.processes);
        e.relative.high = exp(mean + half + p.higher / (double)p.processes);
        e.systematic = (p.lower + p.higher) / 2 / (double)p.processes;
        e.precise = p.processes >= ESTIMATE_PROCESSES_FEW &&
                    stats_relative_half_width(e.relative) <= precision;
    }
    e.accepted = p.accepted;
    e.processes = (unsigned)p.processes;
    e.disturbed = p.disturbed;
    free(p.run);
    free(p.process);
    return e;
}

/* Can more blocks make the estimate precise? */
static bool worthwhile(const struct estimate_input *p)
{
    struct estimate e = estimate_of(p->block, p->count, p->expected, p->precision);
    return !e.precise && e.systematic < p->precision;
}

bool estimate_yardstick_slow(const struct estimate_input *p)
{
    const double present = estimate_present(p->block, p->count, p->expected);
    return p->slower > present / p->expected * (1 + ESTIMATE_TOLERANCE);
}

enum estimate_step estimate_next(const struct estimate_input *p)
{
    unsigned here = 0, accepted = 0, processes = 0; /* blocks of the last process */
    double spent = 0, waited = p->waited;
    const double present = estimate_present(p->block, p->count, p->expected);
    for (size_t i = 0; i < p->count; i++) {
        const bool first = i == 0 || p->block[i].process != p->block[i - 1].process;
        const bool good = block_accepted(&p->block[i], p->expected, present);
        processes += first;
        here = first ? 1 : here + 1;
        accepted = (first ? 0 : accepted) + good;
        *(good ? &spent : &waited) += p->block[i].seconds;
    }
    /* The budget as a number of blocks. */
    const double room = p->count ? p->budget / p->block[0].seconds : 1;
    const bool may_wait = waited < ESTIMATE_WAIT_BUDGETS * p->budget;
    const double most = may_wait ? fmin(ESTIMATE_WAIT_BUDGETS * room, ESTIMATE_PROCESSES_LEAST) : 0;
    const double least = fmax(ESTIMATE_PROCESSES_FEW, most);
    const double wanted = fmax(1, fmin(floor(room / least), ESTIMATE_BLOCKS));
    const bool complete = accepted >= wanted || (here >= wanted && !may_wait);
    if (complete && processes >= floor(least) &&
        (spent >= p->budget || !may_wait || !worthwhile(p)) &&
        (p->count >= p->trials || spent >= ESTIMATE_WAIT_BUDGETS * p->budget || !may_wait))
        return ESTIMATE_DONE;
    if (may_wait && (estimate_yardstick_slow(p) || p->others > 1 + ESTIMATE_OTHERS))
        return ESTIMATE_WAIT;
    return complete ? ESTIMATE_START : ESTIMATE_TAKE;
}
