#include "supervise/cores.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"

enum { WATCH_MS = 60 }; /* /proc/stat counts in ticks of 10 ms */

void cores_allocated(struct cores *out)
{
    cpu_set_t set;
    out->count = 0;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE && out->count < CORES_MAX; i++)
            if (CPU_ISSET((size_t)i, &set))
                out->id[out->count++] = i;
    if (!out->count)
        out->id[out->count++] = 0;
}

/* Ticks of a core since the node started. */
struct ticks {
    unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;
};

static void read_ticks(struct ticks all[CORES_MAX])
{
    char line[512];
    memset(all, 0, CORES_MAX * sizeof *all);
    FILE *f = fopen("/proc/stat", "re");
    while (f && fgets(line, sizeof line, f)) {
        int cpu;
        struct ticks t;
        if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t.user, &t.nice,
                   &t.system, &t.idle, &t.iowait, &t.irq, &t.softirq, &t.steal) == 9 &&
            cpu >= 0 && cpu < CORES_MAX)
            all[cpu] = t;
    }
    if (f)
        fclose(f);
}

uint64_t cores_busy_ns(const int *id, int count)
{
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
    OWNED struct ticks *all = xcalloc(CORES_MAX, sizeof *all);
    uint64_t ticks = 0;
    read_ticks(all);
    for (int i = 0; i < count; i++)
        if (id[i] >= 0 && id[i] < CORES_MAX) {
            const struct ticks *t = &all[id[i]];
            ticks += t->user + t->nice + t->system + t->irq + t->softirq + t->steal;
        }
    return ticks * tick_ns;
}

static void read_idle(unsigned long long idle[CORES_MAX])
{
    OWNED struct ticks *all = xcalloc(CORES_MAX, sizeof *all);
    read_ticks(all);
    for (int i = 0; i < CORES_MAX; i++)
        idle[i] = all[i].idle;
}

/* The first hardware thread of a physical core stands for it. */
static int physical_core(int cpu)
{
    char path[96];
    int first = cpu;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%d", &first) != 1)
        first = cpu; /* the system does not say */
    if (f)
        fclose(f);
    return first;
}

struct ranked {
    int id, physical;
    unsigned long long idle;
    bool second; /* a quieter hardware thread of its core comes before it */
};

static int by_idle(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->second != y->second)
        return x->second - y->second;
    return x->idle != y->idle ? (x->idle < y->idle ? 1 : -1) : (x->id > y->id) - (x->id < y->id);
}

static int by_id(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void cores_choose(const struct cores *all, const unsigned long long *idle, const int *physical,
                  int want, struct cores *out)
{
    struct ranked r[CORES_MAX] = {0};
    bool taken[CORES_MAX] = {false};
    for (int i = 0; i < all->count; i++)
        r[i] = (struct ranked){all->id[i], physical[i], idle[i], false};
    qsort(r, (size_t)all->count, sizeof *r, by_idle);
    for (int i = 0; i < all->count; i++) {
        r[i].second = taken[r[i].physical];
        taken[r[i].physical] = true;
    }
    qsort(r, (size_t)all->count, sizeof *r, by_idle);
    out->count = want;
    for (int i = 0; i < want; i++)
        out->id[i] = r[i].id;
    qsort(out->id, (size_t)want, sizeof *out->id, by_id);
}

/* idle: as for cores_choose(). */
static void choose(const struct cores *all, const unsigned long long *idle, int want,
                   struct cores *out)
{
    int physical[CORES_MAX] = {0};
    for (int i = 0; i < all->count; i++)
        physical[i] = physical_core(all->id[i]);
    cores_choose(all, idle, physical, want, out);
}

void cores_quietest(const struct cores *all, int want, struct cores *out)
{
    *out = *all;
    if (want >= all->count)
        return;
    unsigned long long before[CORES_MAX], after[CORES_MAX], idle[CORES_MAX] = {0};
    read_idle(before);
    clock_sleep_ms(WATCH_MS);
    read_idle(after);
    for (int i = 0; i < all->count; i++)
        idle[i] = after[all->id[i]] - before[all->id[i]];
    choose(all, idle, want, out);
}

void cores_first(const struct cores *all, int want, struct cores *out)
{
    static const unsigned long long same[CORES_MAX];
    *out = *all;
    if (want < all->count)
        choose(all, same, want, out);
}

void own_core_settle(struct own_core *own, int core)
{
    own_core_leave(own);
    CPU_ZERO(&own->core);
    CPU_SET((size_t)core, &own->core);
    own->settled = sched_getaffinity(0, sizeof own->all, &own->all) == 0;
    own_core_return(own);
}

static void go(const struct own_core *own, const cpu_set_t *set)
{
    if (own->settled)
        sched_setaffinity(0, sizeof *set, set);
}

void own_core_roam(const struct own_core *own)
{
    go(own, &own->all);
}

void own_core_return(const struct own_core *own)
{
    go(own, &own->core);
}

void own_core_leave(struct own_core *own)
{
    own_core_roam(own);
    own->settled = false;
}
