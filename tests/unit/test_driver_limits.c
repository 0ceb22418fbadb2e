/* Deadlines are put off while other programs have the cores, and only then. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "supervise/cores.h"
#include "supervise/driver_limits.h"

enum { AT_MOST_MS = 20000, HELD_UP_MS = 100, TICKS_MS = 30 };
#define MS UINT64_C(1000000)

static _Noreturn void spin(void)
{
    for (volatile int on = 1; on;)
        ;
    _exit(0);
}

static _Noreturn void sleep_on(void)
{
    for (;;)
        pause();
}

/* The first core that the test may use. */
static int core;

static int find_core(void **state)
{
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return -1;
    while (!CPU_ISSET((size_t)core, &all))
        core++;
    return 0;
}

/* A process on that core. */
static pid_t start(void (*what)(void), int nice)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (sched_setaffinity(0, sizeof one, &one) != 0 || setpriority(PRIO_PROCESS, 0, nice) != 0)
            _exit(1);
        what();
    }
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static const struct limits limits = {
    .memory_bytes = UINT64_MAX, .output_bytes = 1 << 20, .processes = 64};

static struct driver_process driver_of(pid_t pid)
{
    struct driver_process d = DRIVER_PROCESS_INIT;
    d.pid = d.leader = pid;
    d.spec.limits = &limits;
    d.spec.launch = launch_here(1, 1);
    d.spec.cpus = &core;
    d.spec.cpu_count = 1;
    return d;
}

TEST(a_program_that_others_hold_up)
{
    pid_t hog = start(spin, 0), held_up = start(spin, 19);
    struct driver_process d = driver_of(held_up);
    struct outcome o = {0};
    const uint64_t at_first = clock_mono_ns() + MS;
    uint64_t deadline = at_first;
    assert_true(driver_within_limits(&d, at_first - 1, &deadline, &o));
    const uint64_t before = procfs_held_up(held_up);
    for (int ms = 0; procfs_held_up(held_up) < before + (HELD_UP_MS + TICKS_MS) * MS; ms++) {
        assert_true(ms < AT_MOST_MS);
        clock_sleep_ms(1);
    }
    end(hog);
    const uint64_t now = clock_mono_ns();
    assert_true(driver_within_limits(&d, at_first + 1, &deadline, &o));
    assert_true(deadline >= at_first + HELD_UP_MS * MS);
    /* The same time is never granted twice. Little more has come since. */
    uint64_t later = deadline + HELD_UP_MS * MS / 2;
    while (driver_within_limits(&d, later, &deadline, &o) && later < now + 1000 * MS * 1000)
        later = deadline + HELD_UP_MS * MS / 2;
    assert_int_equal(o.kind, OUTCOME_CASE_TIMEOUT);
    end(held_up);
}

/* Processes of one unit that spin on one core hold each other up. With one worker a core, this is
 * what they want, and the deadline comes. With more, the grader has asked for it: the deadline is
 * put off, but not by all that they have waited, or it would never come. */
TEST(ranks_that_hold_each_other_up)
{
    enum { RANKS = 4 };
    static const struct {
        int ranks; /* of the launch */
        bool put_off;
    } table[] = {{1, false}, {RANKS, true}};
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        pid_t rank[RANKS];
        struct driver_process d = driver_of(getpid());
        struct outcome o = {0};
        const uint64_t at_first = clock_mono_ns() + MS;
        uint64_t deadline = at_first, waited = 0, longest = 0, own = 0;
        const uint64_t busy = cores_busy_ns(&core, 1);
        for (int i = 0; i < RANKS; i++)
            rank[i] = start(spin, 0);
        d.spec.launch.ranks = table[t].ranks;
        d.ranks.pid = rank;
        d.ranks.count = RANKS;
        assert_true(driver_within_limits(&d, at_first - 1, &deadline, &o));
        for (int ms = 0; longest < HELD_UP_MS * MS; ms++) {
            assert_true(ms < AT_MOST_MS);
            clock_sleep_ms(1);
            longest = procfs_held_up(rank[0]);
        }
        for (int i = 0; i < RANKS; i++)
            kill(rank[i], SIGSTOP);
        for (int i = 0; i < RANKS; i++) {
            waited += procfs_held_up(rank[i]);
            own += procfs_cpu_ns(rank[i]);
        }
        const bool within = driver_within_limits(&d, at_first + HELD_UP_MS / 2 * MS, &deadline, &o);
        /* On a busy machine, other programs have this core as well, and that counts. */
        const uint64_t all = cores_busy_ns(&core, 1) - busy, others = all > own ? all - own : 0;
        if (table[t].put_off ? !within : deadline - at_first > others + TICKS_MS * MS)
            fail_msg("%d ranks: put off by %g ms, others had %g ms", table[t].ranks,
                     1e-6 * (double)(deadline - at_first), 1e-6 * (double)others);
        assert_in_range(deadline - at_first, 0, waited * 3 / 4 + others + TICKS_MS * MS);
        d.ranks.count = 0;
        for (int i = 0; i < RANKS; i++)
            end(rank[i]);
    }
}

static void *sleep_in_thread(void *arg)
{
    (void)arg;
    sleep_on();
}

enum { CROWD = 30 };

static _Noreturn void be_a_crowd(void)
{
    pthread_t thread;
    for (int i = 0; i < CROWD; i++)
        if (pthread_create(&thread, NULL, sleep_in_thread, NULL) != 0)
            _exit(1);
    sleep_on();
}

/* The message names the limit that was enforced: more than the assignment's, where the launch needs
 * more. */
TEST(a_crowd)
{
    struct limits few = limits;
    few.processes = 2;
    pid_t pid = start(be_a_crowd, 0);
    struct driver_process d = driver_of(pid);
    struct outcome o = {0};
    char text[600];
    d.spec.limits = &few;
    for (int ms = 0; procfs_threads(pid) <= CROWD; ms++) {
        assert_true(ms < AT_MOST_MS);
        clock_sleep_ms(1);
    }
    const uint64_t now = clock_mono_ns();
    uint64_t deadline = now + AT_MOST_MS * MS;
    assert_false(driver_within_limits(&d, now, &deadline, &o));
    assert_int_equal(o.kind, OUTCOME_PROCESSES);
    assert_int_equal(outcome_verdict(&o, kernel_find("gemm", TYPE_I32), &few, text, sizeof text),
                     VERDICT_FORBIDDEN);
    assert_string_equal(text, "started 31 processes and threads; the limit is 25");
    end(pid);
}

TEST(a_program_that_sleeps)
{
    pid_t pid = start(sleep_on, 0);
    struct driver_process d = driver_of(pid);
    struct outcome o = {0};
    const uint64_t now = clock_mono_ns(), forever = now + AT_MOST_MS * MS;
    uint64_t deadline = forever;
    assert_true(driver_within_limits(&d, now, &deadline, &o));
    assert_int_equal(deadline, forever);
    assert_false(driver_within_limits(&d, forever + 1000 * MS, &deadline, &o));
    assert_int_equal(o.kind, OUTCOME_CASE_TIMEOUT);
    end(pid);
}

TESTS(find_core, NULL)
