#include "model/assignment_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "model/calls.h"
#include "model/field.h"

enum { NAME_MOST = 64, GPUS_MOST = 64 };

struct yaml_at list_item(const struct yaml_at *at, unsigned i)
{
    return at->node->type == YAML_SEQUENCE_NODE ? yaml_item(at, i) : *at;
}

char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    OWNED char *joined = path[0] == '/' || !slash
                             ? xstrdup(path)
                             : xasprintf("%.*s/%s", (int)(slash - file), file, path);
    return fs_absolute(joined);
}

struct shape fixed_cube(const struct assignment *a, const struct kernel *k, int size)
{
    struct shape s = kernel_cube(k, size);
    struct err ignored = ERR_INIT;
    for (int d = 0; d < k->dims; d++)
        if (a->fixed[d])
            s.dim[d] = a->fixed[d];
    kernel_complete(k, &s, &ignored);
    return s;
}

static void check_fixed(const struct yaml_at *at, const struct assignment *a, struct shape s)
{
    for (int d = 0; d < a->kernel->dims; d++)
        if (a->fixed[d] && s.dim[d] != a->fixed[d])
            yaml_error(at, "%s is %d here, but fixed to %d for the whole assignment",
                       a->kernel->dim_name[d], s.dim[d], a->fixed[d]);
}

void read_sizes(const struct yaml_at *at, const struct assignment *a, const struct kernel *k,
                struct shape **sizes, unsigned *count)
{
    char **texts = yaml_strings(at, count);
    *sizes = xcalloc(*count, sizeof **sizes);
    for (unsigned i = 0; i < *count && !at->file->failed; i++) {
        struct err e = ERR_INIT;
        struct yaml_at item = list_item(at, i);
        if (kernel_shape_fixed(k, a->fixed, texts[i], a->matrices, &(*sizes)[i], &e) != 0)
            yaml_error(&item, "%s", e.text);
        for (int d = 0; d < k->dims; d++)
            if ((*sizes)[i].dim[d] == 0)
                yaml_error(&item, "%s = 0: empty problems are checked (`edges`), and not timed",
                           k->dim_name[d]);
        check_fixed(&item, a, (*sizes)[i]);
        for (unsigned j = 0; j < i && !at->file->failed; j++)
            if (shape_equal((*sizes)[i], (*sizes)[j]))
                yaml_error(&item, "the size %s is given twice", texts[i]);
    }
    texts_free(texts, *count);
    if (yaml_present(at) && !*count)
        yaml_error(at, "the list is empty");
}

void check_own_sizes(const struct yaml_at *at, const struct tier *t)
{
    for (unsigned i = 0; i < t->sizes_count && !at->file->failed; i++) {
        struct yaml_at item = list_item(at, i);
        char rule[SHAPE_TEXT], size[SHAPE_TEXT];
        shape_rule_text(t->shapes, rule);
        shape_format(t->sizes[i], size);
        if (!shape_allowed(t->shapes, t->sizes[i]))
            yaml_error(&item, "the tier takes %s, and %s is none", rule, size);
    }
}

void read_counts(const struct yaml_at *at, int **list, unsigned *count)
{
    *list = yaml_integers(at, 1, MOST_WORKERS, count);
    for (unsigned i = 0; i < *count && !at->file->failed; i++)
        for (unsigned j = 0; j < i; j++)
            if ((*list)[i] == (*list)[j]) {
                struct yaml_at item = list_item(at, i);
                yaml_error(&item, "%d is given twice", (*list)[i]);
            }
    if (yaml_present(at) && !*count)
        yaml_error(at, "the list is empty");
}

