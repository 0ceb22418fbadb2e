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
    OWNED struct test *t = *state;
    OWNED char *path = xasprintf("%s/.paragrade-%ld.quiet", t->dir, (long)geteuid());
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
    return rc;
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

static uint64_t give_way_once(struct timing_lock *l)
{
    timing_lock_share(l);
    while (!timing_lock_is_wanted(l))
        clock_sleep_ms(1);
    return timing_lock_give_way(l);
}

/* How a process that a story starts takes its lock. */
static const struct {
    const char *name;
    lock_function *take;
} locks[] = {
    {"share", timing_lock_share},
    {"time", timing_lock_exclusive},
    {"exclusive_locally", exclusive_locally},
    {"exclusive_of_another_run", exclusive_of_another_run},
    {"exclusive_on_its_own", exclusive_on_its_own},
    {"give_way_once", give_way_once},
    {"one_of_two_turns", one_of_two_turns},
    {"record", record},
    {"record_of_another_run", record_of_another_run},
    {"share_after_a_stop", share_after_a_stop},
    {"share_while_the_stop_comes", share_while_the_stop_comes},
    {"turn", turn},
    {"turn_for_a_while", turn_for_a_while},
};

/* "left:share": a process with these cores, or none, takes a lock so. */
static void start_as(struct test *t, const char *word)
{
    const struct cores *cores = *word == 'l' ? &left : *word == 'r' ? &right : &both;
    const char *how = strchr(word, ':') + 1;
    size_t i = 0;
    while (strcmp(locks[i].name, how) != 0)
        assert_true(++i < sizeof locks / sizeof locks[0]);
    start(t, *word == 'n' ? NULL : cores, locks[i].take);
}

/* A story, step by step. Its processes are A, B, and so on, in the order in which they start.
 * "=AB": these have got their locks meanwhile; "A!": A asks for the exclusive lock, "A~": gives it
 * back; "-A": A is killed, and the system releases its locks. */
static void play(struct test *t, const char *story)
{
    OWNED char *steps = xstrdup(story);
    for (char *rest = steps, *word; (word = strtok_r(rest, " ", &rest));) {
        if (*word == '=')
            assert_events(t, word + 1);
        else if (*word == '-')
            end(t, word[1]);
        else if (strlen(word) == 2)
            convert(t, *word, word[1] == '!' ? SIGUSR1 : SIGUSR2);
        else
            start_as(t, word);
    }
}

TEST(timing_excludes_building)
{
    play(*arg, "left:share left:share =AB left:time = -A = -B =C left:share = -C =D");
}

/* Only who has to wait says so. */
TEST(waiting_is_said)
{
    struct test *t = *arg;
    char said[200] = "";
    play(t, "left:time =A");
    assert_int_equal(read(t->said, said, sizeof said - 1), -1);
    play(t, "left:time");
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_non_null(strstr(said, "waiting for other timed runs on this node"));
}

/* Whom one waits for, and on this machine how to go on. */
TEST(the_other_run_is_named)
{
    struct test *t = *arg;
    char said[400] = "";
    play(t, "left:exclusive_of_another_run left:time =A");
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_string_equal(said, "stage: waiting for run two  of yours on this node\n");
    play(t, "-B left:exclusive_locally");
    memset(said, 0, sizeof said);
    assert_true(read(t->said, said, sizeof said - 1) > 0);
    assert_string_equal(said,
                        "stage: waiting for run two  of yours on this node: --no-wait to go on\n");
}

/* --no-wait: it waits for no other run, and none for it; but for its own proctors. */
TEST(only_its_own_run)
{
    play(*arg, "left:exclusive_of_another_run left:exclusive_on_its_own =AB "
               "left:exclusive_on_its_own = -A left:exclusive_of_another_run =D -B =C");
}

/* One who builds comes after one who waits to time. */
TEST(nobody_is_overtaken)
{
    play(*arg, "left:share left:time left:share =A -A =B -B =C");
}

TEST(sockets_do_not_wait_for_each_other)
{
    play(*arg, "left:time right:share =AB -B right:time =C");
}

/* One with cores of both sockets waits for both, and both wait for it. */
TEST(cores_of_two_sockets)
{
    play(*arg, "right:share both:time =A left:share = -A =B -B =C");
}

/* The record of a node is measured once, whatever the cores, and beside work on other sockets. */
TEST(one_record_at_a_time)
{
    play(*arg, "left:record right:record =A right:share =C -A = -C =B");
}

/* Who has built waits for its turn, and meanwhile does not hinder who has it and wants to time,
 * again and again. */
TEST(turns)
{
    play(*arg, "left:turn left:turn =A A! =A A! =A -A =B left:one_of_two_turns "
               "left:one_of_two_turns left:one_of_two_turns =CD");
}

/* Who has given up his turn still shares the cores. */
TEST(a_turn_is_given_up)
{
    play(*arg, "left:turn_for_a_while =AA left:turn =B left:time -B = -A =C");
}

/* Who waits gets the first turn that is free, whichever it is, and those who wait longer come
 * first.
 */
TEST(any_turn)
{
    play(*arg, "left:one_of_two_turns left:one_of_two_turns left:one_of_two_turns "
               "left:one_of_two_turns =AB -A =C -C =D left:one_of_two_turns -B =E");
}

/* Where nothing is to be kept quiet. */
TEST(without_cores)
{
    play(*arg,
         "none:time none:time =AB none:record none:record none:record_of_another_run =CE -C =D");
}

/* Who is told to stop gives up, and does not hinder those who wait behind it. */
TEST(stopped_while_waiting)
{
    struct test *t = *arg;
    play(t, "left:share left:time left:share =A");
    kill(t->process[1], SIGTERM);
    assert_both(t, 'b', 'C');
}

/* Nobody sends a second signal. */
TEST(stopped_before_waiting)
{
    play(*arg, "left:time left:share_after_a_stop =Ab left:share_while_the_stop_comes =c");
}

/* Two that build want to time: neither waits for the other to stop building. */
TEST(both_convert)
{
    play(*arg, "left:share left:share =AB A! = B! =A -A =B");
}

/* Who has timed goes on beside those who build, and lets nobody time in between. */
TEST(downgraded)
{
    struct test *t = *arg;
    play(t, "both:time left:share right:time =A A~");
    assert_both(t, 'A', 'B');
    play(t, "right:share = -A =C -C =D");
}

/* Who builds stands aside for who wants to time, on the same cores only, and not for who builds. */
TEST(gives_way)
{
    play(*arg, "both:give_way_once left:share =B left:time = -B =C -C =A");
}

/* Who times gives way to nobody. */
TEST(timing_is_not_given_up)
{
    struct test *t = *arg;
    struct timing_lock l;
    timing_lock_open(&l, t->dir, "/runs/two", &left);
    assert_false(timing_lock_is_wanted(&l));
    timing_lock_exclusive(&l);
    play(t, "left:time");
    assert_false(timing_lock_is_wanted(&l));
    timing_lock_downgrade(&l);
    assert_true(timing_lock_is_wanted(&l));
    timing_lock_close(&l);
    play(t, "=");
}

/* A file of another user, who may hold any lock on it. */
TEST(foreign_file)
{
    struct test *t = *arg;
    char path[128];
    snprintf(path, sizeof path, "%s/.paragrade-%ld.quiet", t->dir, (long)geteuid());
    if (geteuid() != 0)
        skip();
    play(t, "left:time");
    assert_int_equal(chown(path, 65534, 65534), 0);
    play(t, "left:time =AB");
}

TESTS_WITH(begin, finish, NULL, NULL)
