/*
 * Races show when threads switch in the middle of what they share. On a busy node, or on one core,
 * a short kernel ends before the scheduler switches at all. The second build of a tier with threads
 * therefore calls this function in each basic block (-fsanitize-coverage=trace-pc), and some of the
 * calls, chosen at random, let another thread run.
 */
#include <sched.h>
#include <stdint.h>

/* Mean number of blocks between two switches is half of it: about 1 µs without optimisation. */
enum { BLOCKS_MOST = 512 };

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    static _Thread_local uint32_t chance, left;
    if (left--)
        return;
    if (!chance)
        chance = (uint32_t)(uintptr_t)&chance | 1; /* differs between threads */
    chance = chance * 1664525U + 1013904223U;
    left = (chance >> 16) % BLOCKS_MOST;
    sched_yield();
}
