/*
 * What must hold between several fields of an assignment file. Each check names the line of the
 * field that is best changed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "model/assignment_fields.h"
#include "model/assignment_read.h"
#include "model/matrix_pool.h"
#include "model/spread.h"
#include "model/weak.h"

/* The largest random case with the i-th structure. */
static struct shape largest_random(const struct assignment *a, const struct kernel *k, unsigned i)
{
    struct shape s = fixed_cube(a, k, a->correctness.max_dim);
    struct err ignored = ERR_INIT;
    if (k->structures_count) {
        s.structure = k->structures[i];
        kernel_complete(k, &s, &ignored);
    }
    return s;
}

/* Bytes that the proctor holds for kernels of a size: the operands, two outputs and the right
 * answer. For a device, operands are masked as well. */
static uint64_t bytes_of_size(const struct kernel *k, struct shape s, bool device)
{
    const uint64_t out = kernel_output_bytes(k, s);
    uint64_t largest = out;
    for (int j = 0; j < k->inputs; j++)
        largest = larger(largest, operand_bytes(&k->in[j], s));
    const struct matrix_pool pool = matrix_pool_for(largest, device);
    uint64_t bytes = 2 * larger(pool.output, out) + out;
    for (int j = 0; j < k->inputs; j++)
        bytes += (device ? 2 : 1) * larger(pool.input, operand_bytes(&k->in[j], s));
    return bytes;
}

/* For the largest case. If the tier has its own yardstick, the assignment's is there as well. */
static uint64_t matrices_bytes(const struct assignment *a, const struct tier *t, char *largest)
{
    const struct kernel *kernel = t->kernel;
    const bool device = launch_kind_has(t->kind, KIND_DEVICE);
    const unsigned sizes = tier_size_count(a, t);
    const unsigned random = kernel->structures_count ? (unsigned)kernel->structures_count : 1;
    uint64_t most = 0;
    const unsigned grown = t->weak_count * tier_launch_count(t);
    for (unsigned i = 0; i < sizes + random + grown; i++) {
        const unsigned k = i - sizes - random;
        struct shape s = i < sizes            ? tier_size(a, t, i)
                         : i < sizes + random ? largest_random(a, kernel, i - sizes)
                                              : weak_size(a, t, k % t->weak_count,
                                                          tier_launch(t, k / t->weak_count));
        if (kernel_takes(kernel, s, NULL) != 0)
            continue;
        const uint64_t bytes =
            bytes_of_size(kernel, s, device) + (t->yardstick ? bytes_of_size(kernel, s, false) : 0);
        if (bytes <= most)
            continue;
        most = bytes;
        shape_format(s, largest);
    }
    return most;
}

/* sbatch takes only one of them. */
static void check_memory_once(const struct yaml_at *root, const struct resources *r)
{
    const struct yaml_at slurm = yaml_get(root, "slurm");
    for (unsigned i = 0; i < r->extra_count && r->memory_bytes; i++)
        if (strncmp(r->extra[i], "--mem-per-", strlen("--mem-per-")) == 0)
            yaml_error(
                &slurm,
                "'%.60s' in `extra` and `memory` exclude each other: with `memory: per-core` "
                "in the configuration of the site, `memory` becomes --mem-per-cpu",
                r->extra[i]);
}

/* A job needs memory for the matrices beside the memory of the student. With less, Slurm would end
 * the job, and nobody could say whose fault that is. */
void check_memory(const struct yaml_at *root, const struct yaml_at *tier,
                  const struct assignment *a, const struct tier *t)
{
    char largest[SHAPE_TEXT] = "";
    const struct resources all = tier_resources(a, t);
    const uint64_t asked = all.memory_bytes;
    check_memory_once(root, &all);
    uint64_t needed = matrices_bytes(a, t, largest) + a->limits.memory_bytes;
    if (!asked || asked > needed)
        return;
    struct yaml_at slurm = yaml_get(t->slurm.memory_bytes ? tier : root, "slurm");
    struct yaml_at f = yaml_get(&slurm, "memory");
    yaml_error(&f,
               "%llu MiB is too little for the tier '%s': limits.memory and the matrices of size "
               "%s take %llu MiB together, and the grader needs room as well",
               (unsigned long long)asked >> 20, t->name, largest, (unsigned long long)needed >> 20);
}

/* The tier must be of one of these kinds. */
void check_kind(const struct yaml_at *at, const struct tier *t, unsigned kinds)
{
    if (kinds & 1U << t->kind)
        return;
    OWNED char *names = launch_kinds_text(kinds, " or ");
    yaml_error(at, "'%s' is not a tier of kind %s", t->name, names);
}

/* A tier can have its own yardstick: tiers on a GPU are timed beside one on the GPU. The yardstick
 * computes the right answers from the same operands, so it must have the same kernel. */
static void check_tier_yardstick(const struct yaml_at *tiers, unsigned i,
                                 const struct assignment *a)
{
    struct yaml_at item = yaml_item(tiers, i), f = yaml_get(&item, "yardstick");
    const struct tier *t = &a->tiers[i];
    const int y = assignment_tier(a, tier_yardstick(a, t));
    if (y < 0 && t->yardstick)
        no_such_tier(&f, a, t->yardstick);
    else if (t->yardstick)
        check_kind(&f, &a->tiers[y], launch_kinds_with(KIND_YARDSTICK));
    if (y >= 0 && a->tiers[y].kernel != t->kernel)
        yaml_error(t->yardstick ? &f : &item,
                   "the tier '%s' has the kernel %s, and its yardstick '%s' has %s: it needs a "
                   "yardstick with the same kernel",
                   t->name, t->kernel->name, a->tiers[y].name, a->tiers[y].kernel->name);
}

