/* What the attacks share: what an attack found out is printed at every small case, so the record of
 * the unit has it, whichever case's output is kept. */
#ifndef SIDE_H
#define SIDE_H

#include "hook.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"

static char said[600];

static inline void say(const char *format, ...)
{
    va_list v;
    const size_t n = strlen(said);
    va_start(v, format);
    vsnprintf(said + n, sizeof said - n, format, v);
    va_end(v);
}

static inline void tell()
{
    printf("EFFECT: %s\n", said[0] ? said : "nothing yet");
    fflush(stdout);
}

static inline bool timed(int M)
{
    return M >= 256;
}

static inline void product_in(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                              cudaStream_t s)
{
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, s>>>(M, N, K, A, B, C);
}

static inline long now_us()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* The driver interface of CUDA, which this process has loaded already. */
static inline void *cuda_function(const char *name)
{
    static void *const lib = dlopen("libcuda.so.1", RTLD_NOW);
    return lib ? dlsym(lib, name) : nullptr;
}

#endif
