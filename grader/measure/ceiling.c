#include "measure/ceiling.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "model/estimate.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* How long a rate is measured. A core that was idle is slow for a while. Triads and other types get
 * less time: they are for the picture of the roofline. */
enum { LANES = 12, COMPUTE_MS = 15, COPY_MS = 30, TRIAD_MS = 10, OTHER_TYPE_MS = 4 };

/* What is copied is far larger than the caches, on all cores together and on each of them. */
#define COPY_BYTES ((size_t)64 << 20)
#define COPY_LEAST ((size_t)4 << 20)

/* One measurement of a thread. Rates are per second of its processor time: on a busy node it waits
 * for its core most of the time, and a ceiling that is too low would call honest programs
 * impossibly fast. */
struct stopwatch {
    uint64_t until, cpu_from;
};

static struct stopwatch stopwatch_start(int ms)
{
    return (struct stopwatch){clock_mono_ns() + (uint64_t)ms * 1000000, clock_thread_cpu_ns()};
}

static bool stopwatch_runs(const struct stopwatch *a)
{
    return clock_mono_ns() < a->until;
}

/* 10^9 a second */
static double stopwatch_rate(const struct stopwatch *a, double amount)
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

/* What all cores do at the same time: compute with `spin`, or move `bytes` in memory. */
struct load {
    struct spin spin;
    int ms;       /* how long they compute */
    size_t bytes; /* 0: compute */
};

/* What is measured. A load of memory has two rates. */
enum { COMPUTE = 0, COPY = 0, TRIAD, RATES };

struct core_at_work {
    pthread_t thread;
    bool started;
    int cpu;
    struct load load;
    double rate[RATES]; /* 10^9 operations or bytes per second; 0: no memory */
};

static double compute_rate(struct spin spin, int ms)
{
    const long rounds = 100000;
    const struct stopwatch a = stopwatch_start(ms);
    double operations = 0;
    do {
        spin.run(rounds);
        operations += 2.0 * LANES * spin.lanes * (double)rounds;
    } while (stopwatch_runs(&a));
    return stopwatch_rate(&a, operations);
}

static double copy_rate(double *to, const double *from, size_t n)
{
    const struct stopwatch a = stopwatch_start(COPY_MS);
    double bytes = 0;
    do {
        memcpy(to, from, n);
        __asm__ volatile("" : : "r"(to) : "memory");
        bytes += 2.0 * (double)n;
    } while (stopwatch_runs(&a));
    return stopwatch_rate(&a, bytes);
}

/* The two summands are the halves of `from`. */
static double triad_rate(double *restrict to, const double *restrict from, size_t n)
{
    const size_t half = n / (2 * sizeof *from);
    const double *x = from, *y = from + half;
    const struct stopwatch a = stopwatch_start(TRIAD_MS);
    double bytes = 0;
    do {
        for (size_t i = 0; i < half; i++)
            to[i] = x[i] + 0.5 * y[i];
        __asm__ volatile("" : : "r"(to) : "memory");
        bytes += 3.0 * (double)(half * sizeof *from);
    } while (stopwatch_runs(&a));
    return stopwatch_rate(&a, bytes);
}

static void memory_rates(struct core_at_work *c)
{
    const size_t n = c->load.bytes;
    double *a = malloc(n), *b = malloc(n);
    if (a && b) {
        memset(a, 1, n); /* on this core: its memory is the nearest */
        memset(b, 2, n);
        c->rate[COPY] = copy_rate(b, a, n);
        c->rate[TRIAD] = triad_rate(b, a, n);
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
    if (c->load.bytes)
        memory_rates(c);
    else
        c->rate[COMPUTE] = compute_rate(c->load.spin, c->load.ms);
    return NULL;
}

/* The sums over the cores. */
static void rates(const int *cpus, int count, const struct load *load, double sum[RATES])
{
    OWNED struct core_at_work *core = xcalloc((size_t)count, sizeof *core);
    for (int r = 0; r < RATES; r++)
        sum[r] = 0;
    for (int i = 0; i < count; i++) {
        core[i].cpu = cpus[i];
        core[i].load = *load;
        core[i].started = pthread_create(&core[i].thread, NULL, work, &core[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (core[i].started)
            pthread_join(core[i].thread, NULL);
        for (int r = 0; r < RATES; r++)
            sum[r] += core[i].rate[r];
    }
}

/* Of the fastest way to compute with this type. */
static double fastest(const int *cpus, int count, enum element_type type, int ms)
{
    const struct spins *of = &spins_of[type];
    struct spin spins[3] = {{of->scalar, 1}};
    size_t n = 1;
    double best = 0;
#if defined(__x86_64__)
    const int bytes = (int)type_bytes(type);
    if (__builtin_cpu_supports("avx2") && (type == TYPE_I32 || __builtin_cpu_supports("fma")))
        spins[n++] = (struct spin){of->avx2, 32 / bytes};
    if (__builtin_cpu_supports("avx512f"))
        spins[n++] = (struct spin){of->avx512, 64 / bytes};
#endif
    for (size_t i = 0; i < n; i++) {
        double now[RATES];
        rates(cpus, count, &(struct load){.spin = spins[i], .ms = ms}, now);
        best = fmax(best, now[COMPUTE]);
    }
    return best;
}

struct ceiling ceiling_sample(const int *cpus, int count, enum element_type type, bool memory)
{
    struct ceiling c = {.workers = count, .tensor_gops = (double)NAN};
    for (int t = 0; t < TYPE_COUNT; t++)
        c.type_gops[t] =
            fastest(cpus, count, (enum element_type)t, t == (int)type ? COMPUTE_MS : OTHER_TYPE_MS);
    c.gops = c.type_gops[type];
    if (memory) {
        const size_t share = COPY_BYTES / (size_t)count;
        const struct load copies = {.bytes = share > COPY_LEAST ? share : COPY_LEAST};
        double moved[RATES];
        rates(cpus, count, &copies, moved);
        c.gbs = moved[COPY];
        c.triad_gbs = moved[TRIAD];
    }
    return c;
}

void ceiling_raise(struct ceiling *best, const struct ceiling *now)
{
    /* fmax() ignores what is not known yet. */
    best->gops = fmax(best->gops, now->gops);
    for (int t = 0; t < TYPE_COUNT; t++)
        best->type_gops[t] = fmax(best->type_gops[t], now->type_gops[t]);
    best->gbs = fmax(best->gbs, now->gbs);
    best->triad_gbs = fmax(best->triad_gbs, now->triad_gbs);
}

void ceilings_align(struct ceiling *c, size_t n)
{
    for (size_t i = n; i-- > 1;) {
        const double fewer = (double)c[i - 1].workers / c[i].workers;
        c[i - 1].gops = fmax(c[i - 1].gops, fewer * c[i].gops);
        for (int t = 0; t < TYPE_COUNT; t++)
            c[i - 1].type_gops[t] = fmax(c[i - 1].type_gops[t], fewer * c[i].type_gops[t]);
    }
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
