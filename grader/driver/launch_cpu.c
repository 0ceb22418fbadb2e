/* One process; threads are the kernel's own business (OMP_NUM_THREADS is set by the proctor). */
#include <unistd.h>

#include "abi/gemm.h"
#include "driver/driver.h"

/* ISO C has no conversion from object to function pointers; POSIX does, through this detour. */
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
    kernel.object = library_symbol(library, symbol, text, cap);
    return kernel.object ? 0 : -1;
}

double launch_run(const struct problem *p, unsigned reps)
{
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
    _exit(0); /* a student's destructors and atexit handlers have no business left */
}
