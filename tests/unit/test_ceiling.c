/* The ceilings of a node, also when other programs keep it busy. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <math.h>

#include "measure/ceiling.h"
#include "supervise/cores.h"

enum { OTHERS = 8, SAMPLES = 4 };

/* Of the first core of this machine. */
static struct ceiling best_of_samples(const struct cores *cores, enum element_type type)
{
    struct ceiling best = ceiling_sample(cores->id, 1, type, true);
    for (int i = 1; i < SAMPLES; i++) {
        const struct ceiling now = ceiling_sample(cores->id, 1, type, true);
        ceiling_raise(&best, &now);
    }
    return best;
}

static void spin_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        __asm__ volatile("");
}

/* A record that is too low would call honest programs impossibly fast. */
static void busy_node(void **state)
{
    (void)state;
    struct cores cores;
    pid_t other[OTHERS];
    cores_allocated(&cores);
    const struct ceiling alone = best_of_samples(&cores, TYPE_I32);
    for (int i = 0; i < OTHERS; i++) {
        other[i] = fork();
        if (other[i] == 0)
            spin_on(cores.id[0]);
    }
    const struct ceiling busy = best_of_samples(&cores, TYPE_I32);
    for (int i = 0; i < OTHERS; i++) {
        kill(other[i], SIGKILL);
        waitpid(other[i], NULL, 0);
    }
    print_message("%g of %g GOP/s, %g of %g GB/s\n", busy.gops, alone.gops, busy.gbs, alone.gbs);
    assert_true(busy.gops > alone.gops / 2);
    assert_true(busy.gbs > alone.gbs / 2);
}

/* Vectors hold twice as many floats as doubles. The rates of memory are bytes, not elements. */
static void all_types(void **state)
{
    (void)state;
    struct cores cores;
    cores_allocated(&cores);
    const struct ceiling c = best_of_samples(&cores, TYPE_F64);
    print_message("f32 %g, f64 %g GOP/s; copy %g, triad %g GB/s\n", c.type_gops[TYPE_F32],
                  c.type_gops[TYPE_F64], c.gbs, c.triad_gbs);
    assert_true(c.gops == c.type_gops[TYPE_F64] && c.type_gops[TYPE_I32] > 0);
    assert_true(c.type_gops[TYPE_F32] > 1.5 * c.gops && c.type_gops[TYPE_F32] < 3 * c.gops);
    assert_true(c.triad_gbs > c.gbs / 3 && c.triad_gbs < c.gbs * 3);
    assert_true(isnan(c.tensor_gops));
}

static struct ceiling made_up(int workers, double gops, double f32, double gbs, double core_rate)
{
    return (struct ceiling){.workers = workers,
                            .gops = gops,
                            .type_gops = {[TYPE_I32] = gops, [TYPE_F32] = f32},
                            .gbs = gbs,
                            .core_rate = core_rate};
}

/* The best sample counts, rate by rate. A record that was disturbed is told from noise. */
static void raised(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct ceiling best, now, then;
        bool disturbed;
    } table[] = {
        {"slower",
         {.gops = 10, .core_rate = 1},
         {.gops = 5, .core_rate = 0.5},
         {.gops = 10, .core_rate = 1},
         false},
        {"no probe",
         {.gops = 10, .core_rate = NAN},
         {.gops = 10, .core_rate = NAN},
         {.gops = 10, .core_rate = NAN},
         false},
        {"first probe",
         {.gops = 10, .core_rate = NAN},
         {.gops = 10, .core_rate = 1},
         {.gops = 10, .core_rate = 1},
         true},
        {"failed probe",
         {.gops = 10, .core_rate = 1},
         {.gops = 10, .core_rate = NAN},
         {.gops = 10, .core_rate = 1},
         false},
        {"noise",
         {.gops = 10, .core_rate = 1},
         {.gops = 10.3, .core_rate = 1.09},
         {.gops = 10.3, .core_rate = 1},
         false},
        {"disturbed peak",
         {.gops = 10, .core_rate = 1},
         {.gops = 15, .core_rate = 0.9},
         {.gops = 15, .core_rate = 1},
         true},
        {"disturbed cores",
         {.gops = 10, .core_rate = 1},
         {.gops = 9, .core_rate = 1.4},
         {.gops = 10, .core_rate = 1.4},
         true},
        {"disturbed copy",
         {.gbs = 10, .core_rate = 1},
         {.gbs = 15, .core_rate = 1},
         {.gbs = 15, .core_rate = 1},
         true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct ceiling best = table[i].best;
        const struct ceiling *then = &table[i].then;
        const bool disturbed = ceiling_raise(&best, &table[i].now);
        if (disturbed != table[i].disturbed || best.gops != then->gops || best.gbs != then->gbs ||
            !(best.core_rate == then->core_rate ||
              (isnan(best.core_rate) && isnan(then->core_rate))))
            fail_msg("%s: %d, %g GOP/s, %g GB/s, rate %g", table[i].name, disturbed, best.gops,
                     best.gbs, best.core_rate);
    }
}

/* Two workers were disturbed. Nothing is lowered, and memory is not compared: its rates do not grow
 * with the workers. */
static void aligned(void **state)
{
    (void)state;
    struct ceiling c[] = {made_up(1, 58, 164, 26, NAN), made_up(2, 60, 234, 55, 0.9),
                          made_up(4, 212, 690, 200, 1.2), made_up(16, 400, 2600, 340, 1)};
    ceilings_align(c, 4);
    assert_true(c[3].gops == 400 && c[3].core_rate == 1);
    assert_true(c[2].gops == 212 && c[2].type_gops[TYPE_F32] == 690 && c[2].core_rate == 1.2);
    assert_true(c[1].gops == 106 && c[1].type_gops[TYPE_F32] == 345 && c[1].core_rate == 1.2);
    assert_true(c[0].gops == 58 && c[0].type_gops[TYPE_F32] == 172.5 && isnan(c[0].core_rate));
    assert_true(c[0].gbs == 26 && c[1].gbs == 55);
    ceilings_align(c, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(raised), cmocka_unit_test(aligned),
                                       cmocka_unit_test(busy_node), cmocka_unit_test(all_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
