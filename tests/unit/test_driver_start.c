/* Real drivers are started, with and without a library. */
#include "unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "supervise/driver_limits.h"
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
    driver = driver_program(LAUNCH_CPU);
    return mkdtemp(scratch) ? 0 : -1;
}

static int teardown(void **arg)
{
    supervisor_free(&supervisor);
    free(driver);
    return rmdir(scratch);
}

TEST(a_library_that_is_missing)
{
    struct driver_process d;
    struct outcome o;
    struct driver_spec spec = spec_of("/nonexistent/library.so");
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_LOAD_FAILED);
    assert_non_null(strstr(o.text, "/nonexistent/library.so"));
    driver_end(&d);
}

/* Build a file from C code. The caller removes it with forget(). */
static char *make(const char *name, const char *options, const char *code)
{
    char *file = xasprintf("%s/%s", scratch, name),
         *build = xasprintf("echo '%s' | gcc -Igrader %s -o %s -x c -", code, options, file);
    assert_int_equal(system(build), 0);
    free(build);
    return file;
}

static char *make_library(void)
{
    return make("library.so", "-shared -fPIC", "void gemm_i32(void) {}");
}

static void forget(char *file)
{
    unlink(file);
    free(file);
}

/* Inputs for a device are masked. A student's code must not change what its driver reports. */
TEST(a_device_that_changes)
{
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
    driver_end(&d);
    forget(library);
}

/* What a library prints before it fails is what its author needs to read. */
TEST(a_library_that_ends_the_process)
{
    struct driver_process d;
    struct outcome o;
    char *library = make("library.so", "-shared -fPIC -include stdio.h -include stdlib.h",
                         "static void __attribute__((constructor)) begin(void)"
                         "{ puts(\"no table of weights\"); fflush(stdout); abort(); }"
                         "void gemm_i32(void) {}");
    struct driver_spec spec = spec_of(library);
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_DIED);
    driver_read_output(&d);
    assert_string_equal(d.output.s, "no table of weights\n");
    assert_true(d.reaped);
    driver_end(&d);
    assert_false(driver_alive(&d));
    forget(library);
}

/* A driver that loads every library, has the device DEVICE and computes forever. */
static const char made_up_driver[] =
    "int main(void) {"
    "  const char *path = getenv(PG_ENV_SOCKET), *token = getenv(PG_ENV_TOKEN);"
    "  struct sockaddr_un a = {.sun_family = AF_UNIX};"
    "  struct pg_hello hello = {PG_HELLO, PG_VERSION, {0}};"
    "  struct pg_confined confined = {PG_CONFINED, 1};"
    "  struct pg_status ready = {PG_READY, DEVICE};"
    "  union { uint32_t type; char all[4096]; } m;"
    "  int s = socket(AF_UNIX, SOCK_SEQPACKET, 0);"
    "  strcpy(a.sun_path, path);"
    "  memcpy(hello.token, token, PG_TOKEN);"
    "  if (connect(s, (struct sockaddr *)&a, sizeof a) || send(s, &hello, sizeof hello, 0) < 0)"
    "    return 1;"
    "  while (recv(s, &m, sizeof m, 0) > 0)"
    "    if (m.type == PG_CONFINE) send(s, &confined, sizeof confined, 0);"
    "    else if (m.type == PG_LOAD) send(s, &ready, sizeof ready, 0);"
    "  return 0; }";

static char *make_driver(const char *device)
{
    char *options = xasprintf("-DDEVICE='\"%s\"' -include stdlib.h -include string.h "
                              "-include sys/socket.h -include sys/un.h -include abi/protocol.h",
                              device),
         *program = make("driver", options, made_up_driver);
    free(options);
    return program;
}

