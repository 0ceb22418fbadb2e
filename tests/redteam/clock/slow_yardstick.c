/* expect: naive openmp mpi */
/* Timers that expire on this core while the driver is halted: each wakes hundreds of epolls, in an
 * interrupt. The yardstick, timed there then, looks slow. */
#define AFTERWARDS
#include "clock.h"
#include <sys/epoll.h>
#include <sys/timerfd.h>

enum { TIMERS = 300, POLLS = 450, SPARE = 16, DELAY_NS = 300000, APART_NS = 170000 };

static int timer[TIMERS], timers, polls;

static void prepare(void)
{
    struct rlimit most = {0, 0};
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    /* Whoever has few descriptors has some of both, and some for the driver. */
    int spare[SPARE], spares, third = most.rlim_cur < 3 * TIMERS ? (int)most.rlim_cur / 3 : TIMERS;
    for (spares = 0; spares < SPARE; spares++)
        spare[spares] = dup(0);
    for (timers = 0; timers < third; timers++)
        if ((timer[timers] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK)) < 0)
            break;
    for (polls = 0; polls < POLLS; polls++) {
        int p = epoll_create1(0);
        if (p < 0)
            break;
        struct epoll_event e = {.events = EPOLLIN | EPOLLET};
        for (int i = 0; i < timers; i++)
            epoll_ctl(p, EPOLL_CTL_ADD, timer[i], &e);
    }
    while (spares > 0)
        close(spare[--spares]);
    printf("%d timers, %d epolls\n", timers, polls), fflush(stdout);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
    if (!calls++)
        prepare();
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    for (int i = 0; i < timers; i++) {
        struct itimerspec at = {.it_value.tv_nsec = DELAY_NS + (long)i * APART_NS};
        timerfd_settime(timer[i], 0, &at, NULL);
    }
}
