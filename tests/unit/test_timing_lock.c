/*
 * Who may work while a unit is timed. Real processes take the locks; each says on a pipe when it
 * has them. The machine is made up by hwloc: two sockets, each with four cores.
 */
#include "unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/timing_lock.h"
#include "supervise/stop.h"

enum { PROCESSES = 5, PATIENCE_MS = 20000 };

typedef uint64_t lock_function(struct timing_lock *);

/* Sets of cores. */
static const struct cores left = {{0, 1}, 2}, right = {{4}, 1}, both = {{3, 4}, 2};

/* What the processes of one test share. */
struct test {
    char dir[64];
    int events[2]; /* pipe: a process writes its name when it has the lock */
    int log;       /* a pipe as well: what they say on stderr */
    int said;
    volatile char *announced; /* by number: the process is about to take a lock */
    pid_t process[PROCESSES];
    int count;
};

static bool stopped_late; /* the signal comes after the last look at proctor_stop */

/* Instead of the one of the C library. */
int fcntl(int fd, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *arg = va_arg(more, void *);
    va_end(more);
    if (command == F_OFD_SETLKW && stopped_late) {
        stopped_late = false;
        raise(SIGTERM);
    }
    return (int)syscall(SYS_fcntl, fd, command, arg);
}

/* How a process takes the lock that it is asked for with a signal. */
static lock_function *volatile next;

static void on_usr1(int signo)
{
    (void)signo;
    next = timing_lock_exclusive;
}

static uint64_t downgrade(struct timing_lock *l)
{
    timing_lock_downgrade(l);
    return 0;
}

static void on_usr2(int signo)
{
    (void)signo;
    next = downgrade;
}

static void tell(const struct test *t, int number, const struct timing_lock *l)
{
    const char name = (char)(proctor_stop ? 'a' + number : 'A' + number);
    if (write(t->events[1], &name, 1) != 1 || (proctor_stop && l->waited_ns == 0))
        _exit(1);
}

/* Take the lock, tell it, and keep it until the end; in between convert it on request. After a
 * request to stop, tell it in lower case. */
static void be_process(struct test *t, int number, const struct cores *cores, lock_function *take)
{
    struct timing_lock l;
    const struct sigaction usr1 = {.sa_handler = on_usr1}, usr2 = {.sa_handler = on_usr2};
    proctor_catch_signals();
    sigaction(SIGUSR1, &usr1, NULL);
    sigaction(SIGUSR2, &usr2, NULL);
    if (dup2(t->log, STDERR_FILENO) < 0)
        _exit(1);
    timing_lock_open(&l, t->dir, "/runs/one", cores);
    for (;; take = next) {
        next = NULL;
        t->announced[number] = 1;
        take(&l);
        tell(t, number, &l);
        while (!next)
            pause(); /* a request to stop, which is repeated, ends it as well */
    }
}

/* 'S' and the like, from /proc. */
static char state_of(pid_t pid)
{
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = '?';
    if (f)
        fclose(f);
    return state;
}

/* Wait until a process has the lock that it is about to take, or waits for it: nothing else makes
 * it sleep after its announcement. */
static void settle(const struct test *t, int number)
{
    for (int ms = 0; !t->announced[number] || state_of(t->process[number]) != 'S'; ms++) {
        assert_true(ms < PATIENCE_MS);
        clock_sleep_ms(1);
    }
}

static void start(struct test *t, const struct cores *cores, lock_function *take)
{
    const int number = t->count++;
    t->process[number] = fork();
    assert_true(t->process[number] >= 0);
    if (t->process[number] == 0)
        be_process(t, number, cores, take);
    settle(t, number);
}

/* Make a process that has a lock ask for the exclusive one (SIGUSR1), or downgrade it (SIGUSR2). */
static void convert(struct test *t, char name, int signo)
{
    const int number = name - 'A';
    settle(t, number);
    t->announced[number] = 0;
    kill(t->process[number], signo);
    settle(t, number);
}

static void end(struct test *t, char name)
{
    const int number = name - 'A';
    kill(t->process[number], SIGKILL);
    waitpid(t->process[number], NULL, 0);
    t->process[number] = 0;
}