char *read_name(const struct yaml_at *at, const char *whose)
{
    char *s = yaml_string(at, "");
    if (!*s || s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-")] != '\0')
        yaml_error(at, "'%.60s': %s name is made of a-z, 0-9, '_' and '-'", s, whose);
    if (s[0] == '-' || strlen(s) > NAME_MOST)
        yaml_error(at, "'%.60s': %s name has at most %d characters and does not start with '-'", s,
                   whose, NAME_MOST);
    return s;
}

/* One, if there are none. */
static void add_one(int **list, unsigned *count)
{
    if (*count)
        return;
    free(*list);
    *list = xcalloc(1, sizeof **list);
    (*list)[0] = 1;
    *count = 1;
}

/* A list of counts of workers, or one worker. */
static void read_workers(const struct yaml_at *map, const char *key, int **list, unsigned *count)
{
    struct yaml_at f = yaml_get(map, key);
    read_counts(&f, list, count);
    add_one(list, count);
}

/* One node is a launch with so many ranks. */
static void also_ranks(struct tier *t)
{
    for (unsigned i = 0; i < t->ranks_count; i++)
        if (t->ranks[i] == t->ranks_per_node)
            return;
    t->ranks = xrealloc_array(t->ranks, (size_t)t->ranks_count + 1, sizeof *t->ranks);
    t->ranks[t->ranks_count++] = t->ranks_per_node;
}

void read_nodes(const struct yaml_at *map, struct tier *t)
{
    struct yaml_at nodes = yaml_get(map, "nodes"), per_node = yaml_get(map, "ranks_per_node");
    unsigned count;
    read_counts(&nodes, &t->nodes, &count);
    t->ranks_per_node = (int)yaml_integer(&per_node, 1, MOST_WORKERS, 0);
    if (yaml_present(&nodes) && !launch_kind_has(t->kind, KIND_RANKS))
        only_kinds(&nodes, launch_kinds_with(KIND_RANKS), "run on several nodes");
    if (yaml_present(&nodes) != yaml_present(&per_node))
        yaml_error(map, "nodes and ranks_per_node need each other");
    for (unsigned i = 0; i < count && !map->file->failed; i++) {
        struct yaml_at item = list_item(&nodes, i);
        if (t->nodes[i] == 1)
            also_ranks(t);
        else if (t->nodes[i] * t->ranks_per_node > MOST_WORKERS)
            yaml_error(&item, "%d nodes with %d ranks each are more than %d ranks", t->nodes[i],
                       t->ranks_per_node, MOST_WORKERS);
        else
            t->nodes[t->nodes_count++] = t->nodes[i];
    }
}

void read_launches(const struct yaml_at *map, struct tier *t)
{
    read_workers(map, "ranks", &t->ranks, &t->ranks_count);
    struct yaml_at f = yaml_get(map, "ranks");
    if (!launch_kind_has(t->kind, KIND_RANKS) && (t->ranks_count > 1 || t->ranks[0] != 1))
        only_kinds(&f, launch_kinds_with(KIND_RANKS), "have ranks");
    read_workers(map, "threads", &t->threads, &t->threads_count);
    f = yaml_get(map, "gpus");
    read_counts(&f, &t->gpus, &t->gpus_count);
    if (yaml_present(&f) && !launch_kind_has(t->kind, KIND_GPUS))
        only_kinds(&f, launch_kinds_with(KIND_GPUS), "have several GPUs in a process");
    if (launch_kind_has(t->kind, KIND_RANKS) && launch_kind_has(t->kind, KIND_DEVICE))
        add_one(&t->gpus, &t->gpus_count);
    for (unsigned i = 0; i < t->gpus_count && !map->file->failed; i++)
        if (t->gpus[i] > GPUS_MOST)
            yaml_error(&f, "a node has at most %d GPUs", GPUS_MOST);
}

/* Slurm gives a tier as many GPUs as its largest launch has. */
void read_gres(const struct yaml_at *at, struct tier *t)
{
    const int most = tier_gpus_most(t);
    struct yaml_at f = yaml_get(at, "gres");
    if (most > 1 && !t->slurm.gres)
        t->slurm.gres = xasprintf("gpu:%d", most);
    const char *count = strrchr(t->slurm.gres ? t->slurm.gres : "", ':');
    long long asked;
    if (most > 1 && count && parse_int(count + 1, 0, INT32_MAX, &asked, NULL) == 0 && asked < most)
        yaml_error(&f, "asks for %lld %s, and a launch of the tier has %d", asked,
                   plural((unsigned)asked, "GPU", "GPUs"), most);
}

/* Further options of sbatch must not change what Paragrade sets itself. An option that has a field
 * of its own must use the field, because options of the command line replace fields. */
static void check_extra(const struct yaml_at *at, const char *option)
{
    static const struct {
        const char *option, *letter, *field; /* field NULL: Paragrade sets it */
    } taken[] = {
        {"--array", "-a", NULL},
        {"--chdir", "-D", NULL},
        {"--dependency", "-d", NULL},
        {"--error", "-e", NULL},
        {"--exclude", "-x", NULL},
        {"--job-name", "-J", NULL},
        {"--no-requeue", NULL, NULL},
        {"--open-mode", NULL, NULL},
        {"--output", "-o", NULL},
        {"--parsable", NULL, NULL},
        {"--requeue", NULL, NULL},
        {"--test-only", NULL, NULL},
        {"--wait", "-W", NULL},
        {"--wrap", NULL, NULL},
        {"--cpus-per-task", "-c", "cpus"},
        {"--exclusive", NULL, "exclusive"},
        {"--mem", NULL, "memory"},
        {"--nodes", "-N", "nodes"},
        {"--ntasks", "-n", "tasks"},
        {"--time", "-t", "time"},
#define SLURM_WORD(name, word, letter) {"--" #word, letter, #word},
#define ASSIGNMENT_WORD(word, letter) SLURM_WORD(, word, letter)
#include "model/slurm_words.def"
    };
    if (option[0] != '-')
        yaml_error(at, "'%.60s' is not an option of sbatch (it must start with '-')", option);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        size_t n = strcspn(option, "= ");
        /* sbatch takes abbreviations as well. */
        bool word = n > 2 && strncmp(option, taken[i].option, n) == 0;
        bool letter = taken[i].letter && strncmp(option, taken[i].letter, 2) == 0;
        if ((word || letter) && taken[i].field)
            yaml_error(at, "'%.60s': there is a field for this: %s", option, taken[i].field);
        else if (word || letter)
            yaml_error(at, "'%.60s': this option is set by Paragrade itself", option);
    }
}

