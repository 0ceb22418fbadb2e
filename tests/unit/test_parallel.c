/* The same work for many things, with and without threads. */
#include "unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/parallel.h"

/* --- in place of the system ----------------------------------------------------------------- */

static int threads_left; /* so many can be started; negative: any number */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left--;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attr, start, arg);
}

/* --- tests ---------------------------------------------------------------------------------- */

enum { MOST = 5000 };
static atomic_int calls[MOST + 1];
static pthread_t caller;
static atomic_bool strange; /* a thread of its own would take a signal */

static void count(void *arg, size_t i)
{
    sigset_t blocked;
    assert_ptr_equal(arg, &calls);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (!pthread_equal(pthread_self(), caller) && !sigismember(&blocked, SIGINT))
        strange = true;
    calls[i]++;
}

TEST(each_is_done_once)
{
    static const struct {
        size_t n;
        int threads;
    } cases[] = {{0, -1}, {1, -1}, {2, -1}, {2, 0}, {7, 1}, {MOST, 0}, {MOST, 1}, {MOST, -1}};
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    caller = pthread_self();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t i = 0; i <= MOST; i++)
            calls[i] = 0;
        threads_left = cases[c].threads;
        parallel_for(cases[c].n, count, &calls);
        for (size_t i = 0; i <= MOST; i++)
            assert_int_equal(calls[i], i < cases[c].n);
    }
    assert_false(strange);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}

TESTS(NULL, NULL)
