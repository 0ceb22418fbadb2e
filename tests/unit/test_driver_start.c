/* Real drivers are started, with and without a library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "supervise/driver_program.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

static char scratch[] = "/tmp/test_driver_start.XXXXXX";
static char *driver;
static struct supervisor supervisor;
static struct sandbox_policy policy;
static const struct limits limits = {.case_ms = 20000,
                                     .unit_ms = 60000,
                                     .memory_bytes = UINT64_C(1) << 32,
                                     .processes = 64,
                                     .output_bytes = 1 << 20};

static struct driver_spec spec_of(const char *library)
{
    return (struct driver_spec){.kind = LAUNCH_CPU,
                                .launch = {1, 1},
                                .program = driver,
                                .library = library,
                                .function = "gemm_i32",
                                .scratch = scratch,
                                .limits = &limits,
                                .sandbox = &policy,
                                .supervisor = &supervisor};
}

static int setup(void **arg)
{
    (void)arg;
    driver = driver_program(LAUNCH_CPU);
    return mkdtemp(scratch) ? 0 : -1;
}

static int teardown(void **arg)
{
    (void)arg;
    supervisor_free(&supervisor);
    free(driver);
    return rmdir(scratch);
}

static void a_library_that_is_missing(void **arg)
{
    (void)arg;
    struct driver_process d;
    struct outcome o;
    struct driver_spec spec = spec_of("/nonexistent/library.so");
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_LOAD_FAILED);
    assert_non_null(strstr(o.text, "/nonexistent/library.so"));
    assert_false(driver_alive(&d));
}

/* A library with an empty kernel. Both are freed by forget_library(). */
static char *make_library(void)
{
    char *library = xasprintf("%s/library.so", scratch),
         *build =
             xasprintf("echo 'void gemm_i32(void) {}' | gcc -shared -fPIC -o %s -x c -", library);
    assert_int_equal(system(build), 0);
    free(build);
    return library;
}

static void forget_library(char *library)
{
    unlink(library);
    free(library);
}

/* Inputs for a device are masked. A student's code must not change what its driver reports. */
static void a_device_that_changes(void **arg)
{
    (void)arg;
    struct driver_process d;
    struct outcome o;
    char *library = make_library();
    struct driver_spec spec = spec_of(library);
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_OK);
    driver_end(&d);
    strcpy(spec.device, "a GPU");
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_PROTOCOL);
    assert_non_null(strstr(o.text, "'a GPU'"));
    assert_false(driver_alive(&d));
    forget_library(library);
}

/* It carries out requests that call no kernel. */
static void no_library(void **arg)
{
    (void)arg;
    struct driver_process d;
    struct outcome o;
    struct timing t;
    const struct request q = {.steps = PG_COMPUTE, .rounds = 1, .limit_ms = 20000};
    struct driver_spec spec = spec_of(NULL);
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_OK);
    driver_run(&d, &q, &t, &o);
    assert_int_equal(o.kind, OUTCOME_OK);
    assert_true(t.seconds > 0);
    driver_end(&d);
}

/* An empty run is timed with as many threads as the launch has. They have ended before the library
 * is loaded, and its code may run on all cores of the launch. */
static void empty_runs(void **arg)
{
    (void)arg;
    static const struct {
        int threads, cores;
        bool timed;
    } table[] = {{1, 1, true}, {2, 2, true}, {3, 2, false}};
    cpu_set_t mine, its;
    int cpu[CPU_SETSIZE], cores = 0;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, &mine))
            cpu[cores++] = i;
    char *library = make_library();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct driver_process d;
        struct outcome o;
        struct driver_spec spec = spec_of(library);
        if (table[i].cores > cores)
            continue;
        spec.launch.threads = table[i].threads;
        spec.cpus = cpu;
        spec.cpu_count = table[i].cores;
        driver_start(&d, &spec, 0, &o);
        assert_int_equal(o.kind, OUTCOME_OK);
        assert_int_equal(d.empty_run > 0, table[i].timed);
        assert_true(d.empty_run < 0.01);
        assert_int_equal(d.waits.count, 1);
        assert_int_equal(sched_getaffinity(d.leader, sizeof its, &its), 0);
        assert_int_equal(CPU_COUNT(&its), table[i].cores);
        driver_end(&d);
    }
    forget_library(library);
}

static void no_time_left(void **arg)
{
    (void)arg;
    struct driver_process d;
    struct outcome o;
    struct driver_spec spec = spec_of(NULL);
    driver_start(&d, &spec, clock_mono_ns() - 1, &o);
    assert_int_equal(o.kind, OUTCOME_UNIT_TIMEOUT);
    assert_false(driver_alive(&d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_is_missing),
        cmocka_unit_test(a_device_that_changes),
        cmocka_unit_test(no_library),
        cmocka_unit_test(empty_runs),
        cmocka_unit_test(no_time_left),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
