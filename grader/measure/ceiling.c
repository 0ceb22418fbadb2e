#include "measure/ceiling.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* How long a rate is measured. A core that was idle is slow for a while, and another program may
 * use it for some time. */
enum { LANES = 12, MEASURE_MS = 100 };

static bool measured_long_enough(uint64_t from)
{
    return clock_mono_ns() - from > (uint64_t)MEASURE_MS * 1000000;
}

#if defined(__x86_64__)
/* Twelve accumulators hide the latencies of multiplier and adder. This is assembly, because
 * compilers spill some of the accumulators or move the product out of the loop. The ceiling must
 * not depend on the compiler. */
#define MULTIPLY_ADD(r, acc, tmp)                                                                  \
    "vpmulld %%" r "0, %%" r "1, %%" r tmp "\n\t"                                                  \
    "vpaddd %%" r tmp ", %%" r acc ", %%" r acc "\n\t"
#define TWELVE(r)                                                                                  \
    MULTIPLY_ADD(r, "4", "2")                                                                      \
    MULTIPLY_ADD(r, "5", "3")                                                                      \
    MULTIPLY_ADD(r, "6", "2")                                                                      \
    MULTIPLY_ADD(r, "7", "3")                                                                      \
    MULTIPLY_ADD(r, "8", "2")                                                                      \
    MULTIPLY_ADD(r, "9", "3")                                                                      \
    MULTIPLY_ADD(r, "10", "2")                                                                     \
    MULTIPLY_ADD(r, "11", "3")                                                                     \
    MULTIPLY_ADD(r, "12", "2")                                                                     \
    MULTIPLY_ADD(r, "13", "3")                                                                     \
    MULTIPLY_ADD(r, "14", "2")                                                                     \
    MULTIPLY_ADD(r, "15", "3")
#define SPIN(r)                                                                                    \
    __asm__ volatile("1:\n\t" TWELVE(r) "dec %0\n\t"                                               \
                                        "jnz 1b\n\t"                                               \
                                        "vzeroupper"                                               \
                     : "+r"(rounds)                                                                \
                     :                                                                             \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",       \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")

__attribute__((target("avx2"))) static void spin_avx2(long rounds)
{
    SPIN("ymm");
}

__attribute__((target("avx512f"))) static void spin_avx512(long rounds)
{
    SPIN("zmm");
}
#endif

static void spin_scalar(long rounds)
{
    uint32_t acc[LANES], x = (uint32_t)rounds | 1;
    for (int i = 0; i < LANES; i++)
        acc[i] = (uint32_t)i;
    for (long r = 0; r < rounds; r++) {
        __asm__ volatile("" : "+r"(x));
        for (int i = 0; i < LANES; i++)
            acc[i] += acc[i] * x;
    }
    for (int i = 0; i < LANES; i++)
        __asm__ volatile("" : : "r"(acc[i]));
}

static double best_rate(void (*spin)(long), int lanes_per_vector)
{
    const long rounds = 200000;
    double best = 0;
    for (uint64_t from = clock_mono_ns(); !measured_long_enough(from);) {
        uint64_t t0 = clock_mono_ns();
        spin(rounds);
        double ns = (double)(clock_mono_ns() - t0);
        double gops = 2.0 * LANES * lanes_per_vector * (double)rounds / ns;
        if (gops > best)
            best = gops;
    }
    return best;
}

double ceiling_multiply_add(void)
{
    double best = best_rate(spin_scalar, 1);
#if defined(__x86_64__)
    double v = __builtin_cpu_supports("avx2") ? best_rate(spin_avx2, 8) : 0;
    if (v > best)
        best = v;
    v = __builtin_cpu_supports("avx512f") ? best_rate(spin_avx512, 16) : 0;
    if (v > best)
        best = v;
#endif
    return best;
}

bool ceiling_has_tiles(void)
{
#if defined(__x86_64__)
    enum { FEATURES = 7, AMX_INT8 = 1 << 25 }; /* compilers call this bit by different names */
    unsigned a, b, c, d;
    return __get_cpuid_count(FEATURES, 0, &a, &b, &c, &d) && d & AMX_INT8;
#else
    return false;
#endif
}

double ceiling_copy(void)
{
    const size_t n = (size_t)64 << 20;
    char *a = malloc(n), *b = malloc(n);
    double best = 0;
    if (a && b) {
        memset(a, 1, n);
        memset(b, 2, n);
        for (uint64_t from = clock_mono_ns(); !measured_long_enough(from);) {
            uint64_t t0 = clock_mono_ns();
            memcpy(b, a, n);
            __asm__ volatile("" : : "r"(b) : "memory");
            double gbs = 2.0 * (double)n / (double)(clock_mono_ns() - t0);
            if (gbs > best)
                best = gbs;
        }
    }
    free(a);
    free(b);
    return best;
}
