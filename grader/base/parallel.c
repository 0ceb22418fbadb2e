#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum { HELPERS_MOST = 15 }; /* more threads wait for memory and files rather than compute */

struct job {
    size_t n;
    void (*work)(void *arg, size_t i);
    void *arg;
    atomic_size_t next;
};

static void *take_turns(void *arg)
{
    struct job *j = arg;
    for (size_t i; (i = atomic_fetch_add(&j->next, 1)) < j->n;)
        j->work(j->arg, i);
    return NULL;
}

/* Threads that can work beside the caller's. */
static size_t useful_helpers(size_t n)
{
    cpu_set_t cores;
    if (n < 2 || sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 0;
    size_t helpers = (size_t)CPU_COUNT(&cores) - 1;
    helpers = helpers < n - 1 ? helpers : n - 1;
    return helpers < HELPERS_MOST ? helpers : HELPERS_MOST;
}

void parallel_for(size_t n, void (*work)(void *arg, size_t i), void *arg)
{
    struct job j = {.n = n, .work = work, .arg = arg};
    pthread_t helper[HELPERS_MOST];
    size_t started = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (const size_t useful = useful_helpers(n); started < useful; started++)
        if (pthread_create(&helper[started], NULL, take_turns, &j) != 0)
            break;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    take_turns(&j);
    for (size_t i = 0; i < started; i++)
        pthread_join(helper[i], NULL);
}
