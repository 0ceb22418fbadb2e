#include "supervise/wait_times.h"

/* The earlier value of a counter of thread `tid`, which is `now` now; 0 for a new thread. Counters
 * never fall. If one did, another thread has the same number now. */
static uint64_t earlier(const struct wait_times *before, pid_t tid, const uint64_t *column,
                        uint64_t now)
{
    for (size_t j = 0; j < before->count; j++)
        if (before->tid[j] == tid && column[j] <= now)
            return column[j];
    return 0;
}

uint64_t ran_increase(const struct wait_times *before, const struct wait_times *after)
{
    uint64_t most = 0;
    for (size_t i = 0; i < after->count; i++) {
        uint64_t more = after->ran[i] - earlier(before, after->tid[i], before->ran, after->ran[i]);
        most = more > most ? more : most;
    }
    return most;
}

uint64_t wait_increase_sum(const struct wait_times *before, const struct wait_times *after)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < after->count; i++)
        sum += after->ns[i] - earlier(before, after->tid[i], before->ns, after->ns[i]);
    return sum;
}
