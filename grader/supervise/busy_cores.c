#include "supervise/busy_cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "supervise/procfs.h"

enum { STEPS = 2000, CHAINS = 8 };

enum order { REST, WORK, END };

struct busy_core {
    struct busy_cores *all;
    pthread_t thread;
    bool started;
    _Atomic pid_t tid; /* 0: it has not begun */
    _Atomic uint64_t rounds;
    volatile uint64_t result; /* so that the compiler does not leave the work out */
    char padding[64];         /* the counters of two cores are in different cache lines */
};

struct busy_cores {
    pthread_mutex_t mutex; /* of `changed` */
    pthread_cond_t changed;
    _Atomic enum order order;
    int count;
    struct busy_core core[]; /* the first one is not used */
};

/* Eight independent chains of multiplications. How many a core does in a given time depends on its
 * clock rate, and on what else runs on it. */
static uint64_t work_round(uint64_t seed)
{
    uint64_t x[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        x[i] = seed + (uint64_t)i;
    for (int n = 0; n < STEPS; n++)
        for (int i = 0; i < CHAINS; i++)
            x[i] = x[i] * UINT64_C(0x5851f42d4c957f2d) + UINT64_C(0x14057b7ef767814f);
    uint64_t sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum ^= x[i];
    return sum;
}

static _Atomic uint64_t worked_ns; /* by all threads */

static uint64_t thread_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double busy_cores_seconds(void)
{
    return 1e-9 * (double)atomic_load(&worked_ns);
}

uint64_t busy_cores_work_here(uint64_t ns)
{
    static volatile uint64_t result; /* so that the compiler does not leave the work out */
    const uint64_t began = thread_cpu_ns();
    uint64_t rounds = 0, seed = result;
    for (const uint64_t end = clock_mono_ns() + ns; clock_mono_ns() < end; rounds++)
        seed = work_round(seed);
    result = seed;
    atomic_fetch_add(&worked_ns, thread_cpu_ns() - began);
    return rounds;
}

static void *keep_busy(void *arg)
{
    struct busy_core *c = arg;
    struct busy_cores *b = c->all;
    uint64_t seed = 0;
    atomic_store(&c->tid, gettid());
    for (;;) {
        pthread_mutex_lock(&b->mutex);
        while (atomic_load(&b->order) == REST)
            pthread_cond_wait(&b->changed, &b->mutex);
        pthread_mutex_unlock(&b->mutex);
        const uint64_t began = thread_cpu_ns();
        while (atomic_load(&b->order) == WORK) {
            seed = work_round(seed);
            c->result = seed;
            atomic_fetch_add(&c->rounds, 1);
        }
        atomic_fetch_add(&worked_ns, thread_cpu_ns() - began);
        if (atomic_load(&b->order) == END)
            return NULL;
    }
}

static bool start_on(int cpu, struct busy_core *c)
{
    pthread_attr_t attr;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (pthread_attr_init(&attr) != 0)
        return false;
    const bool started = pthread_attr_setaffinity_np(&attr, sizeof set, &set) == 0 &&
                         pthread_create(&c->thread, &attr, keep_busy, c) == 0;
    pthread_attr_destroy(&attr);
    return started;
}

struct busy_cores *busy_cores_start(const int *cpus, int count)
{
    struct busy_cores *b = xcalloc(1, sizeof *b + (size_t)count * sizeof b->core[0]);
    bool all = true;
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->count = count;
    for (int i = 1; i < count && all; i++) {
        b->core[i].all = b;
        all = b->core[i].started = start_on(cpus[i], &b->core[i]);
    }
    if (all)
        return b;
    busy_cores_end(b);
    return NULL;
}

static void give_order(struct busy_cores *b, enum order order)
{
    pthread_mutex_lock(&b->mutex);
    atomic_store(&b->order, order);
    if (order != REST)
        pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

void busy_cores_work(struct busy_cores *b)
{
    if (b)
        give_order(b, WORK);
}

void busy_cores_rest(struct busy_cores *b)
{
    if (b && atomic_load(&b->order) == WORK)
        give_order(b, REST);
}

uint64_t busy_cores_rounds(const struct busy_cores *b, int i)
{
    return atomic_load(&b->core[i].rounds);
}

uint64_t busy_cores_waited(const struct busy_cores *b, int i)
{
    const pid_t tid = i == 0 ? gettid() : atomic_load(&b->core[i].tid);
    return tid ? procfs_thread_wait_ns(getpid(), tid) : 0;
}

void busy_cores_end(struct busy_cores *b)
{
    if (!b)
        return;
    give_order(b, END);
    for (int i = 1; i < b->count; i++)
        if (b->core[i].started)
            pthread_join(b->core[i].thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    free(b);
}
