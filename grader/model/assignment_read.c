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
#include "model/assignment_fields.h"
#include "model/calls.h"
#include "model/field.h"
#include "model/protection.h"

static void read_correctness(const struct yaml_at *at, struct correctness *c)
{
    fields_read(at, &assignment_fields[OF_CORRECTNESS], c);
    struct yaml_at f = yaml_get(at, "max");
    if (c->max_dim < c->min_dim)
        yaml_error(&f, "%d is less than min, %d", c->max_dim, c->min_dim);
    f = yaml_get(at, "stress_threads");
    if (yaml_present(&f) && f.node->type == YAML_SEQUENCE_NODE && !yaml_count(&f))
        c->stress_threads_count = 0; /* an empty list turns them off */
    else
        read_counts(&f, &c->stress_threads, &c->stress_threads_count);
    if (!c->edges && !c->random)
        yaml_error(at, "neither random cases nor edges: nothing would be checked");
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
    static const int sizes[] = {256, 512, 1023, 1024, 2048};
    fields_read(at, &assignment_fields[OF_PERFORMANCE], p);
    struct yaml_at f = yaml_get(at, "sizes");
    read_sizes(&f, a, a->kernel, &p->sizes, &p->sizes_count);
    if (!yaml_present(&f)) {
        free(p->sizes);
        p->sizes_count = sizeof sizes / sizeof sizes[0];
        p->sizes = xcalloc(p->sizes_count, sizeof *p->sizes);
        for (unsigned i = 0; i < p->sizes_count; i++)
            p->sizes[i] = fixed_cube(a, a->kernel, sizes[i]);
    }
}

static void read_limits(const struct yaml_at *at, struct limits *l)
{
    fields_read(at, &assignment_fields[OF_LIMITS], l);
    struct yaml_at f = yaml_get(at, "unit");
    if (l->unit_ms < l->case_ms)
        yaml_error(&f, "is shorter than limits.case");
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

/* A kernel in a file. In a copy of the assignment, it lies in a directory of its own. */
static void read_kernel_file(const struct yaml_at *root, const struct yaml_at *at,
                             const char *kernel_dir, struct assignment *a)
{
    const struct yaml_at type = yaml_get(root, "type");
    const char *text = yaml_text(at), *slash = strrchr(text, '/');
    OWNED char *path = kernel_dir ? xasprintf("%s/%s", kernel_dir, slash ? slash + 1 : text)
                                  : path_beside(root->file->path, text);
    struct err e = ERR_INIT;
    if (kernel_file_load(path, yaml_text(&type), &a->kernel_file, &e) != 0)
        yaml_error(at, "%s", e.text);
}

static const char *choose_kernel(const struct yaml_at *at)
{
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    const char *name = yaml_text(at), *const *known = kernel_names();
    for (int i = 0; name && known[i]; i++) {
        if (strcmp(known[i], name) == 0)
            return known[i];
        strbuf_addf(&all, "%s, ", known[i]);
    }
    if (name)
        yaml_error(at, "'%.60s' is not one of: %sor a file of your own: kernel/%.60s.yaml", name,
                   all.s, name);
    return known[0];
}

/* Never NULL, so that reading can go on after an error. */
static const struct kernel *read_kernel(const struct yaml_at *root, const char *kernel_dir,
                                        struct assignment *a)
{
    struct yaml_at f = yaml_need(root, "kernel");
    a->kernel_text = yaml_string(&f, "");
    const struct kernel *any = kernel_find(kernel_names()[0], TYPE_I32);
    if (yaml_text(&f) && kernel_file_is_meant(yaml_text(&f))) {
        read_kernel_file(root, &f, kernel_dir, a);
        return a->kernel_file ? &a->kernel_file->kernel : any;
    }
    const char *name = choose_kernel(&f);
    f = yaml_need(root, "type");
    const enum element_type type = (enum element_type)yaml_choice(&f, type_names(), TYPE_I32);
    const struct kernel *k = kernel_find(name, type);
    if (!k) {
        OWNED char *types = kernel_types(name);
        yaml_error(&f, "the kernel %s has no type %s; it has: %s", name, type_name(type), types);
    }
    return k ? k : any;
}

static void read_all(struct yaml_file *file, const char *kernel_dir, struct assignment *a)
{
    struct yaml_at root = yaml_root(file), f;
    fields_read(&root, &assignment_fields[OF_ROOT], a);
    f = yaml_need(&root, "name");
    a->name = read_name(&f, "an assignment's");
    f = yaml_get(&root, "title");
    a->title = yaml_string(&f, a->name);
    a->kernel = read_kernel(&root, kernel_dir, a);
    f = yaml_get(&root, "fixed");
    read_fixed(&f, a);
    f = yaml_get(&root, "directory");
    a->directory = read_directory(&f);
    f = yaml_get(&root, "flags");
    read_flags(&f, a);
    f = yaml_need(&root, "reference");
    a->reference_text = yaml_string(&f, "");
    a->reference = path_beside(file->path, a->reference_text);
    f = yaml_get(&root, "template");
    OWNED char *template = yaml_string(&f, "");
    if (*template)
        a->template = path_beside(file->path, template);
    f = yaml_get(&root, "correctness");
    read_correctness(&f, &a->correctness);
    f = yaml_get(&root, "performance");
    read_performance(&f, a);
    f = yaml_get(&root, "limits");
    read_limits(&f, &a->limits);
    f = yaml_get(&root, "submit");
    fields_read(&f, &assignment_fields[OF_SUBMIT], &a->submit);
    f = yaml_get(&root, "slurm");
    read_resources(&f, &a->limits, &a->slurm);
    read_calls(&root, NULL, &a->calls);
    f = yaml_get(&root, "protections");
    a->protections = read_protections(&f);
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

int assignment_load_copy(const char *path, const char *matrices_dir, const char *kernel_dir,
                         struct assignment **out, struct err *e)
{
    struct yaml_file file;
    *out = NULL;
    if (yaml_open(&file, path, e) != 0)
        return -1;
    struct assignment *a = xcalloc(1, sizeof *a);
    a->matrices = matrix_files_new(matrices_dir);
    read_all(&file, kernel_dir, a);
    yaml_close(&file);
    if (file.failed) {
        assignment_free(a);
        return -1;
    }
    *out = a;
    return 0;
}

/* Somebody named the directory. */
static int is_directory(const char *path, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    OWNED char *yaml = NULL;
    size_t count, found = 0;
    size_t end = strlen(path); /* without slashes there, but for that of / */
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (fs_list(path, &names, &count, NULL) != 0)
        return err_input(e, "%s: is a directory, not an assignment file", path);
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(names[i], '.');
        if (*names[i] == '.' || !dot || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0))
            continue;
        found++;
        yaml = yaml ? yaml : xstrdup(names[i]);
    }
    if (found)
        err_input(e, "%s: is a directory; did you mean %.*s/%s%s?", path, (int)end, path, yaml,
                  found > 1 ? " or another one of its files" : "");
    else
        err_input(e, "%s: is a directory, and holds no assignment file", path);
    return -1;
}

int assignment_load(const char *path, struct assignment **out, struct err *e)
{
    if (fs_is_dir(path))
        return is_directory(path, e);
    const char *slash = strrchr(path, '/');
    OWNED char *dir = slash ? xasprintf("%.*s", (int)(slash - path), path) : xstrdup(".");
    return assignment_load_copy(path, dir, NULL, out, e);
}
