/* All threads of a driver run on its cores, however many there are. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise/driver_pin.h"

enum { CROWD = 300 };

static void *sleep_on(void *arg)
{
    while (pause() != 0)
        ;
    return arg;
}

/* Says how many threads it has made. */
static _Noreturn void be_a_crowd(int tell)
{
    pthread_attr_t small;
    int made = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < CROWD; i++) {
        pthread_t thread;
        made += pthread_create(&thread, &small, sleep_on, NULL) == 0;
    }
    if (write(tell, &made, sizeof made) != sizeof made)
        _exit(1);
    sleep_on(NULL);
    _exit(0);
}

static pid_t start_crowd(void)
{
    int fd[2], made = 0;
    assert_int_equal(pipe(fd), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_a_crowd(fd[1]);
    }
    assert_int_equal(read(fd[0], &made, sizeof made), sizeof made);
    assert_int_equal(made, CROWD);
    close(fd[0]);
    close(fd[1]);
    return pid;
}

TEST(many_threads)
{
    cpu_set_t all;
    int core = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    while (!CPU_ISSET((size_t)core, &all))
        core++;
    struct driver_process d = DRIVER_PROCESS_INIT;
    FREED_BY(pid_list_free) struct pid_list threads = {0};
    d.pid = d.leader = start_crowd();
    d.spec.launch = launch_here(1, 1);
    driver_pin(&d, &core, 1);
    assert_int_equal(d.core, core);
    procfs_thread_list(d.pid, &threads);
    assert_int_equal(threads.count, CROWD + 1);
    for (size_t i = 0; i < threads.count; i++) {
        cpu_set_t its;
        assert_int_equal(sched_getaffinity(threads.pid[i], sizeof its, &its), 0);
        assert_int_equal(CPU_COUNT(&its), 1);
        assert_true(CPU_ISSET((size_t)core, &its));
    }
    kill(d.pid, SIGKILL);
    assert_int_equal(waitpid(d.pid, NULL, 0), d.pid);
}

TESTS(NULL, NULL)
