/* One process. The kernel starts its threads itself; the proctor sets OMP_NUM_THREADS. */
#include <unistd.h>

#include "driver/driver.h"
#include "driver/team.h"

/* ISO C does not convert pointers to objects into pointers to functions. POSIX systems do, through
 * a union. Products of all types are called in the same way: pointers to different types are passed
 * alike. */
static union {
    void *object;
    void (*gemm)(int, int, int, const void *, const void *, void *);
} kernel;

int launch_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 1;
}

bool launch_confine(void)
{
    return filter_enter(FILTER_HOST, NULL);
}

int launch_load(const char *library, const char *symbol, char *text, size_t cap)
{
    team_end();
    kernel.object = library_symbol(library, symbol, text, cap);
    return kernel.object ? 0 : -1;
}

double launch_run(const struct problem *p, unsigned reps)
{
    if (!kernel.object)
        team_run();
    for (unsigned r = 0; r < reps; r++)
        kernel.gemm(p->m, p->n, p->k, p->in[0] + r * p->in_stride[0],
                    p->in[1] + r * p->in_stride[1], p->out + r * p->out_stride);
    return -1;
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}
