/* One process. The kernel starts its threads itself; the proctor sets OMP_NUM_THREADS. */
#include <unistd.h>

#include "abi/gemm.h"
#include "driver/driver.h"
#include "driver/team.h"

/* ISO C does not convert pointers to objects into pointers to functions. POSIX systems do, through
 * a union. */
static union {
    void *object;
    void (*gemm_i32)(int, int, int, const int32_t *, const int32_t *, int32_t *);
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
        kernel.gemm_i32(p->m, p->n, p->k, (const int32_t *)(p->in[0] + r * p->in_stride[0]),
                        (const int32_t *)(p->in[1] + r * p->in_stride[1]),
                        (int32_t *)(p->out + r * p->out_stride));
    return -1;
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}
