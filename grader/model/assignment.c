/* Questions to a loaded assignment. assignment_read.c reads the file. */
#include "model/assignment.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/calls.h"
#include "model/field.h"
#include "model/source_name.h"

const char *metric_name(enum speed_metric m)
{
    static const char *const names[] = {"speedup", "gops", "fraction"};
    return names[m];
}

const char *assignment_self_test_profile(const struct assignment *a)
{
    static const char quick[] = "quick";
    for (unsigned i = 0; i < a->profiles_count; i++)
        if (strcmp(a->profiles[i].name, quick) == 0)
            return quick;
    return NULL;
}

int assignment_tier(const struct assignment *a, const char *name)
{
    for (unsigned i = 0; i < a->tiers_count; i++)
        if (strcmp(a->tiers[i].name, name) == 0)
            return (int)i;
    return -1;
}

const char *tier_yardstick(const struct assignment *a, const struct tier *t)
{
    return t->yardstick ? t->yardstick : a->yardstick;
}

const char *tier_yardstick_on_host(const struct assignment *a, const struct tier *t)
{
    const struct tier *usual = &a->tiers[assignment_tier(a, a->yardstick)];
    if (usual->kernel == t->kernel)
        return a->yardstick;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const int y = assignment_tier(a, tier_yardstick(a, &a->tiers[i]));
        if (y >= 0 && a->tiers[y].kernel == t->kernel &&
            !launch_kind_has(a->tiers[y].kind, KIND_DEVICE))
            return a->tiers[y].name;
    }
    return tier_yardstick(a, t);
}

bool yardstick_has_baseline(const struct assignment *a, const char *yardstick)
{
    const struct tier *y = &a->tiers[assignment_tier(a, yardstick)];
    return !launch_kind_has(y->kind, KIND_DEVICE) &&
           y->kernel == a->tiers[assignment_tier(a, a->baseline)].kernel;
}

bool tier_takes(const struct tier *t, struct shape s)
{
    return shape_allowed(t->shapes, s) && kernel_takes(t->kernel, s, NULL) == 0;
}

bool tier_adapts(const struct tier *t, bool reference)
{
    return t->adapter && (t->adapter_for == ADAPTER_FOR_ALL || !reference);
}

bool tier_names_source(const struct tier *t, const char *name)
{
    const size_t n = t->directory ? strlen(t->directory) : 0;
    if (n && strncmp(name, t->directory, n) == 0)
        name += n;
    for (unsigned i = 0; i < t->with_count; i++)
        if (fnmatch(t->with[i], name, FNM_PATHNAME | FNM_NOESCAPE | FNM_PERIOD) == 0)
            return !source_is_header(name);
    return false;
}

bool tier_adds_source(const struct tier *t, const char *name)
{
    return tier_names_source(t, name) && source_is_plain(name) && !source_is_adapter(name);
}

unsigned tier_launch_count(const struct tier *t)
{
    return (t->ranks_count + t->nodes_count) * t->threads_count *
           (t->gpus_count ? t->gpus_count : 1);
}

struct launch tier_launch(const struct tier *t, unsigned i)
{
    const int gpus = t->gpus_count ? t->gpus[i % t->gpus_count] : 0;
    i /= t->gpus_count ? t->gpus_count : 1;
    const unsigned row = i / t->threads_count;
    const int threads = t->threads[i % t->threads_count];
    if (row < t->ranks_count)
        return (struct launch){t->ranks[row], threads, 1, gpus};
    const int nodes = t->nodes[row - t->ranks_count];
    return (struct launch){nodes * t->ranks_per_node, threads, nodes, gpus};
}

int tier_gpus(const struct tier *t, struct launch l)
{
    return launch_kind_has(t->kind, KIND_DEVICE) ? launch_gpus(l) : 0;
}

int tier_gpus_most(const struct tier *t)
{
    int most = 0;
    for (unsigned i = 0; i < tier_launch_count(t); i++) {
        const int n = tier_gpus(t, launch_on_node(tier_launch(t, i)));
        most = n > most ? n : most;
    }
    return most;
}

unsigned tier_stress_count(const struct assignment *a, const struct tier *t)
{
    bool threaded = false;
    for (unsigned i = 0; i < t->threads_count; i++)
        threaded = threaded || t->threads[i] > 1;
    return threaded && launch_kind_has(t->kind, KIND_THREADS) ? a->correctness.stress_threads_count
                                                              : 0;
}

