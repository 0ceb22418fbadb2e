#include "measure/core_probe.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/strbuf.h"

/* START_NS: to start a thread.
 *
 * A longer probe sees hardly more. In a noisy hour of a shared host, 8 % of the probes of 2 ms and
 * 6 % of those of 4 ms said that a core was slow. */
enum { PROBE_NS = 2000000, START_NS = 100000, ROUNDS = 2000, CHAINS = 8, PROBES = 12 };

/* The factor for a core that did nothing at all. */
#define SLOWEST 100

struct probed_core {
    pthread_t thread;
    uint64_t begin; /* of all probes, CLOCK_MONOTONIC ns; a thread that gets its core later does
                       less */
    double rate;    /* rounds per nanosecond */
};

/* Eight independent chains of multiplications. How many a core does in a given time depends on its
 * clock rate, and on what else runs on it. */
static uint64_t work(uint64_t seed)
{
    uint64_t x[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        x[i] = seed + (uint64_t)i;
    for (int n = 0; n < ROUNDS; n++)
        for (int i = 0; i < CHAINS; i++)
            x[i] = x[i] * UINT64_C(0x5851f42d4c957f2d) + UINT64_C(0x14057b7ef767814f);
    uint64_t sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum ^= x[i];
    return sum;
}

static void *probe(void *arg)
{
    struct probed_core *c = arg;
    volatile uint64_t result;
    uint64_t sum = 0;
    double rounds = 0;
    const uint64_t end = c->begin + PROBE_NS;
    while (clock_mono_ns() < c->begin)
        ;
    for (; clock_mono_ns() < end; rounds++)
        sum = work(sum);
    result = sum;
    (void)result;
    c->rate = rounds / PROBE_NS;
    return NULL;
}

/* A thread that had to move to its core would be late. */
static bool start_on(int cpu, struct probed_core *c)
{
    pthread_attr_t attr;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (pthread_attr_init(&attr) != 0)
        return false;
    const bool started = pthread_attr_setaffinity_np(&attr, sizeof set, &set) == 0 &&
                         pthread_create(&c->thread, &attr, probe, c) == 0;
    pthread_attr_destroy(&attr);
    return started;
}

/* Probe all cores at the same time. rate: in the order of the cores. The proctor may work on the
 * first one: the thread there comes last, when it takes no time from starting the others. */
static void probe_all(const int *cpus, int count, double *rate)
{
    struct probed_core *core = xcalloc((size_t)count, sizeof *core);
    bool *started = xcalloc((size_t)count, sizeof *started);
    const uint64_t begin = clock_mono_ns() + (uint64_t)(1 + count) * START_NS;
    for (int i = count - 1; i >= 0; i--) {
        core[i].begin = begin;
        started[i] = start_on(cpus[i], &core[i]);
    }
    for (int i = 0; i < count; i++) {
        if (started[i])
            pthread_join(core[i].thread, NULL);
        rate[i] = started[i] ? core[i].rate : (double)NAN;
    }
    free(started);
    free(core);
}

double core_probe_expected(const int *cpus, int count)
{
    if (count < 2)
        return (double)NAN;
    const size_t n = (size_t)count;
    double *rate = xcalloc(n * PROBES, sizeof *rate);
    size_t known = 0; /* a thread may not have started */
    for (size_t i = 0; i < PROBES; i++)
        probe_all(cpus, count, rate + i * n);
    for (size_t i = 0; i < n * PROBES; i++)
        if (!isnan(rate[i]))
            rate[known++] = rate[i];
    const double expected = known ? stats_quantile(rate, known, 0.75) : (double)NAN;
    free(rate);
    return expected;
}

double core_probe(const int *cpus, int count, double expected)
{
    if (count < 2)
        return 1;
    double *rate = xcalloc((size_t)count, sizeof *rate), slowest = INFINITY;
    probe_all(cpus, count, rate);
    for (int i = 0; i < count; i++)
        slowest = fmin(slowest, rate[i]);
    free(rate);
    return slowest <= expected / SLOWEST ? SLOWEST : fmax(1, expected / slowest);
}