/* These processes have got their locks meanwhile, in this order, and no others have. */
static void assert_events(const struct test *t, const char *wanted)
{
    char got[PROCESSES + 1] = "";
    for (size_t i = 0; i < strlen(wanted); i++) {
        struct pollfd p = {.fd = t->events[0], .events = POLLIN};
        assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
        assert_int_equal(read(t->events[0], got + i, 1), 1);
    }
    assert_string_equal(got, wanted);
    struct pollfd p = {.fd = t->events[0], .events = POLLIN};
    assert_int_equal(poll(&p, 1, 0), 0);
}

/* These two at the same time. */
static void assert_both(const struct test *t, char one, char other)
{
    char got[2] = "";
    for (int i = 0; i < 2; i++) {
        struct pollfd p = {.fd = t->events[0], .events = POLLIN};
        assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
        assert_int_equal(read(t->events[0], got + i, 1), 1);
    }
    assert_true((got[0] == one && got[1] == other) || (got[0] == other && got[1] == one));
}

static int begin(void **state)
{
    struct test *t = xcalloc(1, sizeof *t);
    *state = t;
    snprintf(t->dir, sizeof t->dir, "/tmp/paragrade-lock-XXXXXX");
    setenv("HWLOC_SYNTHETIC", "pack:2 [numa] l3:1 core:4 pu:1", 1);
    t->announced = mmap(NULL, PROCESSES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int log[2];
    if (pipe2(log, O_NONBLOCK) != 0)
        return -1;
    t->said = log[0];
    t->log = log[1];
    return mkdtemp(t->dir) && pipe(t->events) == 0 && t->announced != MAP_FAILED ? 0 : -1;
}

static int finish(void **state)
{
    struct test *t = *state;
    char *path = xasprintf("%s/.paragrade-%ld.quiet", t->dir, (long)geteuid());
    for (int i = 0; i < t->count; i++)
        if (t->process[i])
            end(t, (char)('A' + i));
    unlink(path);
    int rc = rmdir(t->dir);
    munmap((void *)t->announced, PROCESSES);
    close(t->events[0]);
    close(t->events[1]);
    close(t->said);
    close(t->log);
    free(path);
    free(t);
    return rc;
}

TEST(timing_excludes_building)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_share);
    start(t, &left, timing_lock_share);
    assert_events(t, "AB");
    start(t, &left, timing_lock_exclusive);
    assert_events(t, "");
    end(t, 'A');
    assert_events(t, "");
    end(t, 'B');
    assert_events(t, "C");
    start(t, &left, timing_lock_share);
    assert_events(t, "");
    end(t, 'C'); /* killed: the system releases its locks */
    assert_events(t, "D");
}

/* Only who has to wait says so. */
TEST(waiting_is_said)
{
    struct test *t = *arg;
    char said[200] = "";
    start(t, &left, timing_lock_exclusive);
    assert_events(t, "A");
    assert_int_equal(read(t->said, said, sizeof said - 1), -1);
    start(t, &left, timing_lock_exclusive);
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_non_null(strstr(said, "waiting for other timed runs on this node"));
}

static uint64_t exclusive_of_another_run(struct timing_lock *l)
{
    l->run = "/runs/two\033";
    return timing_lock_exclusive(l);
}

static uint64_t exclusive_locally(struct timing_lock *l)
{
    l->offer_no_wait = true;
    return timing_lock_exclusive(l);
}

static uint64_t exclusive_on_its_own(struct timing_lock *l)
{
    timing_lock_only_own(l);
    return timing_lock_exclusive(l);
}

/* Whom one waits for, and on this machine how to go on. */
TEST(the_other_run_is_named)
{
    struct test *t = *arg;
    char said[400] = "";
    start(t, &left, exclusive_of_another_run);
    start(t, &left, timing_lock_exclusive);
    assert_events(t, "A");
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_string_equal(said, "stage: waiting for run two  of yours on this node\n");
    end(t, 'B');
    start(t, &left, exclusive_locally);
    memset(said, 0, sizeof said);
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_string_equal(said,
                        "stage: waiting for run two  of yours on this node: --no-wait to go on\n");
}

