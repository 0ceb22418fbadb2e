/* Cores beside the first: busy neighbours are seen. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/stats.h"
#include "measure/core_probe.h"
#include "supervise/busy_cores.h"

/* Several neighbours: a thread that starts beside one often has the core for a whole probe. */
enum { ROUNDS = 31, NEIGHBOURS = 3, ATTEMPTS = 5 };

/* A core that is slower than this already has other work. */
#define BUSY 1.3

static atomic_bool over;

static void *neighbour(void *arg)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t) * (const int *)arg, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    while (!atomic_load(&over))
        ;
    return NULL;
}

/* Medians of the probe without neighbours on the second core, and with them. */
static void measure(const int *cpus, double *without, double *with)
{
    pthread_t hog[NEIGHBOURS];
    double crowded[ROUNDS], lonely[ROUNDS];
    const double expected = core_probe_expected(cpus, 2);
    struct busy_cores *busy = busy_cores_start(cpus, 2);
    assert_true(expected > 0);
    assert_non_null(busy);
    /* The neighbours exist during their rounds only: one that yields takes time as well. */
    for (int i = 0; i < ROUNDS; i++) {
        lonely[i] = core_probe(busy, cpus, 2, expected);
        atomic_store(&over, false);
        for (int k = 0; k < NEIGHBOURS; k++)
            assert_int_equal(pthread_create(&hog[k], NULL, neighbour, (void *)&cpus[1]), 0);
        crowded[i] = core_probe(busy, cpus, 2, expected);
        atomic_store(&over, true);
        for (int k = 0; k < NEIGHBOURS; k++)
            pthread_join(hog[k], NULL);
    }
    busy_cores_end(busy);
    *without = stats_quantile(lonely, ROUNDS, 0.5);
    *with = stats_quantile(crowded, ROUNDS, 0.5);
}

static void neighbours_are_seen(void **arg)
{
    (void)arg;
    cpu_set_t mine;
    int cpus[2], n = 0;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET((size_t)i, &mine))
            cpus[n++] = i;
    if (n < 2)
        skip();
    setpriority(PRIO_PROCESS, 0, -20); /* as the proctor; may fail */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        double without, with;
        measure(cpus, &without, &with);
        if (with >= 1.2 * without)
            return;
        if (without < BUSY)
            fail_msg("%.2f beside busy neighbours, %.2f without", with, without);
    }
    print_message("other programs work on both cores all the time\n");
    skip();
}

/* They count while they work, and only then. */
static void rounds_are_counted(void **arg)
{
    (void)arg;
    cpu_set_t mine;
    int cpus[2] = {0, 0};
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    while (!CPU_ISSET((size_t)cpus[1], &mine))
        cpus[1]++;
    struct busy_cores *busy = busy_cores_start(cpus, 2);
    assert_non_null(busy);
    double seconds = busy_cores_seconds();
    for (int i = 0; i < 3; i++) {
        uint64_t before = busy_cores_rounds(busy, 1);
        busy_cores_work(busy);
        while (busy_cores_rounds(busy, 1) < before + 3)
            sched_yield();
        busy_cores_rest(busy);
        do { /* the last round may still be under way */
            before = busy_cores_rounds(busy, 1);
            clock_sleep_ms(20);
        } while (busy_cores_rounds(busy, 1) == before + 1);
        assert_int_equal(busy_cores_rounds(busy, 1), before);
        assert_true(busy_cores_seconds() > seconds);
        seconds = busy_cores_seconds();
    }
    busy_cores_work_here(3000000);
    assert_true(busy_cores_seconds() - seconds > 0.0001);
    seconds = busy_cores_seconds();
    assert_true(seconds <= (double)clock() / CLOCKS_PER_SEC + 0.01); /* of the whole process */
    busy_cores_end(busy);
    busy_cores_work(NULL);
    busy_cores_rest(NULL);
    busy_cores_end(NULL);
}

static void one_core_has_no_others(void **arg)
{
    (void)arg;
    const int cpu = 0;
    assert_true(isnan(core_probe_expected(&cpu, 1)));
    assert_true(core_probe(NULL, &cpu, 1, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_core_has_no_others),
        cmocka_unit_test(rounds_are_counted),
        cmocka_unit_test(neighbours_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