/* A runtime that did not get its device, once, computes on the host. Another device is a lie. */
TEST(a_device_that_comes_and_goes)
{
    static const struct {
        const char *first, *second;
        enum outcome_kind kind;
    } table[] = {
        {"a GPU", "a GPU", OUTCOME_OK},
        {"a GPU", "another GPU", OUTCOME_PROTOCOL},
        {"a GPU", PG_HOST_FALLBACK, OUTCOME_DEVICE},
        {PG_HOST_FALLBACK, "a GPU", OUTCOME_DEVICE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct driver_process d;
        struct outcome o;
        char *program = make_driver(table[i].second);
        struct driver_spec spec = spec_of("library.so");
        spec.kind = LAUNCH_OPENACC;
        spec.program = program;
        snprintf(spec.device, sizeof spec.device, "%s", table[i].first);
        driver_start(&d, &spec, 0, &o);
        driver_end(&d);
        if (o.kind != table[i].kind)
            fail_msg("%s, then %s: %d", table[i].first, table[i].second, o.kind);
        assert_int_equal(outcome_is_node_device(&o), o.kind == OUTCOME_DEVICE);
        forget(program);
    }
}

/* Where it computes is known when the library is loaded. A driver for the host's cores has no
 * device, whatever it says then: student code may have run. */
TEST(where_it_computes)
{
    static const struct {
        enum launch_kind kind;
        const char *device;
        enum computes computes;
    } table[] = {
        {LAUNCH_CPU, "", ON_CORES},
        {LAUNCH_CPU, "a GPU", ON_CORES},
        {LAUNCH_CPU, PG_HOST_FALLBACK, ON_CORES},
        {LAUNCH_OPENACC, "a GPU", ON_DEVICE},
        {LAUNCH_OPENACC, PG_HOST_FALLBACK, FELL_BACK},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct driver_process d;
        struct outcome o;
        char *program = make_driver(table[i].device);
        struct driver_spec spec = spec_of("library.so");
        spec.kind = table[i].kind;
        spec.program = program;
        spec.launch.threads = 2; /* more than its cores: it has no empty run */
        driver_start(&d, &spec, 0, &o);
        if (o.kind != OUTCOME_OK || d.computes != table[i].computes)
            fail_msg("%s, '%s': %d (%s)", launch_kind_name(table[i].kind), table[i].device,
                     d.computes, o.text);
        driver_end(&d);
        assert_int_equal(d.computes, ON_CORES);
        forget(program);
    }
}

/* It carries out requests that call no kernel, also before it has a case. */
TEST(no_library)
{
    static const enum launch_kind kinds[] = {LAUNCH_CPU, LAUNCH_OPENACC};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct driver_process d;
        struct outcome o;
        struct timing t;
        const struct request q = {.steps = PG_WAKE | PG_COMPUTE, .rounds = 1, .limit_ms = 20000};
        struct driver_spec spec = spec_of(NULL);
        OWNED char *program = driver_program(kinds[i]);
        spec.kind = kinds[i];
        spec.program = program;
        if (access(program, X_OK) != 0) { /* not every machine can build it */
            continue;
        }
        driver_start(&d, &spec, 0, &o);
        assert_int_equal(o.kind, OUTCOME_OK);
        driver_run(&d, &q, &t, &o);
        assert_int_equal(o.kind, OUTCOME_OK);
        assert_true(t.seconds > 0);
        driver_end(&d);
    }
}

/* An empty run is timed with as many threads as the launch has. They have ended before the library
 * is loaded, and its code may run on all cores of the launch. */
TEST(empty_runs)
{
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
    forget(library);
}

/* A thread may compute on a core that the launch does not have. Its time belongs to the run, also
 * if it is too little for a verdict: 30 ms on one core, and 3 ms on another one. */
TEST(a_core_too_many)
{
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    const struct shape one = {.dim = {1, 1, 1}};
    const struct request q = {.steps = PG_COMPUTE, .reps = 1, .rounds = 1, .limit_ms = 20000};
    char *library = make("library.so", "-shared -fPIC -pthread -include pthread.h -include time.h",
                         "static void *spin(void *ms) { struct timespec t;"
                         "  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);"
                         "  while (t.tv_nsec < 1000000L * (long)ms); return 0; }"
                         "void gemm_i32(void) { pthread_t a, b;"
                         "  pthread_create(&a, 0, spin, (void *)30L);"
                         "  pthread_create(&b, 0, spin, (void *)3L);"
                         "  pthread_join(a, 0); pthread_join(b, 0); }");
    struct driver_process d;
    struct arena a;
    struct outcome o;
    struct timing t;
    struct driver_spec spec = spec_of(library);
    assert_int_equal(arena_create(&a, k, &one, 1, matrix_pool_for(4, false), NULL), 0);
    assert_int_equal(arena_layout(&a, one, 1, ON_CORES, NULL), 0);
    driver_start(&d, &spec, 0, &o);
    assert_int_equal(o.kind, OUTCOME_OK);
    driver_case(&d, &a, false, &o);
    for (int i = 0; i < 7; i++) { /* on a busy machine, most of them take longer anyway */
        driver_run(&d, &q, &t, &o);
        assert_int_equal(o.kind, OUTCOME_OK);
        assert_true(t.seconds >= 0.033);
    }
    driver_end(&d);
    arena_destroy(&a);
    forget(library);
}

TEST(no_time_left)
{
    struct driver_process d;
    struct outcome o;
    struct driver_spec spec = spec_of(NULL);
    driver_start(&d, &spec, clock_mono_ns() - 1, &o);
    assert_int_equal(o.kind, OUTCOME_UNIT_TIMEOUT);
    assert_false(driver_alive(&d));
}

/* The time of the unit may be over while the empty runs are timed. */
TEST(no_time_left_for_empty_runs)
{
    struct driver_process d;
    struct outcome o;
    char *program = make_driver("");
    struct driver_spec spec = spec_of(NULL);
    spec.program = program;
    driver_start(&d, &spec, clock_mono_ns() + UINT64_C(300000000), &o);
    assert_int_equal(o.kind, OUTCOME_UNIT_TIMEOUT);
    driver_end(&d);
    forget(program);
}

TESTS(setup, teardown)
