/* expect: naive openmp */
/* Two calls of three take three times as long, and in these two threads fight for a core: a run in
 * which threads wait for a core might not count. (HONEST: the same without the fight.) */
#define OWN_HONEST
#include "clock.h"

enum { FIGHT_NS = 6000000 };

static volatile int over;
static volatile long spun;

static void *spin(void *unused)
{
    while (!over)
        spun++;
    return unused;
}

static long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Both threads on the core of this one. */
static void fight(void)
{
    pthread_t t;
    cpu_set_t before, here;
    sched_getaffinity(0, sizeof before, &before);
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    over = 0;
    if (pthread_create(&t, NULL, spin, NULL) == 0) {
        for (const long end = now_ns() + FIGHT_NS; now_ns() < end;)
            spun++;
        over = 1;
        pthread_join(t, NULL);
    }
    sched_setaffinity(0, sizeof before, &before);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
    const int often = calls++ % 3 ? 3 : 1;
    for (int i = 0; i < often; i++)
        rows(0, M, N, K, A, B, C);
#ifdef HONEST
    (void)fight;
#else
    if (often > 1)
        fight();
#endif
}