/* The baseline is timed beside the yardstick of the assignment, with the same operands. */
static void check_baseline_kernel(const struct yaml_at *root, const struct assignment *a)
{
    struct yaml_at f = yaml_get(root, "yardstick");
    const int b = assignment_tier(a, a->baseline), y = assignment_tier(a, a->yardstick);
    if (b >= 0 && y >= 0 && a->tiers[b].kernel != a->tiers[y].kernel)
        yaml_error(&f, "has the kernel %s, and the baseline has %s: they must have the same",
                   a->tiers[y].kernel->name, a->tiers[b].kernel->name);
}

/* Does the record of the assignment's yardstick have the baseline at this size? It has the sizes of
 * the tiers that are timed beside this yardstick. */
static bool has_baseline(const struct assignment *a, struct shape size)
{
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct tier *t = &a->tiers[i];
        if (strcmp(tier_yardstick(a, t), a->yardstick) != 0)
            continue;
        for (unsigned j = 0; j < tier_size_count(a, t); j++)
            if (shape_equal(tier_size(a, t, j), size))
                return true;
    }
    return false;
}

/* Rates, and what is plausible, are made of the count of a kernel file. At small sizes it may be
 * what it likes: (n - 2) * (m - 2). */
static void check_operations(const struct yaml_at *root, const struct assignment *a,
                             const struct tier *t)
{
    const struct yaml_at performance = yaml_get(root, "performance"),
                         sizes = yaml_get(&performance, "sizes");
    for (unsigned j = 0; j < tier_size_count(a, t) && t->kernel->operations; j++) {
        const struct shape size = tier_size(a, t, j);
        const double count = kernel_operations(t->kernel, size);
        char text[SHAPE_TEXT];
        if (!t->kernel->file || (isfinite(count) && count > 0))
            continue;
        kernel_size_text(t->kernel, size, text);
        yaml_error(&sizes,
                   "`operations` of %s is %g at %s; it must be a number above 0: correct the count "
                   "or the size",
                   t->kernel->file->name, count, text);
        return;
    }
}

/* Without a measured baseline there is no speed-up, and without a count of operations no rate:
 * nobody could earn points for it. */
static void check_baseline(const struct yaml_at *tiers, unsigned i, const struct assignment *a)
{
    const struct tier *t = &a->tiers[i];
    struct yaml_at item = yaml_item(tiers, i), points = yaml_get(&item, "points");
    struct yaml_at list = yaml_get(&points, "speed"), metric = yaml_get(&points, "metric");
    if (t->points.metric == METRIC_GOPS && t->points.speed_count && !t->kernel->operations)
        yaml_error(&metric,
                   "nobody counts operations of the kernel %s: give `operations` in its "
                   "file, or use metric: speedup or fraction",
                   t->kernel->name);
    if (t->points.metric != METRIC_SPEEDUP || yardstick_has_baseline(a, tier_yardstick(a, t)))
        return;
    for (unsigned r = 0; r < t->points.speed_count; r++) {
        const struct speed_rule *rule = &t->points.speed[r];
        struct yaml_at at = yaml_item(&list, r);
        for (unsigned j = 0; j < tier_size_count(a, t); j++) {
            struct shape size = tier_size(a, t, j);
            char text[SHAPE_TEXT];
            if ((!rule->every_size && !shape_equal(rule->shape, size)) || has_baseline(a, size))
                continue;
            shape_format(size, text);
            yaml_error(&at,
                       "there is no speed-up at %s: no tier beside the yardstick '%s' is timed "
                       "there, so the baseline is not; add the size to one of them, or use "
                       "metric: gops",
                       text, a->yardstick);
        }
    }
}

/* The proctor of another node gets no values. */
static void check_spread(const struct yaml_at *tiers, unsigned i, const struct assignment *a)
{
    const struct tier *t = &a->tiers[i];
    const struct yaml_at item = yaml_item(tiers, i), nodes = yaml_get(&item, "nodes");
    if (t->nodes_count && tier_is_spread(t))
        yaml_error(&nodes,
                   "%s gives operands to all ranks (on: all, on: block), which is possible "
                   "on one node only",
                   t->kernel->file->name);
}

void check_yardsticks(const struct yaml_at *root, const struct yaml_at *tiers,
                      const struct assignment *a)
{
    check_baseline_kernel(root, a);
    for (unsigned i = 0; i < a->tiers_count && !root->file->failed; i++)
        check_tier_yardstick(tiers, i, a);
    for (unsigned i = 0; i < a->tiers_count && !root->file->failed; i++)
        check_spread(tiers, i, a);
    for (unsigned i = 0; i < a->tiers_count && !root->file->failed; i++)
        check_baseline(tiers, i, a);
    for (unsigned i = 0; i < a->tiers_count && !root->file->failed; i++)
        check_operations(root, a, &a->tiers[i]);
}
