/* expect: naive openmp mpi */
/* Timers that expire on this core while the driver is halted: each wakes hundreds of epolls, in an
 * interrupt. The yardstick, timed there then, looks slow. */
#define AFTERWARDS
#include "clock.h"
#include <sys/epoll.h>
#include <sys/timerfd.h>

enum { TIMERS = 300, POLLS = 450, DELAY_NS = 300000, APART_NS = 170000 };

static int timer[TIMERS], timers, polls;

static void prepare(void)
{
    struct rlimit most = {65536, 65536};
    if (getrlimit(RLIMIT_NOFILE, &most) == 0) {
        most.rlim_cur = most.rlim_max;
        setrlimit(RLIMIT_NOFILE, &most);
    }
    for (timers = 0; timers < TIMERS; timers++)
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
