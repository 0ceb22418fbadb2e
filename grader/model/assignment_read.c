/*
 * From an assignment file to a checked struct assignment, in the order of the file. Every check is
 * where its field is read, so that the message can name the line.
 */
#include "model/assignment_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "model/assignment_defaults.h"
#include "model/assignment_fields.h"
#include "model/calls.h"
#include "model/protection.h"

static void read_correctness(const struct yaml_at *at, struct correctness *c)
{
    yaml_expect_keys(at, KEYS("random", "min", "max", "edges", "repeat", "stress_threads",
                              "stress_repeat", "stress_time", "smallest_time"));
    struct yaml_at f;
#define INTEGER(key, field, min, max, otherwise)                                                   \
    f = yaml_get(at, key);                                                                         \
    c->field = (int)yaml_integer(&f, min, max, otherwise)
    INTEGER("random", random, 0, MOST_CASES, DEFAULT_RANDOM_CASES);
    INTEGER("min", min_dim, 1, MOST_DIM, DEFAULT_MIN_DIM);
    INTEGER("max", max_dim, 1, MOST_DIM, DEFAULT_MAX_DIM);
    if (c->max_dim < c->min_dim)
        yaml_error(&f, "%d is less than min, %d", c->max_dim, c->min_dim);
    INTEGER("repeat", repeat, 1, 1000, DEFAULT_REPEAT);
    INTEGER("stress_repeat", stress_repeat, 1, 1000, DEFAULT_STRESS_REPEAT);
#undef INTEGER
    f = yaml_get(at, "stress_time");
    c->stress_time_ms = yaml_duration(&f, DEFAULT_STRESS_TIME_MS);
    f = yaml_get(at, "smallest_time");
    c->smallest_ms = yaml_duration(&f, DEFAULT_SMALLEST_MS);
    f = yaml_get(at, "edges");
    c->edges = yaml_bool(&f, true);
    f = yaml_get(at, "stress_threads");
    if (yaml_present(&f) && f.node->type == YAML_SEQUENCE_NODE && !yaml_count(&f))
        c->stress_threads_count = 0; /* an empty list turns them off */
    else
        read_counts(&f, &c->stress_threads, &c->stress_threads_count);
    if (!c->edges && !c->random)
        yaml_error(at, "neither random cases nor edges: nothing would be checked");
}

/* Older versions had these keys. Whoever still has them expects an effect. */
static void refuse_sample_counts(const struct yaml_at *at)
{
    static const char *const keys[] = {"min_samples", "max_samples", "trials",
                                       "budget_without_points"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct yaml_at f = yaml_get(at, keys[i]);
        if (yaml_present(&f))
            yaml_error(&f,
                       "measuring ends when the two fastest starts agree within the precision, or "
                       "when the budget is spent; remove this key");
    }
}

/* Dimensions that every shape has. The rows and columns of a sparse matrix follow from each other,
 * so they stay free. */
static void read_fixed(const struct yaml_at *at, struct assignment *a)
{
    const struct kernel *k = a->kernel;
    const int first = k->structures_count ? 2 : 0;
    const char *keys[SHAPE_DIMS + 1] = {NULL};
    int free = k->dims;
    for (int d = first; d < k->dims; d++)
        keys[d - first] = k->dim_name[d];
    yaml_expect_keys(at, keys);
    for (int d = first; d < k->dims; d++) {
        const struct yaml_at f = yaml_get(at, k->dim_name[d]);
        a->fixed[d] = (int)yaml_integer(&f, 1, MOST_DIM, 0);
        free -= a->fixed[d] > 0;
    }
    if (!free)
        yaml_error(at, "all dimensions are fixed: there would be only one case");
}