void read_resources(const struct yaml_at *at, const struct limits *l, struct resources *r)
{
    fields_read(at, &assignment_fields[OF_SLURM], r);
    struct yaml_at f = yaml_get(at, "nodes");
    if (r->nodes > 1)
        yaml_error(&f, "a job has as many nodes as the launches of its tier: give nodes and "
                       "ranks_per_node to the tier");
    f = yaml_get(at, "memory");
    /* The proctor must see too much memory before Slurm does: what Slurm ends is not the student's
     * fault. */
    if (r->memory_bytes && r->memory_bytes <= l->memory_bytes)
        yaml_error(&f,
                   "must be more than limits.memory (%llu MiB): the matrices and the grader "
                   "need room as well",
                   (unsigned long long)l->memory_bytes >> 20);
    f = yaml_get(at, "time");
    if (r->time_ms && r->time_ms <= l->unit_ms + l->build_ms)
        yaml_error(&f,
                   "must be more than limits.unit and limits.build together (%lld s): a unit is "
                   "ended by the grader, not by Slurm",
                   (long long)(l->unit_ms + l->build_ms) / 1000);
    f = yaml_get(at, "extra");
    r->extra = yaml_strings(&f, &r->extra_count);
    for (unsigned i = 0; i < r->extra_count && !at->file->failed; i++)
        check_extra(&f, r->extra[i]);
}

/* Patterns of function names. An empty list matches nothing. */
static void read_patterns(const struct yaml_at *at, const struct patterns *otherwise,
                          struct patterns *to)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_.*?[]!-";
    static char *const standard[] = {(char *)CALLS_STANDARD};
    if (!yaml_present(at)) {
        *to = otherwise ? *otherwise : (struct patterns){(char **)standard, 1};
        to->item = texts_copy(to->item, to->count);
        return;
    }
    to->item = yaml_strings(at, &to->count);
    for (unsigned i = 0; i < to->count && !at->file->failed; i++) {
        const char *s = to->item[i];
        struct yaml_at item = list_item(at, i);
        if (!*s || s[strspn(s, plain)] != '\0')
            yaml_error(&item,
                       "'%.60s' is not a pattern of function names, such as dlopen or cblas_*", s);
    }
}

void read_calls(const struct yaml_at *at, const struct calls *otherwise, struct calls *calls)
{
    struct yaml_at f = yaml_get(at, "allow");
    read_patterns(&f, otherwise ? &otherwise->allow : NULL, &calls->allow);
    f = yaml_get(at, "forbid");
    read_patterns(&f, otherwise ? &otherwise->forbid : NULL, &calls->forbid);
    for (unsigned i = 0; yaml_present(&f) && i < calls->forbid.count && !at->file->failed; i++) {
        const char *s = calls->forbid.item[i];
        struct yaml_at item = list_item(&f, i);
        if (*s && s[strspn(s, "*?")] == '\0')
            yaml_error(&item, "'%.60s' would forbid every function", s);
    }
}

void no_such_tier(const struct yaml_at *at, const struct assignment *a, const char *name)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    for (unsigned i = 0; i < a->tiers_count; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", a->tiers[i].name);
    yaml_error(at, "there is no tier named '%.60s'; there are: %s", name, known.s);
}

void only_kinds(const struct yaml_at *at, unsigned kinds, const char *what)
{
    OWNED char *names = launch_kinds_text(kinds, " and ");
    yaml_error(at, "only tiers of kind %s %s", names, what);
}