/* --no-wait: it waits for no other run, and none for it; but for its own proctors. */
TEST(only_its_own_run)
{
    struct test *t = *arg;
    start(t, &left, exclusive_of_another_run);
    start(t, &left, exclusive_on_its_own);
    assert_events(t, "AB");
    start(t, &left, exclusive_on_its_own);
    assert_events(t, "");
    end(t, 'A');
    start(t, &left, exclusive_of_another_run);
    assert_events(t, "D");
    end(t, 'B');
    assert_events(t, "C");
}

/* One who builds comes after one who waits to time. */
TEST(nobody_is_overtaken)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_share);
    start(t, &left, timing_lock_exclusive);
    start(t, &left, timing_lock_share);
    assert_events(t, "A");
    end(t, 'A');
    assert_events(t, "B");
    end(t, 'B');
    assert_events(t, "C");
}

TEST(sockets_do_not_wait_for_each_other)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_exclusive);
    start(t, &right, timing_lock_share);
    assert_events(t, "AB");
    end(t, 'B');
    start(t, &right, timing_lock_exclusive);
    assert_events(t, "C");
}

/* One with cores of both sockets waits for both, and both wait for it. */
TEST(cores_of_two_sockets)
{
    struct test *t = *arg;
    start(t, &right, timing_lock_share);
    start(t, &both, timing_lock_exclusive);
    assert_events(t, "A");
    start(t, &left, timing_lock_share);
    assert_events(t, "");
    end(t, 'A');
    assert_events(t, "B");
    end(t, 'B');
    assert_events(t, "C");
}

static uint64_t record(struct timing_lock *l)
{
    l->run = "/a/run";
    return timing_lock_record(l);
}

static uint64_t record_of_another_run(struct timing_lock *l)
{
    l->run = "/another/run";
    return timing_lock_record(l);
}

/* The record of a node is measured once, whatever the cores, and beside work on other sockets. */
TEST(one_record_at_a_time)
{
    struct test *t = *arg;
    start(t, &left, record);
    start(t, &right, record);
    assert_events(t, "A");
    start(t, &right, timing_lock_share);
    assert_events(t, "C");
    end(t, 'A');
    assert_events(t, "");
    end(t, 'C');
    assert_events(t, "B");
}

static uint64_t turn(struct timing_lock *l)
{
    l->run = "/a/run";
    return timing_lock_turn(l, 1);
}

static uint64_t one_of_two_turns(struct timing_lock *l)
{
    l->run = "/another/run";
    return timing_lock_turn(l, 2);
}

/* Who has built waits for its turn, and meanwhile does not hinder who has it and wants to time. */
TEST(turns)
{
    struct test *t = *arg;
    start(t, &left, turn);
    start(t, &left, turn);
    assert_events(t, "A");
    convert(t, 'A', SIGUSR1);
    assert_events(t, "A");
    convert(t, 'A', SIGUSR1); /* it keeps its turn */
    assert_events(t, "A");
    end(t, 'A');
    assert_events(t, "B");
    start(t, &left, one_of_two_turns);
    start(t, &left, one_of_two_turns);
    start(t, &left, one_of_two_turns);
    assert_events(t, "CD");
}

static uint64_t end_turn(struct timing_lock *l)
{
    timing_lock_end_turn(l);
    return 0;
}

static uint64_t turn_for_a_while(struct timing_lock *l)
{
    next = end_turn;
    return turn(l);
}

/* Who has given up his turn still shares the cores. */
TEST(a_turn_is_given_up)
{
    struct test *t = *arg;
    start(t, &left, turn_for_a_while);
    assert_events(t, "AA");
    start(t, &left, turn);
    assert_events(t, "B");
    start(t, &left, timing_lock_exclusive);
    end(t, 'B');
    assert_events(t, "");
    end(t, 'A');
    assert_events(t, "C");
}

/* Who waits gets the first turn that is free, whichever it is, and those who wait longer come
 * first.
 */
TEST(any_turn)
{
    struct test *t = *arg;
    start(t, &left, one_of_two_turns);
    start(t, &left, one_of_two_turns);
    start(t, &left, one_of_two_turns);
    start(t, &left, one_of_two_turns);
    assert_events(t, "AB");
    end(t, 'A');
    assert_events(t, "C");
    end(t, 'C');
    assert_events(t, "D");
    start(t, &left, one_of_two_turns);
    end(t, 'B');
    assert_events(t, "E");
}