static void read_performance(const struct yaml_at *at, struct assignment *a)
{
    struct performance *p = &a->performance;
    static const int sizes[] = DEFAULT_SIZES;
    refuse_sample_counts(at);
    yaml_expect_keys(at,
                     KEYS("sizes", "precision", "budget", "min_sample", "quiet_node", "counters"));
    struct yaml_at f = yaml_get(at, "sizes");
    read_sizes(&f, a, a->kernel, &p->sizes, &p->sizes_count);
    if (!yaml_present(&f)) {
        free(p->sizes);
        p->sizes_count = sizeof sizes / sizeof sizes[0];
        p->sizes = xcalloc(p->sizes_count, sizeof *p->sizes);
        for (unsigned i = 0; i < p->sizes_count; i++)
            p->sizes[i] = fixed_cube(a, a->kernel, sizes[i]);
    }
    f = yaml_get(at, "precision");
    p->precision = yaml_number(&f, 0.0001, 1, DEFAULT_PRECISION);
    f = yaml_get(at, "budget");
    p->budget_ms = yaml_duration(&f, DEFAULT_BUDGET_MS);
    f = yaml_get(at, "min_sample");
    p->min_sample_ms = yaml_duration(&f, DEFAULT_MIN_SAMPLE_MS);
    f = yaml_get(at, "quiet_node");
    p->quiet_node = yaml_bool(&f, true);
    f = yaml_get(at, "counters");
    p->counters = yaml_bool(&f, false);
}

static void read_limits(const struct yaml_at *at, struct limits *l)
{
    yaml_expect_keys(
        at, KEYS("build", "case", "unit", "memory", "processes", "output", "source", "failures"));
    struct yaml_at f = yaml_get(at, "build");
    l->build_ms = yaml_duration(&f, DEFAULT_BUILD_MS);
    f = yaml_get(at, "case");
    l->case_ms = yaml_duration(&f, DEFAULT_CASE_MS);
    f = yaml_get(at, "unit");
    l->unit_ms = yaml_duration(&f, DEFAULT_UNIT_MS);
    if (l->unit_ms < l->case_ms)
        yaml_error(&f, "is shorter than limits.case");
    f = yaml_get(at, "memory");
    l->memory_bytes = yaml_bytes(&f, DEFAULT_MEMORY);
    f = yaml_get(at, "processes");
    l->processes = (int)yaml_integer(&f, 1, 100000, DEFAULT_PROCESSES);
    f = yaml_get(at, "output");
    l->output_bytes = yaml_bytes(&f, DEFAULT_OUTPUT);
    f = yaml_get(at, "source");
    l->source_bytes = yaml_bytes(&f, DEFAULT_SOURCE);
    f = yaml_get(at, "failures");
    l->failures = (int)yaml_integer(&f, 1, 1000000, DEFAULT_FAILURES);
}

static void read_submit(const struct yaml_at *at, struct submit_policy *s)
{
    yaml_expect_keys(at, KEYS("max_concurrent", "max_array_size", "poll", "retries"));
    struct yaml_at f = yaml_get(at, "max_concurrent");
    s->max_concurrent = (int)yaml_integer(&f, 1, 1000000, DEFAULT_MAX_CONCURRENT);
    f = yaml_get(at, "max_array_size");
    s->max_array_size = (int)yaml_integer(&f, 1, 10000000, 0);
    f = yaml_get(at, "poll");
    s->poll_ms = yaml_duration(&f, DEFAULT_POLL_MS);
    f = yaml_get(at, "retries");
    s->retries = (int)yaml_integer(&f, 0, 100, DEFAULT_RETRIES);
}

/* A set of protections that must be in force. An empty list requires nothing. */
static unsigned read_protections(const struct yaml_at *at)
{
    unsigned n, set = 0;
    char **texts = yaml_strings(at, &n);
    texts_free(texts, n);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = list_item(at, i);
        unsigned bit = PROTECTION_BIT(yaml_choice(&item, protection_names(), 0));
        if (set & bit && !at->file->failed)
            yaml_error(&item, "'%s' is given twice", yaml_text(&item));
        set |= bit;
    }
    return set;
}

