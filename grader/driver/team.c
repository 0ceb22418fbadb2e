#include "driver/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The other threads of the team. The calling thread is its first member. */
static struct {
    pthread_t *thread;
    int count;
    cpu_set_t cores;      /* of the calling thread, before it was bound */
    atomic_uint run;      /* number of the run that has begun */
    atomic_uint finished; /* threads that have finished it */
    atomic_bool ends;
} team;

/* Bind the calling thread to the core with this number in the set. */
static void bind(const cpu_set_t *cores, int number)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, cores) && number-- == 0)
            CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one); /* an empty set is refused: then it is not bound */
}

static void *follow(void *arg)
{
    unsigned run = 0;
    bind(&team.cores, (int)(intptr_t)arg);
    for (;;) {
        while (atomic_load(&team.run) == run)
            ;
        run++;
        if (atomic_load(&team.ends))
            return NULL;
        atomic_fetch_add(&team.finished, 1);
    }
}

static void start(void)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    const int others = threads ? (int)strtol(threads, NULL, 10) - 1 : 0;
    if (others < 1 || sched_getaffinity(0, sizeof team.cores, &team.cores) != 0)
        return;
    team.thread = calloc((size_t)others, sizeof *team.thread);
    while (team.thread && team.count < others &&
           pthread_create(&team.thread[team.count], NULL, follow,
                          (void *)(intptr_t)(team.count + 1)) == 0)
        team.count++;
    bind(&team.cores, 0);
}

static void next_run(void)
{
    atomic_store(&team.finished, 0);
    atomic_fetch_add(&team.run, 1);
}

void team_run(void)
{
    if (!team.thread)
        start();
    next_run();
    while (atomic_load(&team.finished) < (unsigned)team.count)
        ;
}

void team_end(void)
{
    if (!team.thread)
        return;
    atomic_store(&team.ends, true);
    next_run();
    for (int i = 0; i < team.count; i++)
        pthread_join(team.thread[i], NULL);
    free(team.thread);
    team.thread = NULL;
    team.count = 0;
    sched_setaffinity(0, sizeof team.cores, &team.cores);
}
