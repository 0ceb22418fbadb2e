#include "measure/ceiling.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/core_probe.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* How long a rate is measured. A core that was idle is slow for a while. */
enum { LANES = 12, MEASURE_MS = 30, ATTEMPTS = 4 };

/* What is copied is far larger than the caches, on all cores together and on each of them. */
#define COPY_BYTES ((size_t)64 << 20)
#define COPY_LEAST ((size_t)4 << 20)

/* One attempt of a thread. Rates are per second of its processor time: on a busy node it waits for
 * its core most of the time, and a ceiling that is too low would call honest programs impossibly
 * fast. */
struct attempt {
    uint64_t from, cpu_from;
};

static struct attempt attempt_begin(void)
{
    return (struct attempt){clock_mono_ns(), clock_thread_cpu_ns()};
}

static bool attempt_goes_on(const struct attempt *a)
{
    return clock_mono_ns() - a->from < (uint64_t)MEASURE_MS * 1000000;
}

/* 10^9 a second */
static double attempt_rate(const struct attempt *a, double amount)
{
    return amount / (double)(clock_thread_cpu_ns() - a->cpu_from);
}

#if defined(__x86_64__)
/* Twelve accumulators hide the latencies of multiplier and adder. This is assembly, because
 * compilers spill some of the accumulators or move the product out of the loop. The ceiling must
 * not depend on the compiler. */
#define MULTIPLY_ADD_I32(r, acc, tmp)                                                              \
    "vpmulld %%" r "0, %%" r "1, %%" r tmp "\n\t"                                                  \
    "vpaddd %%" r tmp ", %%" r acc ", %%" r acc "\n\t"
#define MULTIPLY_ADD_F32(r, acc, tmp) "vfmadd231ps %%" r "0, %%" r "1, %%" r acc "\n\t"
#define MULTIPLY_ADD_F64(r, acc, tmp) "vfmadd231pd %%" r "0, %%" r "1, %%" r acc "\n\t"
#define TWELVE(MULTIPLY_ADD, r)                                                                    \
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
#define SPIN(MULTIPLY_ADD, r)                                                                      \
    __asm__ volatile("1:\n\t" TWELVE(MULTIPLY_ADD, r) "dec %0\n\t"                                 \
                                                      "jnz 1b\n\t"                                 \
                                                      "vzeroupper"                                 \
                     : "+r"(rounds)                                                                \
                     :                                                                             \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",       \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")

