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

enum { OTHERS = 8 };

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
    const struct ceiling alone = ceiling_measure(cores.id, 1, TYPE_I32);
    for (int i = 0; i < OTHERS; i++) {
        other[i] = fork();
        if (other[i] == 0)
            spin_on(cores.id[0]);
    }
    const struct ceiling busy = ceiling_measure(cores.id, 1, TYPE_I32);
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
    const struct ceiling c = ceiling_measure(cores.id, 1, TYPE_F64);
    print_message("f32 %g, f64 %g GOP/s; copy %g, triad %g GB/s\n", c.type_gops[TYPE_F32],
                  c.type_gops[TYPE_F64], c.gbs, c.triad_gbs);
    assert_true(c.gops == c.type_gops[TYPE_F64] && c.type_gops[TYPE_I32] > 0);
    assert_true(c.type_gops[TYPE_F32] > 1.5 * c.gops && c.type_gops[TYPE_F32] < 3 * c.gops);
    assert_true(c.triad_gbs > c.gbs / 3 && c.triad_gbs < c.gbs * 3);
    assert_true(isnan(c.tensor_gops));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(busy_node), cmocka_unit_test(all_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