static bool has_word(const char *command, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = command; p && (p = strstr(p, word)); p += n)
        if ((p == command || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

bool tier_lacks_threads(const struct assignment *a, const struct tier *t)
{
    static const char *const options[] = {"-fopenmp", "-qopenmp", "-pthread", "-lpthread"};
    bool made_for = false;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        made_for =
            made_for || has_word(t->compile, options[i]) || has_word(t->compile_cxx, options[i]);
    return made_for && !launch_kind_has(t->kind, KIND_RANKS) &&
           launch_kind_has(t->kind, KIND_THREADS) && a->correctness.stress_threads_count &&
           !tier_stress_count(a, t);
}

/* A race needs threads, which one rank has as well, and a launch of few ranks takes less time. */
struct launch tier_stress(const struct assignment *a, const struct tier *t, unsigned i)
{
    int fewest = 0, several = 0;
    for (unsigned r = 0; r < t->ranks_count; r++) {
        int n = t->ranks[r];
        if (!fewest || n < fewest)
            fewest = n;
        if (n > 1 && (!several || n < several))
            several = n;
    }
    int ranks = i % 2 && several ? several : fewest;
    return launch_here(ranks ? ranks : 1, a->correctness.stress_threads[i]);
}

unsigned tier_check_count(const struct assignment *a, const struct tier *t)
{
    return tier_launch_count(t) + tier_stress_count(a, t);
}

bool tier_checks(const struct tier *t, unsigned i)
{
    if (i >= tier_launch_count(t))
        return true;
    const struct launch l = tier_launch(t, i);
    for (unsigned k = 0; k < tier_launch_count(t) && l.nodes > 1; k++) {
        const struct launch o = tier_launch(t, k);
        if (o.nodes > l.nodes || (o.nodes == l.nodes && o.threads > l.threads))
            return false;
    }
    return true;
}

/* The sizes among which are those of a tier. */
static const struct shape *sizes_of(const struct assignment *a, const struct tier *t,
                                    unsigned *count)
{
    *count = t->sizes_count ? t->sizes_count : a->performance.sizes_count;
    return t->sizes_count ? t->sizes : a->performance.sizes;
}

unsigned tier_size_count(const struct assignment *a, const struct tier *t)
{
    unsigned count, n = 0;
    const struct shape *sizes = sizes_of(a, t, &count);
    for (unsigned i = 0; i < count && !t->idle; i++)
        n += tier_takes(t, sizes[i]);
    return n;
}

struct shape tier_size(const struct assignment *a, const struct tier *t, unsigned i)
{
    unsigned count;
    const struct shape *s = sizes_of(a, t, &count);
    while (!tier_takes(t, *s) || i-- > 0)
        s++;
    return *s;
}

bool speed_rule_is_for(const struct speed_rule *rule, struct shape size)
{
    return rule->every_size || shape_equal(rule->shape, size);
}

bool tier_pays_speed(const struct tier *t, struct shape size)
{
    for (unsigned i = 0; i < t->points.speed_count; i++)
        if (t->points.speed[i].points > 0 && speed_rule_is_for(&t->points.speed[i], size))
            return true;
    return false;
}

bool versus_same_launch(const struct assignment *a, const struct versus *v)
{
    const struct tier *t = &a->tiers[v->tier], *o = &a->tiers[v->other];
    return launch_kind_has(t->kind, KIND_DEVICE) == launch_kind_has(o->kind, KIND_DEVICE) &&
           tier_launch_count(o) > 1;
}

struct resources tier_resources(const struct assignment *a, const struct tier *t)
{
    struct resources r = a->slurm;
    const struct resources *o = &t->slurm;
    fields_lay_over(&assignment_fields[OF_SLURM], o, &r);
    if (o->extra_count) {
        r.extra = o->extra;
        r.extra_count = o->extra_count;
    }
    int most = 1;
    for (unsigned i = 0; i < t->nodes_count; i++)
        most = t->nodes[i] > most ? t->nodes[i] : most;
    if (most > 1) { /* with fewer tasks than nodes, Slurm gives fewer nodes */
        r.nodes = most;
        r.tasks = (r.tasks > 1 ? r.tasks : 1) * most;
    }
    return r;
}

static void resources_free(struct resources *r)
{
    fields_free(&assignment_fields[OF_SLURM], r);
    texts_free(r->extra, r->extra_count);
}

static void tier_free(struct tier *t)
{
    fields_free(&tier_fields[OF_TIER_ITSELF], t);
    free(t->name);
    free(t->title);
    free(t->varies);
    texts_free(t->sources, t->sources_count);
    texts_free(t->with, t->with_count);
    free(t->adapter);
    free(t->adapter_suffix);
    free(t->compile);
    free(t->compile_cxx);
    free(t->ranks);
    free(t->threads);
    free(t->nodes);
    free(t->gpus);
    free(t->launcher);
    texts_free(t->architectures, t->architectures_count);
    for (unsigned i = 0; i < t->requires_count; i++) {
        free(t->requires[i].command);
        free(t->requires[i].file);
        free(t->requires[i].hint);
    }
    free(t->requires);
    free(t->sizes);
    free(t->weak);
    calls_free(&t->calls);
    for (unsigned i = 0; i < t->points.speed_count; i++) {
        free(t->points.speed[i].curve);
    }
    free(t->points.speed);
    for (unsigned i = 0; i < t->axes_count; i++) {
        free(t->axes[i].macro);
        free(t->axes[i].values);
    }
    free(t->axes);
    resources_free(&t->slurm);
}

void assignment_free(struct assignment *a)
{
    if (!a)
        return;
    free(a->name);
    free(a->title);
    free(a->reference);
    free(a->reference_text);
    free(a->directory);
    for (unsigned i = 0; i < a->flags_count; i++) {
        free(a->flags[i].name);
        free(a->flags[i].text);
    }
    free(a->flags);
    free(a->template);
    matrix_files_free(a->matrices);
    kernel_file_free(a->kernel_file);
    free(a->kernel_text);
    free(a->baseline);
    free(a->yardstick);
    free(a->correctness.stress_threads);
    free(a->performance.sizes);
    resources_free(&a->slurm);
    calls_free(&a->calls);
    for (unsigned i = 0; i < a->tiers_count; i++)
        tier_free(&a->tiers[i]);
    free(a->tiers);
    for (unsigned i = 0; i < a->sweeps_count; i++)
        tier_free(&a->sweeps[i]);
    free(a->sweeps);
    for (unsigned i = 0; i < a->profiles_count; i++) {
        free(a->profiles[i].name);
        free(a->profiles[i].sizes);
        free(a->profiles[i].values);
    }
    free(a->profiles);
    free(a->versus);
    free(a->bandwidth.gbs);
    free(a->device_bandwidth.gbs);
    free(a);
}