/* Registers that hold zeros at first: sums stay finite and normal. */
#define SPINS(type, TYPE)                                                                          \
    __attribute__((target("avx2"))) static void spin_avx2_##type(long rounds)                      \
    {                                                                                              \
        __asm__ volatile("vzeroall" : : : "memory");                                               \
        SPIN(MULTIPLY_ADD_##TYPE, "ymm");                                                          \
    }                                                                                              \
    __attribute__((target("avx512f"))) static void spin_avx512_##type(long rounds)                 \
    {                                                                                              \
        __asm__ volatile("vzeroall" : : : "memory");                                               \
        SPIN(MULTIPLY_ADD_##TYPE, "zmm");                                                          \
    }
SPINS(i32, I32)
SPINS(f32, F32)
SPINS(f64, F64)
#endif

/* In a variable of the type, without vectors. */
#define SPIN_SCALAR(type, Type)                                                                    \
    static void spin_scalar_##type(long rounds)                                                    \
    {                                                                                              \
        Type acc[LANES], x = (Type)(rounds % 2);                                                   \
        for (int i = 0; i < LANES; i++)                                                            \
            acc[i] = (Type)i;                                                                      \
        for (long r = 0; r < rounds; r++) {                                                        \
            __asm__ volatile("" : "+m"(x));                                                        \
            for (int i = 0; i < LANES; i++)                                                        \
                acc[i] = acc[i] * x + x;                                                           \
        }                                                                                          \
        for (int i = 0; i < LANES; i++)                                                            \
            __asm__ volatile("" : : "m"(acc[i]));                                                  \
    }
SPIN_SCALAR(i32, uint32_t)
SPIN_SCALAR(f32, float)
SPIN_SCALAR(f64, double)

/* The ways of computing with elements of a type. */
struct spins {
    void (*scalar)(long rounds), (*avx2)(long rounds), (*avx512)(long rounds);
};

static const struct spins spins_of[] = {
#if defined(__x86_64__)
    [TYPE_I32] = {spin_scalar_i32, spin_avx2_i32, spin_avx512_i32},
    [TYPE_F32] = {spin_scalar_f32, spin_avx2_f32, spin_avx512_f32},
    [TYPE_F64] = {spin_scalar_f64, spin_avx2_f64, spin_avx512_f64},
#else
    [TYPE_I32] = {spin_scalar_i32, NULL, NULL},
    [TYPE_F32] = {spin_scalar_f32, NULL, NULL},
    [TYPE_F64] = {spin_scalar_f64, NULL, NULL},
#endif
};

/* One way of computing: the widest vectors need not be the fastest. */
struct spin {
    void (*run)(long rounds);
    int lanes; /* of a vector */
};

/* What one core does while all of them are at work. */
struct core_at_work {
    pthread_t thread;
    bool started;
    int cpu;
    struct spin spin;
    size_t bytes; /* to be copied; 0: compute */
    int attempts;
    double rate[ATTEMPTS]; /* 10^9 operations or bytes per second, on average; 0: no memory */
};

static double compute_rate(struct spin spin)
{
    const long rounds = 200000;
    const struct attempt a = attempt_begin();
    double operations = 0;
    do {
        spin.run(rounds);
        operations += 2.0 * LANES * spin.lanes * (double)rounds;
    } while (attempt_goes_on(&a));
    return attempt_rate(&a, operations);
}

static double copy_rate(char *to, const char *from, size_t n)
{
    const struct attempt a = attempt_begin();
    double bytes = 0;
    do {
        memcpy(to, from, n);
        __asm__ volatile("" : : "r"(to) : "memory");
        bytes += 2.0 * (double)n;
    } while (attempt_goes_on(&a));
    return attempt_rate(&a, bytes);
}

static void copy_attempts(struct core_at_work *c)
{
    char *a = malloc(c->bytes), *b = malloc(c->bytes);
    if (a && b) {
        memset(a, 1, c->bytes); /* on this core: its memory is the nearest */
        memset(b, 2, c->bytes);
        for (int i = 0; i < c->attempts; i++)
            c->rate[i] = copy_rate(b, a, c->bytes);
    }
    free(a);
    free(b);
}

static void *work(void *arg)
{
    struct core_at_work *c = arg;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)c->cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    if (c->bytes)
        copy_attempts(c);
    for (int i = 0; i < c->attempts && !c->bytes; i++)
        c->rate[i] = compute_rate(c->spin);
    return NULL;
}

/* The sum over the cores. Interference makes it smaller, so the best of several attempts counts. */
static double best_rate(const int *cpus, int count, int attempts, struct spin spin, size_t bytes)
{
    struct core_at_work *core = xcalloc((size_t)count, sizeof *core);
    double best = 0, sum[ATTEMPTS] = {0};
    for (int i = 0; i < count; i++) {
        core[i].cpu = cpus[i];
        core[i].spin = spin;
        core[i].bytes = bytes;
        core[i].attempts = attempts;
        core[i].started = pthread_create(&core[i].thread, NULL, work, &core[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (core[i].started)
            pthread_join(core[i].thread, NULL);
        for (int k = 0; k < attempts; k++)
            sum[k] += core[i].rate[k];
    }
    for (int k = 0; k < attempts; k++)
        best = fmax(best, sum[k]);
    free(core);
    return best;
}

/* The fastest way of computing, by one short attempt each. */
static struct spin fastest_spin(const int *cpus, int count, enum element_type type)
{
    const struct spins *of = &spins_of[type];
    struct spin spins[3] = {{of->scalar, 1}}, best = spins[0];
    size_t n = 1;
    double rate = 0;
#if defined(__x86_64__)
    const int bytes = (int)type_bytes(type);
    if (__builtin_cpu_supports("avx2") && (type == TYPE_I32 || __builtin_cpu_supports("fma")))
        spins[n++] = (struct spin){of->avx2, 32 / bytes};
    if (__builtin_cpu_supports("avx512f"))
        spins[n++] = (struct spin){of->avx512, 64 / bytes};
#endif
    for (size_t i = 0; i < n; i++) {
        const double now = best_rate(cpus, count, 1, spins[i], 0);
        if (now > rate)
            best = spins[i];
        rate = fmax(rate, now);
    }
    return best;
}

struct ceiling ceiling_measure(const int *cpus, int count, enum element_type type)
{
    const size_t share = COPY_BYTES / (size_t)count;
    const struct spin spin = fastest_spin(cpus, count, type);
    return (struct ceiling){.workers = count,
                            .gops = best_rate(cpus, count, ATTEMPTS, spin, 0),
                            .gbs = best_rate(cpus, count, ATTEMPTS, (struct spin){NULL, 0},
                                             share > COPY_LEAST ? share : COPY_LEAST),
                            .core_rate = core_probe_expected(cpus, count)};
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
