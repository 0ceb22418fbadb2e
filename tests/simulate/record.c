/*
 * record: what a machine does to two kernels that take turns, as a trace for simulate.
 *
 *     record YARDSTICK.so UNIT.so SIZE SECONDS >traces/NAME.txt
 *
 * Both libraries define gemm_i32(). A line: seconds since the start, yardstick's milliseconds,
 * unit's milliseconds, share of the unit's time that this thread waited for a core.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/strbuf.h"

typedef void gemm(int m, int n, int k, const int32_t *a, const int32_t *b, int32_t *c);

static gemm *open_kernel(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    gemm *f = NULL;
    if (library)
        *(void **)&f = dlsym(library, "gemm_i32");
    if (!f) {
        fprintf(stderr, "record: %s\n", dlerror());
        exit(2);
    }
    return f;
}

static uint64_t waited_ns(void)
{
    unsigned long long ran = 0, waited = 0;
    FILE *f = fopen("/proc/self/schedstat", "r");
    if (f) {
        if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
            waited = 0;
        fclose(f);
    }
    return waited;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: record YARDSTICK.so UNIT.so SIZE SECONDS\n");
        return 2;
    }
    gemm *yard = open_kernel(argv[1]), *unit = open_kernel(argv[2]);
    const int n = atoi(argv[3]);
    const double seconds = atof(argv[4]);
    const size_t count = (size_t)n * (size_t)n;
    OWNED int32_t *a = xcalloc(count, sizeof *a), *b = xcalloc(count, sizeof *b);
    OWNED int32_t *c = xcalloc(count, sizeof *c);
    for (size_t i = 0; i < count; i++) {
        a[i] = (int32_t)rng_at(1, i);
        b[i] = (int32_t)rng_at(2, i);
    }
    yard(n, n, n, a, b, c);
    unit(n, n, n, a, b, c);
    for (uint64_t start = clock_mono_ns(), t = start; (double)(t - start) * 1e-9 < seconds;) {
        uint64_t wait = waited_ns();
        unit(n, n, n, a, b, c);
        uint64_t after = clock_mono_ns();
        wait = waited_ns() - wait;
        uint64_t from = clock_mono_ns();
        yard(n, n, n, a, b, c);
        uint64_t done = clock_mono_ns();
        printf("%.2f %.3f %.3f %.2f\n", (double)(t - start) * 1e-9, (double)(done - from) * 1e-6,
               (double)(after - t) * 1e-6, (double)wait / (double)(after - t));
        t = clock_mono_ns();
    }
    return 0;
}
