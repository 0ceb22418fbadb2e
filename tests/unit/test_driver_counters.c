/* Counters on the threads of a halted process. Hardware counters may be missing here; processor
 * time and page faults are counted by the system. */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "supervise/driver_counters.h"

enum { SPIN_MS = 40, PAGES = 500, PAGE = 4096 };

static void *spin(void *arg)
{
    const uint64_t until = clock_thread_cpu_ns() + (uint64_t)SPIN_MS * 1000000;
    while (clock_thread_cpu_ns() < until)
        ;
    return arg;
}

static void touch_pages(void)
{
    char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);
    madvise(p, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < PAGES; i++)
        p[(size_t)i * PAGE] = 1;
}

/* Spins uncounted; then counted, in a thread of its own as well; then uncounted again. It stops
 * itself in between. */
static void child(void)
{
    pthread_t thread;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    spin(NULL);
    raise(SIGSTOP);
    touch_pages();
    pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
    pthread_join(thread, NULL);
    raise(SIGSTOP);
    spin(NULL);
    touch_pages();
    raise(SIGSTOP);
    _exit(0);
}

static void wait_until_stopped(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
}

TEST(counted)
{
    struct driver_counters c;
    double sum[COUNTER_COUNT];
    const pid_t pid = fork();
    if (pid == 0)
        child();
    wait_until_stopped(pid);
    const struct driver_process d = {.leader = pid};
    driver_counters_open(&c, &d);
    driver_counters_start(&c);
    kill(pid, SIGCONT);
    wait_until_stopped(pid);
    driver_counters_stop(&c);
    kill(pid, SIGCONT);
    wait_until_stopped(pid);
    driver_counters_read(&c, sum);
    const bool missing = c.missing[COUNTER_TASK_CLOCK] || c.missing[COUNTER_PAGE_FAULTS];
    print_message("%g cycles, %g s, %g faults; %s\n", sum[COUNTER_CYCLES], sum[COUNTER_TASK_CLOCK],
                  sum[COUNTER_PAGE_FAULTS], c.reason);
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (c.missing[i] != (bool)isnan(sum[i]) || (isnan(sum[i]) && !c.reason[0]))
            fail_msg("%s is %g, reason '%s'", counter_name((enum counter)i), sum[i], c.reason);
    assert_null(strstr(c.reason, "perf_event_open: ")); /* another reason than the usual ones */
    driver_counters_close(&c);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (missing)
        skip();
    assert_true(sum[COUNTER_TASK_CLOCK] > 1.9e-3 * SPIN_MS);
    assert_true(sum[COUNTER_TASK_CLOCK] < 2.7e-3 * SPIN_MS);
    assert_true(sum[COUNTER_PAGE_FAULTS] >= PAGES && sum[COUNTER_PAGE_FAULTS] < 1.8 * PAGES);
}

TEST(nobody)
{
    struct driver_counters c;
    double sum[COUNTER_COUNT];
    const struct driver_process d = {.leader = 0x3ffffff}; /* above the largest process id */
    driver_counters_open(&c, &d);
    driver_counters_read(&c, sum);
    for (int i = 0; i < COUNTER_COUNT; i++)
        assert_true(isnan(sum[i]));
    assert_string_equal(c.reason, "there was no thread to count");
    driver_counters_close(&c);
}

TEST(reasons)
{
    static const struct {
        int error;
        const char *says;
    } table[] = {
        {ENOENT, "this machine gives no hardware counters"},
        {EOPNOTSUPP, "this machine gives no hardware counters"},
        {EACCES, "not allowed here (kernel.perf_event_paranoid is 3)"},
        {EPERM, "not allowed here (kernel.perf_event_paranoid is 3)"},
        {EMFILE, "too many threads"},
        {ENOSYS, "no counters"},
        {EIO, "perf_event_open: "},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[160];
        driver_counters_reason(table[i].error, 3, text, sizeof text);
        if (!strstr(text, table[i].says))
            fail_msg("%d: %s", table[i].error, text);
    }
}

TESTS(NULL, NULL)
