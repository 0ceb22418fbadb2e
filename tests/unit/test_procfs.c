/* What /proc says: of processes with hostile names, of dead ones, of many threads. */
#include "base/strbuf.h"
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "supervise/procfs.h"
#include "supervise/wait_times.h"

enum { HELD = 20 << 20 };

static void say(int tell, pid_t what)
{
    if (write(tell, &what, sizeof what) != sizeof what)
        _exit(1);
}

/* A child does something, says so once, and waits to be killed: at the latest by the alarm. */
static pid_t start(void (*act)(int tell), pid_t *told)
{
    int p[2];
    assert_int_equal(pipe(p), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(p[0]);
        act(p[1]);
        for (;;)
            pause();
    }
    close(p[1]);
    pid_t first = -1;
    assert_int_equal(read(p[0], &first, sizeof first), sizeof first);
    if (told)
        *told = first;
    close(p[0]);
    return pid;
}

static void just_wait(int tell)
{
    say(tell, 0);
}

static void stop(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Ended, but not yet waited for. */
static void become_zombie(pid_t pid)
{
    siginfo_t info;
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

static bool among_descendants(pid_t root, pid_t pid)
{
    struct pid_list l;
    int times = 0;
    procfs_descendants(root, &l);
    for (size_t i = 0; i < l.count; i++)
        times += l.pid[i] == pid;
    pid_list_free(&l);
    assert_null(l.pid);
    assert_in_range(times, 0, 1);
    return times;
}

/* --- the dead --------------------------------------------------------------------------------- */

TEST(nothing_of_the_dead)
{
    pid_t pid = start(just_wait, NULL);
    struct wait_times w = {.count = 99};
    FREED_BY(pid_list_free) struct pid_list l = {0};
    become_zombie(pid);
    assert_int_equal(procfs_private_memory(pid), 0);
    assert_true(procfs_stopped(pid));
    assert_false(among_descendants(getpid(), pid));
    stop(pid);
    assert_int_equal(procfs_private_memory(pid), 0);
    assert_int_equal(procfs_threads(pid), 0);
    assert_true(procfs_stopped(pid));
    procfs_wait(pid, &w);
    assert_int_equal(w.count, 0);
    procfs_descendants(pid, &l);
    assert_int_equal(l.count, 0);
}

/* Its main thread has ended, another one works on. */

static int tell_from_thread;

static void *work_on(void *bytes)
{
    memset(bytes, 1, HELD);
    say(tell_from_thread, 0);
    while (pause() != 0)
        ;
    return NULL;
}

static void end_main_thread(int tell)
{
    static char bytes[HELD];
    pthread_t t;
    tell_from_thread = tell;
    if (pthread_create(&t, NULL, work_on, bytes) == 0)
        syscall(SYS_exit, 0);
}

TEST(headless)
{
    pid_t pid = start(end_main_thread, NULL);
    assert_true(among_descendants(getpid(), pid));
    assert_true(procfs_private_memory(pid) >= HELD);
    stop(pid);
}

/* --- the tree --------------------------------------------------------------------------------- */

static void rename_and_fork(int tell)
{
    prctl(PR_SET_NAME, "x) Z 1\n(y) T");
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        for (;;)
            pause();
    }
    say(tell, pid);
}

TEST(descendants)
{
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t grandchild, child = start(rename_and_fork, &grandchild), other = start(just_wait, NULL);
    assert_true(among_descendants(getpid(), child));
    assert_true(among_descendants(getpid(), grandchild));
    assert_true(among_descendants(getpid(), other));
    assert_true(among_descendants(child, grandchild));
    assert_false(among_descendants(getpid(), getpid()));
    assert_false(among_descendants(getpid(), getppid()));
    assert_false(among_descendants(child, child));
    assert_false(among_descendants(child, other));
    assert_false(procfs_stopped(child)); /* whatever it calls itself */
    struct pid_list own;
    procfs_children(getpid(), &own);
    assert_true(pid_list_has(&own, child) && pid_list_has(&own, other));
    assert_false(pid_list_has(&own, grandchild));
    pid_list_free(&own);
    stop(child);
    procfs_children(getpid(), &own);
    assert_true(pid_list_has(&own, grandchild));
    pid_list_free(&own);
    assert_true(among_descendants(getpid(), grandchild)); /* an orphan does not get away */
    assert_false(among_descendants(getpid(), child));
    stop(grandchild);
    stop(other);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* --- memory ----------------------------------------------------------------------------------- */

TEST(private_memory)
{
    enum { SIZE = 64 << 20, NOISE = 16 << 20 };
    uint64_t before = procfs_private_memory(getpid());
    assert_true(before > 0);
    static const struct {
        int flags;
        bool touched, counts;
    } table[] = {
        {MAP_SHARED, true, false},
        {MAP_PRIVATE, false, false},
        {MAP_PRIVATE, true, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, table[i].flags | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(p, MAP_FAILED);
        if (table[i].touched)
            memset(p, 1, SIZE);
        uint64_t now = procfs_private_memory(getpid()), counted = procfs_counted_memory(getpid());
        munmap(p, SIZE);
        assert_true(counted <= now + NOISE && now <= counted + NOISE);
        uint64_t least = table[i].counts ? before + SIZE - NOISE : 0;
        uint64_t most = before + (table[i].counts ? SIZE : 0) + NOISE;
        if (now < least || now > most)
            fail_msg("row %zu: %llu bytes, before %llu", i, (unsigned long long)now,
                     (unsigned long long)before);
    }
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *idle(void *arg)
{
    (void)arg;
    for (;;)
        pause();
    return NULL;
}

/* As many threads that wait as the machine allows, up to n. */
static int make_threads(int n)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    int made = 0;
    for (pthread_t t; made < n && pthread_create(&t, &small, idle, NULL) == 0;)
        made++;
    pthread_attr_destroy(&small);
    return made;
}

static void three_more(int tell)
{
    say(tell, make_threads(3));
}

static void crowd(int tell)
{
    say(tell, make_threads(300));
}

TEST(threads_and_stopping)
{
    pid_t pid = start(three_more, NULL);
    int status;
    assert_int_equal(procfs_threads(pid), 4);
    assert_false(procfs_stopped(pid));
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(procfs_stopped(pid));
    assert_int_equal(procfs_threads(pid), 4);
    assert_true(among_descendants(getpid(), pid)); /* stopped is not dead */
    kill(pid, SIGCONT);
    assert_int_equal(waitpid(pid, &status, WCONTINUED), pid);
    assert_false(procfs_stopped(pid));
    stop(pid);
}

/* The parent of a vfork() waits where no SIGSTOP reaches it. */
static void wait_in_kernel(int tell)
{
    say(tell, 0);
    if (syscall(SYS_vfork) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            syscall(SYS_pause);
    }
}

TEST(stuck_in_the_kernel)
{
    pid_t waits = start(wait_in_kernel, NULL), idles = start(just_wait, NULL);
    assert_false(procfs_stuck(idles));
    uint64_t begin = clock_mono_ns(); /* it says that it is there just before its vfork() */
    while (!procfs_stuck(waits) && clock_mono_ns() - begin < UINT64_C(20000000000))
        ;
    kill(idles, SIGSTOP);
    kill(waits, SIGSTOP);
    assert_true(procfs_stuck(waits));
    assert_false(procfs_stopped(waits));
    while (!procfs_stopped(idles))
        ;
    assert_true(procfs_stuck(idles));
    stop(waits);
    stop(idles);
    assert_true(procfs_stuck(waits)); /* gone */
}

/* --- waiting ---------------------------------------------------------------------------------- */

TEST(increase)
{
    static const struct {
        struct wait_times before, after; /* threads, waited, ran, count */
        uint64_t wait_sum, ran_most;
    } table[] = {
        {{.count = 0}, {.count = 0}, 0, 0},
        /* A new thread counts from 0. */
        {{.count = 0}, {{7}, {1000}, {50}, 1}, 1000, 50},
        {{{7}, {1000}, {50}, 1}, {.count = 0}, 0, 0},
        {{{7}, {1000}, {50}, 1}, {{8}, {9000}, {60}, 1}, 9000, 60},
        {{{7}, {1000}, {50}, 1}, {{7}, {1000}, {50}, 1}, 0, 0},
        /* Another thread under the same number. */
        {{{7}, {1000}, {50}, 1}, {{7}, {999}, {49}, 1}, 999, 49},
        {{.count = 0}, {{7, 8}, {90, 100}, {100, 90}, 2}, 190, 100},
        {{{7, 8, 9}, {10, 20, 30}, {1, 2, 3}, 3},
         {{9, 7, 5, 8}, {31, 15, 999, 27}, {13, 2, 5, 2}, 4},
         1 + 5 + 999 + 7,
         10},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (wait_increase_sum(&table[i].before, &table[i].after) != table[i].wait_sum ||
            ran_increase(&table[i].before, &table[i].after) != table[i].ran_most)
            fail_msg("row %zu", i);
}

static bool schedstat_missing(void)
{
    if (access("/proc/self/schedstat", R_OK) == 0)
        return false;
    print_message("this kernel keeps no times of waiting\n");
    return true;
}

TEST(many_threads)
{
    if (schedstat_missing())
        skip();
    struct {
        struct wait_times w;
        uint64_t guard;
    } s = {.guard = 12345};
    pid_t made, pid = start(crowd, &made);
    procfs_wait(pid, &s.w);
    assert_int_equal(s.w.count, made + 1 < 256 ? made + 1 : 256);
    assert_true(s.guard == 12345);
    assert_int_equal(procfs_threads(pid), made + 1);
    stop(pid);
}

static void burn(int tell)
{
    say(tell, 0);
    for (;;)
        ;
}

/* Processor time grows while a process runs, and not while it is stopped. */
TEST(processor_time)
{
    pid_t pid = start(burn, NULL);
    uint64_t begin = clock_mono_ns();
    while (procfs_cpu_ns(pid) < 5000000 && clock_mono_ns() - begin < UINT64_C(20000000000))
        ;
    assert_true(procfs_cpu_ns(pid) >= 5000000);
    kill(pid, SIGSTOP);
    while (!procfs_stopped(pid))
        ;
    uint64_t then = procfs_cpu_ns(pid);
    clock_sleep_ms(40); /* it may have to leave its core yet */
    assert_true(procfs_cpu_ns(pid) - then < 200000);
    stop(pid);
    assert_int_equal(procfs_cpu_ns(pid), 0);
}

TEST(parse_unseen_memory)
{
    static const struct {
        const char *status;
        uint64_t bytes;
    } table[] = {
        {"", 0},
        {"Name:\tx\n", 0},
        {"VmPTE:\t 44 kB\n", 0}, /* no line before it: not a status file */
        {"Name:\tVmPTE: 44 kB\n", 0},
        {"Name:\tx\\nVmPTE:\t 44 kB\n", 0},
        {"Name:\tx\nVmPTE:\t kB\n", 0},
        {"Name:\tx\nVmPTE:\t 44\n", 0},
        {"Name:\tx\nVmPTE:\t 44 MB\n", 0},
        {"Name:\tx\nVmPTE:\t      44 kB\nVmSwap:\t       0 kB\n", 45056},
        {"Name:\tx\nVmLib:\t 9 kB\nVmPTE:\t 1048576 kB", UINT64_C(1) << 30},
        {"Name:\tx\nVmPTE:\t 4 kB\nVmSwap:\t 8 kB\nHugetlbPages:\t 2048 kB\n", 2109440},
        {"Name:\tx\nHugetlbPages:\t 2048 kB\n", 2097152},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (procfs_parse_unseen_memory(table[i].status) != table[i].bytes)
            fail_msg("row %zu: %llu", i,
                     (unsigned long long)procfs_parse_unseen_memory(table[i].status));
}

/* A page in each 2 MiB: a table for each. */
static void sparse(int tell)
{
    const size_t step = 2 << 20, tables = 4096;
    volatile const char *p =
        mmap(NULL, step * tables, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise((void *)(uintptr_t)p, step * tables, MADV_NOHUGEPAGE);
    for (size_t i = 0; p != MAP_FAILED && i < tables; i++)
        (void)p[i * step];
    say(tell, 0);
}

TEST(page_tables)
{
    assert_int_equal(procfs_unseen_memory(0x7ffffff0), 0);
    uint64_t mine = procfs_unseen_memory(getpid());
    assert_true(mine > 0 && mine < 16 << 20);
    pid_t pid = start(sparse, NULL);
    uint64_t seen = procfs_unseen_memory(pid);
    assert_true(seen >= 16 << 20 && seen < 32 << 20);
    assert_true(procfs_private_memory(pid) < 8 << 20);
    stop(pid);
    assert_int_equal(procfs_unseen_memory(pid), 0);
}

/* Two that want the same core: the time that one waits for the other is seen. */
TEST(contention)
{
    if (schedstat_missing())
        skip();
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    pid_t pid = start(burn, NULL);
    static struct wait_times before, after;
    uint64_t begin = clock_mono_ns(), most = 0, now = begin;
    procfs_wait(getpid(), &before);
    while (most < 2000000 && now - begin < UINT64_C(20000000000)) {
        procfs_wait(getpid(), &after);
        most = wait_increase_sum(&before, &after);
        now = clock_mono_ns();
    }
    stop(pid);
    sched_setaffinity(0, sizeof all, &all);
    assert_int_equal(before.tid[0], getpid());
    assert_true(most >= 2000000);
    assert_true(most <= now - begin + 1000000); /* no more than the time that passed */
}

TESTS(NULL, NULL)