/* Where nothing is to be kept quiet. */
TEST(without_cores)
{
    struct test *t = *arg;
    start(t, NULL, timing_lock_exclusive);
    start(t, NULL, timing_lock_exclusive);
    assert_events(t, "AB");
    start(t, NULL, record);
    start(t, NULL, record);
    start(t, NULL, record_of_another_run);
    assert_events(t, "CE");
    end(t, 'C');
    assert_events(t, "D");
}

/* Who is told to stop gives up, and does not hinder those who wait behind it. */
TEST(stopped_while_waiting)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_share);
    start(t, &left, timing_lock_exclusive);
    start(t, &left, timing_lock_share);
    assert_events(t, "A");
    kill(t->process[1], SIGTERM);
    assert_both(t, 'b', 'C');
}

static uint64_t share_after_a_stop(struct timing_lock *l)
{
    raise(SIGTERM);
    return timing_lock_share(l);
}

static uint64_t share_while_the_stop_comes(struct timing_lock *l)
{
    stopped_late = true;
    return timing_lock_share(l);
}

/* Nobody sends a second signal. */
TEST(stopped_before_waiting)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_exclusive);
    start(t, &left, share_after_a_stop);
    assert_events(t, "Ab");
    start(t, &left, share_while_the_stop_comes);
    assert_events(t, "c");
}

/* Two that build want to time: neither waits for the other to stop building. */
TEST(both_convert)
{
    struct test *t = *arg;
    start(t, &left, timing_lock_share);
    start(t, &left, timing_lock_share);
    assert_events(t, "AB");
    convert(t, 'A', SIGUSR1);
    assert_events(t, "");
    convert(t, 'B', SIGUSR1);
    assert_events(t, "A");
    end(t, 'A');
    assert_events(t, "B");
}

/* Who has timed goes on beside those who build, and lets nobody time in between. */
TEST(downgraded)
{
    struct test *t = *arg;
    start(t, &both, timing_lock_exclusive);
    start(t, &left, timing_lock_share);
    start(t, &right, timing_lock_exclusive);
    assert_events(t, "A");
    convert(t, 'A', SIGUSR2);
    assert_both(t, 'A', 'B');
    start(t, &right, timing_lock_share);
    assert_events(t, "");
    end(t, 'A');
    assert_events(t, "C");
    end(t, 'C');
    assert_events(t, "D");
}

static uint64_t give_way_once(struct timing_lock *l)
{
    timing_lock_share(l);
    while (!timing_lock_is_wanted(l))
        clock_sleep_ms(1);
    return timing_lock_give_way(l);
}

/* Who builds stands aside for who wants to time, on the same cores only, and not for who builds. */
TEST(gives_way)
{
    struct test *t = *arg;
    start(t, &both, give_way_once);
    start(t, &left, timing_lock_share);
    assert_events(t, "B");
    start(t, &left, timing_lock_exclusive);
    assert_events(t, "");
    end(t, 'B');
    assert_events(t, "C");
    end(t, 'C');
    assert_events(t, "A");
}

/* Who times gives way to nobody. */
TEST(timing_is_not_given_up)
{
    struct test *t = *arg;
    struct timing_lock l;
    timing_lock_open(&l, t->dir, "/runs/two", &left);
    assert_false(timing_lock_is_wanted(&l));
    timing_lock_exclusive(&l);
    start(t, &left, timing_lock_exclusive);
    assert_false(timing_lock_is_wanted(&l));
    timing_lock_downgrade(&l);
    assert_true(timing_lock_is_wanted(&l));
    timing_lock_close(&l);
    assert_events(t, "");
}

/* A file of another user, who may hold any lock on it. */
TEST(foreign_file)
{
    struct test *t = *arg;
    char path[128];
    snprintf(path, sizeof path, "%s/.paragrade-%ld.quiet", t->dir, (long)geteuid());
    if (geteuid() != 0)
        skip();
    start(t, &left, timing_lock_exclusive);
    assert_int_equal(chown(path, 65534, 65534), 0);
    start(t, &left, timing_lock_exclusive);
    assert_events(t, "AB");
}

TESTS_WITH(begin, finish, NULL, NULL)
