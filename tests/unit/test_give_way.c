/* A compiler stands still while somebody else times, and goes on afterwards. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/timing_lock.h"
#include "proctor/give_way.h"

enum { PATIENCE_MS = 5000 };

/* 'T': stopped, from /proc. */
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

/* A group with a child, as a compiler has one. */
static pid_t start_group(pid_t *child)
{
    int told[2];
    assert_int_equal(pipe(told), 0);
    const pid_t leader = fork();
    assert_true(leader >= 0);
    if (leader == 0) {
        setpgid(0, 0);
        const pid_t below = fork();
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* when an assertion has failed */
        if (below > 0 && write(told[1], &below, sizeof below) != sizeof below)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(told[0], child, sizeof *child), sizeof *child);
    close(told[0]);
    close(told[1]);
    return leader;
}

/* Whoever times takes a look at both processes: 0 if they stand still. */
static void be_timed(const char *dir, const struct cores *cores, pid_t leader, pid_t child)
{
    struct timing_lock l;
    timing_lock_open(&l, dir, "/runs/two", cores);
    timing_lock_exclusive(&l);
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        if (state_of(leader) == 'T' && state_of(child) == 'T')
            _exit(0);
        clock_sleep_ms(1);
    }
    _exit(1);
}

TEST(stands_still)
{
    char dir[] = "/tmp/paragrade-give-way-XXXXXX";
    const struct cores cores = {{0}, 1};
    struct timing_lock l;
    pid_t child = 0;
    int status;
    assert_non_null(mkdtemp(dir));
    const pid_t leader = start_group(&child);
    timing_lock_open(&l, dir, "/runs/one", &cores);
    timing_lock_share(&l);
    assert_int_equal(give_way(leader, &l), 0);
    const pid_t timed = fork();
    assert_true(timed >= 0);
    if (timed == 0)
        be_timed(dir, &cores, leader, child);
    uint64_t ns = 0;
    for (int ms = 0; !ns && ms < PATIENCE_MS; ms++) {
        ns = give_way(leader, &l);
        clock_sleep_ms(1);
    }
    assert_true(ns > 0);
    assert_int_equal(l.waited_ns >= ns, 1);
    assert_int_equal(waitpid(timed, &status, 0), timed);
    assert_int_equal(status, 0);
    for (int ms = 0; state_of(leader) == 'T' || state_of(child) == 'T'; ms++) {
        assert_true(ms < PATIENCE_MS);
        clock_sleep_ms(1);
    }
    kill(-leader, SIGKILL);
    waitpid(leader, NULL, 0);
    timing_lock_close(&l);
    OWNED char *path = xasprintf("%s/.paragrade-%ld.quiet", dir, (long)geteuid());
    unlink(path);
    assert_int_equal(rmdir(dir), 0);
}

TESTS(NULL, NULL)