/* A profile may only lower limits: Slurm's time was chosen for those of the assignment. */
static void read_profile_limits(const struct yaml_at *at, const struct limits *l, struct profile *p)
{
    yaml_expect_keys(at, KEYS("case", "unit", "failures"));
    struct yaml_at f = yaml_get(at, "case");
    p->case_ms = yaml_duration(&f, 0);
    if (p->case_ms > l->case_ms)
        yaml_error(&f, "is more than limits.case of the assignment");
    f = yaml_get(at, "unit");
    p->unit_ms = yaml_duration(&f, 0);
    if (p->unit_ms > l->unit_ms)
        yaml_error(&f, "is more than limits.unit of the assignment");
    if (p->unit_ms && p->unit_ms < (p->case_ms ? p->case_ms : l->case_ms))
        yaml_error(&f, "is shorter than limits.case");
    f = yaml_get(at, "failures");
    p->failures = (int)yaml_integer(&f, 1, l->failures, 0);
}

static void read_profiles(const struct yaml_at *at, struct assignment *a)
{
    a->profiles_count = yaml_count(at);
    a->profiles = xcalloc(a->profiles_count, sizeof *a->profiles);
    for (unsigned i = 0; i < a->profiles_count && !at->file->failed; i++) {
        struct profile *p = &a->profiles[i];
        struct yaml_at item = yaml_item(at, i);
        refuse_sample_counts(&item);
        yaml_expect_keys(&item, KEYS("name", "random", "max", "sizes", "budget", "precision",
                                     "stress_repeat", "stress_time", "limits", "sanitized"));
        struct yaml_at f = yaml_need(&item, "name");
        p->name = read_name(&f, "a profile's");
        for (unsigned j = 0; j < i; j++)
            if (strcmp(a->profiles[j].name, p->name) == 0)
                yaml_error(&f, "there are two profiles named '%s'", p->name);
        f = yaml_get(&item, "random");
        p->random = (int)yaml_integer(&f, 1, MOST_CASES, 0);
        f = yaml_get(&item, "max");
        p->max_dim = (int)yaml_integer(&f, a->correctness.min_dim, MOST_DIM, 0);
        f = yaml_get(&item, "sizes");
        read_sizes(&f, a, a->kernel, &p->sizes, &p->sizes_count);
        f = yaml_get(&item, "budget");
        p->budget_ms = yaml_duration(&f, 0);
        f = yaml_get(&item, "precision");
        p->precision = yaml_number(&f, 0.0001, 1, 0);
        f = yaml_get(&item, "stress_repeat");
        p->stress_repeat = (int)yaml_integer(&f, 1, 1000, 0);
        f = yaml_get(&item, "stress_time");
        p->stress_time_ms = yaml_duration(&f, 0);
        f = yaml_get(&item, "limits");
        read_profile_limits(&f, &a->limits, p);
        p->sanitized = read_sanitized(&item, -1);
    }
}

/* The baseline and the yardstick of the assignment are tiers of one worker on the host. */
static char *read_tier_name(const struct yaml_at *root, const struct assignment *a, const char *key)
{
    struct yaml_at f = yaml_need(root, key);
    char *name = yaml_string(&f, "");
    int i = assignment_tier(a, name);
    if (i < 0)
        no_such_tier(&f, a, name);
    else
        check_kind(&f, &a->tiers[i],
                   launch_kinds_with(KIND_YARDSTICK) & ~launch_kinds_with(KIND_DEVICE));
    return name;
}

static const char *const benefits[] = {"none", "interval", NULL}; /* enum benefit */

/* Never NULL, so that reading can go on after an error. */
static const struct kernel *read_kernel(const struct yaml_at *root)
{
    struct yaml_at f = yaml_need(root, "kernel");
    const char *name = kernel_names()[yaml_choice(&f, kernel_names(), 0)];
    f = yaml_need(root, "type");
    const enum element_type type = (enum element_type)yaml_choice(&f, type_names(), TYPE_I32);
    const struct kernel *k = kernel_find(name, type);
    if (!k) {
        char *types = kernel_types(name);
        yaml_error(&f, "the kernel %s has no type %s; it has: %s", name, type_name(type), types);
        free(types);
    }
    return k ? k : kernel_find(kernel_names()[0], TYPE_I32);
}

