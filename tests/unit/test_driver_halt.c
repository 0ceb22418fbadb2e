/* What is charged for processor time off the clock, and what cannot be halted. */
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "supervise/driver_halt.h"

TEST(charge)
{
    static const struct {
        const char *name;
        uint64_t cpu_from, cpu_to, from, to, charge;
    } table[] = {
        {"nothing ran", 500, 500, 1000, 9000, 0},
        {"one thread for a part of the time", 500, 700, 1000, 9000, 200},
        {"several threads cannot save more than the time that has passed", 0, 9000, 1000, 4000,
         3000},
        {"a process is gone, and its processor time with it", 500, 0, 1000, 9000, 0},
        {"no time has passed", 500, 900, 1000, 1000, 0},
        {"the second moment is the earlier one", 500, 900, 1000, 400, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint64_t ns = off_the_clock(table[i].cpu_from, table[i].cpu_to, table[i].from, table[i].to);
        if (ns != table[i].charge)
            fail_msg("%s: %llu", table[i].name, (unsigned long long)ns);
    }
}

TEST(before_go)
{
    struct driver_process d = DRIVER_PROCESS_INIT;
    d.halted_cpu_ns = 100;
    d.halted_ns = 1000;
    assert_int_equal(driver_charge_before_go(&d, 400, 5000), 0); /* it went on: the clock ran */
    d.halted = true;
    assert_int_equal(driver_charge_before_go(&d, 400, 5000), 300);
    assert_int_equal(driver_charge_before_go(&d, 400, 1200), 200);
}

/* --- halting what cannot be halted ------------------------------------------------------------ */

static pid_t start(void (*act)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        act();
        for (;;)
            pause();
    }
    return pid;
}

/* The parent of a vfork() waits where no SIGSTOP reaches it. */
static void wait_in_kernel(void)
{
    if (syscall(SYS_vfork) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            syscall(SYS_pause);
    }
}

static void idle(void)
{
}

/* It is given up in time, and whose fault that is stays open. */
TEST(halting)
{
    static const struct {
        void (*act)(void);
        enum outcome_kind kind;
    } table[] = {
        {wait_in_kernel, OUTCOME_STUCK},
        {idle, OUTCOME_OK},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct driver_process d = {.pid = start(table[i].act), .sock = -1, .output_fd = -1};
        struct outcome o = {0};
        clock_sleep_ms(200);
        alarm(60); /* without a limit the wait would not end */
        driver_halt(&d);
        alarm(0);
        assert_true(d.halted);
        assert_int_equal(driver_violated(&d, &o), table[i].kind != OUTCOME_OK);
        assert_int_equal(o.kind, table[i].kind);
        driver_resume(&d);
        assert_false(d.halted);
        kill(d.pid, SIGKILL);
        assert_int_equal(waitpid(d.pid, NULL, 0), d.pid);
    }
}

/* They live on when it ends. */
static pid_t start_launcher(void)
{
    fflush(NULL);
    pid_t pid = fork();
    for (int i = 0; pid == 0 && i < 2; i++)
        if (fork() == 0)
            break;
    if (pid == 0) {
        alarm(120);
        for (;;)
            pause();
    }
    return pid;
}

/* Ranks whose launcher was killed are children of the proctor then, as is whatever it started. */
TEST(launcher_is_gone)
{
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    for (size_t known = 1; known <= 2; known++) {
        struct supervisor s = {0};
        struct driver_process d = {.pid = start_launcher(), .sock = -1, .output_fd = -1};
        struct outcome o = {0};
        d.leader = d.pid;
        d.spec.launcher = "mpirun";
        d.spec.supervisor = &s;
        driver_know_children(&s);
        do {
            pid_list_free(&d.ranks);
            procfs_descendants(d.pid, &d.ranks);
        } while (d.ranks.count < 2);
        const pid_t all[] = {d.ranks.pid[0], d.ranks.pid[1]};
        d.ranks.count = known; /* the other one is not a rank */
        kill(d.pid, SIGKILL);
        assert_int_equal(waitpid(d.pid, NULL, 0), d.pid);
        driver_halt(&d);
        assert_int_equal(driver_violated(&d, &o), known < 2);
        for (int i = 0; i < 2; i++) {
            kill(all[i], SIGKILL);
            assert_int_equal(waitpid(all[i], NULL, 0), all[i]);
        }
        pid_list_free(&d.ranks);
        pid_list_free(&s.children);
    }
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* Whoever waits for a core is not said to wait for a file. */
TEST(giving_up)
{
    static const struct {
        uint64_t waited_s;
        bool in_kernel;
        uint64_t ran_ms;
        enum outcome_kind kind;
    } table[] = {
        {1, true, 0, OUTCOME_OK},     {1, false, 1000, OUTCOME_OK},
        {6, true, 0, OUTCOME_STUCK},  {6, false, 1000, OUTCOME_PROTOCOL},
        {6, false, 0, OUTCOME_OK},    {31, false, 0, OUTCOME_STARVED},
        {31, true, 0, OUTCOME_STUCK}, {31, false, 1000, OUTCOME_PROTOCOL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const enum outcome_kind kind = halt_given_up(table[i].waited_s * UINT64_C(1000000000),
                                                     table[i].in_kernel, table[i].ran_ms * 1000000);
        if (kind != table[i].kind)
            fail_msg("row %zu: %d", i, kind);
    }
}

/* --- halting on a busy core ------------------------------------------------------------------- */

static void spin(void)
{
    for (volatile int on = 1; on;)
        ;
}

static void spin_nicely(void)
{
    nice(19);
    spin();
}

static uint64_t own_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A thread that waits for its core in order to stop is waited for, not polled without a pause. */
TEST(on_a_busy_core)
{
    cpu_set_t all, one;
    int core = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one); /* for the children */
    const pid_t other = start(spin);
    struct driver_process d = {.pid = start(spin_nicely), .sock = -1, .output_fd = -1};
    CPU_CLR(core, &all);
    sched_setaffinity(0, sizeof all, &all);
    uint64_t cpu_ns = 0, passed_ns = 0;
    for (int i = 0; i < 5; i++) {
        clock_sleep_ms(100);
        uint64_t cpu = own_cpu_ns(), from = clock_mono_ns();
        driver_halt(&d);
        cpu_ns += own_cpu_ns() - cpu;
        passed_ns += clock_mono_ns() - from;
        driver_resume(&d);
    }
    kill(d.pid, SIGKILL);
    kill(other, SIGKILL);
    assert_int_equal(waitpid(d.pid, NULL, 0), d.pid);
    assert_int_equal(waitpid(other, NULL, 0), other);
    if (cpu_ns > 5000000 + passed_ns / 2)
        fail_msg("%.1f ms of processor time in %.1f ms", 1e-6 * (double)cpu_ns,
                 1e-6 * (double)passed_ns);
}

TESTS(NULL, NULL)
