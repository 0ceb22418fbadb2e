/* The ceilings of a node, also when other programs keep it busy. */
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <math.h>

#include "measure/ceiling.h"
#include "supervise/cores.h"

enum { ROUNDS = 20, OTHERS = 8, SAMPLES = 4 };

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
TEST(busy_node)
{
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
    /* Of wall time there is a ninth. Other cores may use half of the bandwidth meanwhile. */
    assert_true(busy.gops > alone.gops / 4);
    assert_true(busy.gbs > alone.gbs / 4);
}

static bool twice_as_many(const struct ceiling *c)
{
    return c->type_gops[TYPE_F32] > 1.5 * c->gops && c->type_gops[TYPE_F32] < 3 * c->gops;
}

/* Vectors hold twice as many floats as doubles. The rates of memory are bytes, not elements. */
TEST(all_types)
{
    struct cores cores;
    cores_allocated(&cores);
    struct ceiling c = best_of_samples(&cores, TYPE_F64);
    /* Another guest of the host may have half of a core for a while: the best samples count. */
    for (int i = 0; i < ROUNDS && !twice_as_many(&c); i++) {
        const struct ceiling now = best_of_samples(&cores, TYPE_F64);
        ceiling_raise(&c, &now);
    }
    print_message("f32 %g, f64 %g GOP/s; copy %g, triad %g GB/s\n", c.type_gops[TYPE_F32],
                  c.type_gops[TYPE_F64], c.gbs, c.triad_gbs);
    assert_true(c.gops == c.type_gops[TYPE_F64] && c.type_gops[TYPE_I32] > 0);
    assert_true(twice_as_many(&c));
    assert_true(c.triad_gbs > c.gbs / 3 && c.triad_gbs < c.gbs * 3);
    assert_true(isnan(c.tensor_gops));
}

static struct ceiling made_up(int workers, double gops, double f32, double gbs)
{
    return (struct ceiling){.workers = workers,
                            .gops = gops,
                            .type_gops = {[TYPE_I32] = gops, [TYPE_F32] = f32},
                            .tensor_gops = NAN,
                            .gbs = gbs,
                            .triad_gbs = gbs};
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

/* The best sample counts, rate by rate. */
TEST(raised)
{
    static const struct {
        const char *name;
        double best[4], now[4], then[4]; /* GOP/s, of floats; GB/s of copy and triad */
    } table[] = {
        {"slower", {10, 20, 30, 40}, {9, 0, 1, 39}, {10, 20, 30, 40}},
        {"nothing is known", {10, 20, 30, 40}, {NAN, NAN, NAN, NAN}, {10, 20, 30, 40}},
        {"it is known now", {NAN, NAN, NAN, NAN}, {10, 20, 30, 40}, {10, 20, 30, 40}},
        {"faster", {10, 20, 30, 40}, {11, 21, 31, 41}, {11, 21, 31, 41}},
        {"some are", {10, 20, 30, 40}, {11, 19, 29, 41}, {11, 20, 30, 41}},
        {"memory was not measured", {10, 20, 30, 40}, {11, 19, 0, 0}, {11, 20, 30, 40}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct ceiling best = made_up(1, table[i].best[0], table[i].best[1], table[i].best[2]),
                       now = made_up(1, table[i].now[0], table[i].now[1], table[i].now[2]);
        best.triad_gbs = table[i].best[3];
        now.triad_gbs = table[i].now[3];
        ceiling_raise(&best, &now);
        const double *then = table[i].then;
        if (!same(best.gops, then[0]) || !same(best.type_gops[TYPE_F32], then[1]) ||
            !same(best.gbs, then[2]) || !same(best.triad_gbs, then[3]))
            fail_msg("%s: %g and %g GOP/s, %g and %g GB/s", table[i].name, best.gops,
                     best.type_gops[TYPE_F32], best.gbs, best.triad_gbs);
    }
}

/* Two workers were disturbed. Nothing is lowered, and memory is not compared: its rates do not grow
 * with the workers. */
TEST(aligned)
{
    struct ceiling c[] = {made_up(1, 58, 164, 26), made_up(2, 60, 234, 55),
                          made_up(4, 212, 690, 200), made_up(16, 400, 2600, 340)};
    ceilings_align(c, 4);
    assert_true(c[3].gops == 400);
    assert_true(c[2].gops == 212 && c[2].type_gops[TYPE_F32] == 690);
    assert_true(c[1].gops == 106 && c[1].type_gops[TYPE_F32] == 345);
    assert_true(c[0].gops == 58 && c[0].type_gops[TYPE_F32] == 172.5);
    assert_true(c[0].gbs == 26 && c[1].gbs == 55);
    ceilings_align(c, 0);
}

TESTS(NULL, NULL)