static void read_all(struct yaml_file *file, struct assignment *a)
{
    struct yaml_at root = yaml_root(file), f;
    yaml_expect_keys(&root,
                     KEYS("name", "title", "kernel", "type", "seed", "reference", "baseline",
                          "yardstick", "template", "directory", "flags", "fixed", "correctness",
                          "performance", "limits", "submit", "slurm", "allow", "forbid", "pragmas",
                          "sanitized", "protections", "rounding", "benefit", "deadline", "tiers",
                          "sweeps", "versus", "roofline", "profiles"));
    f = yaml_need(&root, "name");
    a->name = read_name(&f, "an assignment's");
    f = yaml_get(&root, "title");
    a->title = yaml_string(&f, a->name);
    a->kernel = read_kernel(&root);
    f = yaml_get(&root, "fixed");
    read_fixed(&f, a);
    f = yaml_get(&root, "directory");
    a->directory = read_directory(&f);
    f = yaml_get(&root, "flags");
    read_flags(&f, a);
    f = yaml_get(&root, "seed");
    a->seed = yaml_u64(&f, DEFAULT_SEED);
    f = yaml_need(&root, "reference");
    a->reference_text = yaml_string(&f, "");
    a->reference = path_beside(file->path, a->reference_text);
    f = yaml_get(&root, "template");
    char *template = yaml_string(&f, "");
    if (*template)
        a->template = path_beside(file->path, template);
    free(template);
    f = yaml_get(&root, "correctness");
    read_correctness(&f, &a->correctness);
    f = yaml_get(&root, "performance");
    read_performance(&f, a);
    f = yaml_get(&root, "limits");
    read_limits(&f, &a->limits);
    f = yaml_get(&root, "submit");
    read_submit(&f, &a->submit);
    f = yaml_get(&root, "slurm");
    read_resources(&f, &a->limits, &a->slurm);
    read_calls(&root, NULL, &a->calls);
    a->pragmas = read_pragmas(&root, DEFAULT_PRAGMAS);
    a->sanitized = (enum sanitized_rule)read_sanitized(&root, SANITIZED_REMARK);
    f = yaml_get(&root, "protections");
    a->protections = read_protections(&f);
    f = yaml_get(&root, "rounding");
    a->rounding = yaml_number(&f, 0, 100, 0);
    f = yaml_get(&root, "benefit");
    a->benefit = (enum benefit)yaml_choice(&f, benefits, BENEFIT_NONE);
    f = yaml_get(&root, "deadline");
    read_deadline(&f, &a->deadline);
    struct yaml_at tiers = yaml_need(&root, "tiers");
    unsigned n = yaml_count(&tiers);
    a->tiers = xcalloc(n, sizeof *a->tiers);
    if (yaml_present(&tiers) && !n)
        yaml_error(&tiers, "the list is empty");
    for (unsigned i = 0; i < n && !file->failed; i++) {
        struct yaml_at item = yaml_item(&tiers, i);
        a->tiers_count = i + 1;
        read_tier(&item, a, &a->tiers[i]);
        if (!file->failed)
            check_memory(&root, &item, a, &a->tiers[i]);
    }
    a->baseline = read_tier_name(&root, a, "baseline");
    a->yardstick = read_tier_name(&root, a, "yardstick");
    if (!file->failed)
        check_yardsticks(&root, &tiers, a);
    f = yaml_get(&root, "sweeps");
    read_sweeps(&f, a);
    f = yaml_get(&root, "versus");
    read_versus(&f, a);
    f = yaml_get(&root, "roofline");
    read_roofline(&f, a);
    f = yaml_get(&root, "profiles");
    read_profiles(&f, a);
}

int assignment_load_copy(const char *path, const char *matrices_dir, struct assignment **out,
                         struct err *e)
{
    struct yaml_file file;
    *out = NULL;
    if (yaml_open(&file, path, e) != 0)
        return -1;
    struct assignment *a = xcalloc(1, sizeof *a);
    a->matrices = matrix_files_new(matrices_dir);
    read_all(&file, a);
    yaml_close(&file);
    if (file.failed) {
        assignment_free(a);
        return -1;
    }
    *out = a;
    return 0;
}

int assignment_load(const char *path, struct assignment **out, struct err *e)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? xasprintf("%.*s", (int)(slash - path), path) : xstrdup(".");
    int rc = assignment_load_copy(path, dir, out, e);
    free(dir);
    return rc;
}
