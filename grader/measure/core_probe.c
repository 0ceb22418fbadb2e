#include "measure/core_probe.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "supervise/busy_cores.h"

/* A longer probe sees hardly more. In a noisy hour of a shared host, 8 % of the probes of 2 ms and
 * 6 % of those of 4 ms said that a core was slow. */
enum { WARM_NS = 8000000, PROBE_NS = 2000000, PROBES = 6, REST_MS = 2 };

/* The factor for a core that did nothing at all. */
#define SLOWEST 100

/* All cores at the same time. rate: rounds per nanosecond, in the order of the cores. */
static void probe_all(struct busy_cores *busy, int count, double *rate)
{
    const uint64_t start = clock_mono_ns();
    for (int i = 1; i < count; i++)
        rate[i] = (double)busy_cores_rounds(busy, i);
    rate[0] = (double)busy_cores_work_here(PROBE_NS);
    for (int i = 1; i < count; i++)
        rate[i] = (double)busy_cores_rounds(busy, i) - rate[i];
    const double ns = (double)(clock_mono_ns() - start);
    for (int i = 0; i < count; i++)
        rate[i] /= ns;
}

static cpu_set_t move_to(int cpu)
{
    cpu_set_t before, set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_getaffinity(0, sizeof before, &before);
    sched_setaffinity(0, sizeof set, &set);
    return before;
}

double core_probe_expected(const int *cpus, int count)
{
    struct busy_cores *busy = count < 2 ? NULL : busy_cores_start(cpus, count);
    if (!busy)
        return (double)NAN;
    const size_t n = (size_t)count;
    double *rate = xcalloc(n * PROBES, sizeof *rate);
    const cpu_set_t before = move_to(cpus[0]);
    busy_cores_work(busy);
    busy_cores_work_here(WARM_NS);
    for (size_t i = 0; i < PROBES; i++)
        probe_all(busy, count, rate + i * n);
    busy_cores_end(busy);
    sched_setaffinity(0, sizeof before, &before);
    const double expected = stats_quantile(rate, n * PROBES, 0.75);
    free(rate);
    return expected;
}

/* Add what each thread has waited so far, with a sign. */
static void add_waiting(const struct busy_cores *busy, int count, double sign, double *ns)
{
    for (int i = 0; i < count; i++)
        ns[i] += sign * (double)busy_cores_waited(busy, i);
}

double core_probe(struct busy_cores *busy, const int *cpus, int count, double expected)
{
    if (!busy)
        return 1;
    double *rate = xcalloc(2 * (size_t)count, sizeof *rate), *waited = rate + count, slower = 1;
    const cpu_set_t before = move_to(cpus[0]);
    const uint64_t start = clock_mono_ns();
    add_waiting(busy, count, -1, waited);
    busy_cores_work(busy);
    busy_cores_work_here(WARM_NS);
    probe_all(busy, count, rate);
    add_waiting(busy, count, 1, waited);
    const double ns = (double)(clock_mono_ns() - start);
    sched_setaffinity(0, sizeof before, &before);
    for (int i = 0; i < count; i++) {
        slower = fmax(slower, rate[i] > 0 ? expected / rate[i] : SLOWEST);
        slower = fmax(slower, waited[i] < ns ? ns / (ns - waited[i]) : SLOWEST);
    }
    free(rate);
    return fmin(slower, SLOWEST);
}

void core_probe_rest(struct busy_cores *busy)
{
    busy_cores_rest(busy);
    clock_sleep_ms(REST_MS);
}
