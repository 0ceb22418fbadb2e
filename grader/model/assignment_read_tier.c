/*
 * One tier of an assignment file: sources, commands, launches, requirements, points.
 */
#include "model/assignment_read.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment_fields.h"
#include "model/calls.h"
#include "model/field.h"
#include "model/source_name.h"
#include "model/weak.h"

enum { MULTIPLE_MOST = 256 };

static void read_launch(const struct yaml_at *tier, struct tier *t)
{
    struct yaml_at f = yaml_get(tier, "kind");
    t->kind = (enum launch_kind)yaml_choice(&f, launch_kind_names(), 0);
    const bool ranks = launch_kind_has(t->kind, KIND_RANKS);
    read_launches(tier, t);
    read_nodes(tier, t);
    f = yaml_get(tier, "launcher");
    t->launcher = yaml_words(&f, NULL);
    check_launcher(&f, t->launcher);
    if (ranks && !t->launcher)
        yaml_error(&f, "a tier of kind %s needs a launcher, e.g. mpirun -n {ranks}",
                   launch_kind_name(t->kind));
    if (!ranks && t->launcher)
        only_kinds(&f, launch_kinds_with(KIND_RANKS), "have a launcher");
}

/* Architectures as nvcc writes them after compute_ and sm_: 80, 90a, 120f. */
static void read_architectures(const struct yaml_at *at, struct tier *t)
{
    t->architectures = yaml_strings(at, &t->architectures_count);
    for (unsigned i = 0; i < t->architectures_count && !at->file->failed; i++) {
        const char *s = t->architectures[i];
        size_t digits = strspn(s, "0123456789");
        const char *rest = s + digits;
        if (digits < 2 || digits > 3 || !(!*rest || (strchr("af", rest[0]) && !rest[1])))
            yaml_error(at, "'%.20s' is not an architecture, like 80 or 90a", s);
    }
    if (t->architectures_count && !(t->compile && strstr(t->compile, "{gencode}")))
        yaml_error(at, "the compile command does not use {gencode}");
}

static void read_device(const struct yaml_at *tier, struct tier *t)
{
    struct yaml_at f = yaml_get(tier, "memory");
    if (yaml_present(&f) && !launch_kind_has(t->kind, KIND_DEVICE_POINTERS))
        only_kinds(&f, launch_kinds_with(KIND_DEVICE_POINTERS), "say where their matrices lie");
    f = yaml_get(tier, "architectures");
    read_architectures(&f, t);
    if (yaml_present(&f) && !launch_kind_has(t->kind, KIND_ARCHITECTURES))
        only_kinds(&f, launch_kinds_with(KIND_ARCHITECTURES), "have architectures");
}

static void read_requires(const struct yaml_at *at, struct tier *t)
{
    static const char *const purposes[] = {"build", "run", NULL};
    t->requires_count = yaml_count(at);
    t->requires = xcalloc(t->requires_count, sizeof *t->requires);
    for (unsigned i = 0; i < t->requires_count && !at->file->failed; i++) {
        struct yaml_at item = yaml_item(at, i), f;
        yaml_expect_keys(&item, KEYS("command", "file", "hint", "for"));
        f = yaml_get(&item, "command");
        t->requires[i].command = yaml_string(&f, NULL);
        f = yaml_get(&item, "file");
        t->requires[i].file = yaml_string(&f, NULL);
        f = yaml_get(&item, "hint");
        t->requires[i].hint = yaml_string(&f, NULL);
        f = yaml_get(&item, "for");
        t->requires[i].to_run = yaml_choice(&f, purposes, 0) == 1;
        if (!t->requires[i].command && !t->requires[i].file)
            yaml_error(&item, "needs a command or a file");
    }
}

/* Why a tier cannot give this evidence. */
static void cannot_attest(const struct yaml_at *at, enum attest_kind what)
{
    const unsigned kinds = launch_kinds_that_attest(what);
    if (what == ATTEST_THREADS) {
        OWNED char *names = launch_kinds_text(kinds, " or ");
        yaml_error(at, "needs a tier of kind %s with a launch of several threads", names);
    } else {
        only_kinds(at, kinds,
                   what == ATTEST_SIMD    ? "run on a processor's vectors"
                   : what == ATTEST_RANKS ? "have ranks"
                                          : "launch kernels");
    }
}

/* A tier must be able to give the evidence: otherwise every unit would be flagged, or none. */
static void read_attest(const struct yaml_at *at, struct tier *t)
{
    static const char *const evidence[] = {"simd", "threads", "ranks", "kernels", NULL};
    bool threaded = false;
    for (unsigned i = 0; i < t->threads_count; i++)
        threaded = threaded || t->threads[i] > 1;
    unsigned n;
    char **texts = yaml_strings(at, &n);
    texts_free(texts, n);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = list_item(at, i);
        unsigned what = 1U << yaml_choice(&item, evidence, 0);
        if (at->file->failed)
            return;
        if (t->attest & what)
            yaml_error(&item, "'%s' is given twice", yaml_text(&item));
        else if (!(launch_kind_info(t->kind)->attest & what) ||
                 (what == ATTEST_THREADS && !threaded))
            cannot_attest(&item, (enum attest_kind)what);
        t->attest |= what;
    }
}

/* [[value, share], ...]: values rise, shares rise from 0 to at most 1. */
static void read_curve(const struct yaml_at *at, struct speed_rule *s)
{
    s->curve_count = yaml_count(at);
    s->curve = xcalloc(s->curve_count, sizeof *s->curve);
    if (!s->curve_count)
        yaml_error(at, "needs at least one [value, share] pair");
    for (unsigned i = 0; i < s->curve_count && !at->file->failed; i++) {
        struct yaml_at pair = yaml_item(at, i);
        if (yaml_count(&pair) != 2) {
            yaml_error(&pair, "expected a pair [value, share]");
            return;
        }
        struct yaml_at value = yaml_item(&pair, 0), share = yaml_item(&pair, 1);
        s->curve[i].value = yaml_number(&value, 0, 1e9, 0);
        s->curve[i].share = yaml_number(&share, 0, 1, 0);
        if (i && s->curve[i].value <= s->curve[i - 1].value)
            yaml_error(&value, "values must rise: %g comes after %g", s->curve[i].value,
                       s->curve[i - 1].value);
        if (i && s->curve[i].share < s->curve[i - 1].share)
            yaml_error(&share, "shares must not fall: %g comes after %g", s->curve[i].share,
                       s->curve[i - 1].share);
    }
}

/* A rule must be for a size that is measured: otherwise nobody could earn its points. */
static void check_rule_size(const struct yaml_at *at, const struct assignment *a,
                            const struct tier *t, unsigned rule)
{
    const struct speed_rule *s = &t->points.speed[rule];
    char size[SHAPE_TEXT];
    shape_format(s->shape, size);
    for (unsigned i = 0; i < rule; i++) {
        const struct speed_rule *o = &t->points.speed[i];
        if (s->every_size && o->every_size)
            yaml_error(at, "there are two rules for every size");
        else if (!s->every_size && !o->every_size && shape_equal(s->shape, o->shape))
            yaml_error(at, "there are two rules for the size %s", size);
    }
    if (s->every_size)
        return;
    FREED_BY(strbuf_free) struct strbuf sizes = STRBUF_INIT;
    bool measured = false;
    for (unsigned i = 0; i < tier_size_count(a, t); i++) {
        char text[SHAPE_TEXT];
        const struct shape one = tier_size(a, t, i);
        measured = measured || shape_equal(one, s->shape);
        shape_format(one, text);
        strbuf_addf(&sizes, "%s%s", i ? ", " : "", text);
    }
    if (!measured)
        yaml_error(at, "the size %s is not measured in this tier, whose sizes are: %s", size,
                   sizes.s);
}

static void read_points(const struct yaml_at *at, const struct assignment *a, struct tier *t)
{
    struct tier_points *p = &t->points;
    struct yaml_at f;
    fields_read(at, &tier_fields[OF_TIER_POINTS], p);
    struct yaml_at list = yaml_get(at, "speed");
    p->speed_count = yaml_count(&list);
    p->speed = xcalloc(p->speed_count, sizeof *p->speed);
    for (unsigned i = 0; i < p->speed_count && !at->file->failed; i++) {
        struct speed_rule *s = &p->speed[i];
        struct yaml_at item = yaml_item(&list, i);
        struct err e = ERR_INIT;
        yaml_expect_keys(&item, KEYS("size", "points", "curve"));
        f = yaml_get(&item, "size");
        OWNED char *size = yaml_string(&f, NULL);
        s->every_size = !size;
        if (size && kernel_shape_fixed(a->kernel, a->fixed, size, a->matrices, &s->shape, &e) != 0)
            yaml_error(&f, "%s", e.text);
        check_rule_size(&f, a, t, i);
        f = yaml_need(&item, "points");
        s->points = yaml_number(&f, 0, 1e6, 0);
        f = yaml_need(&item, "curve");
        read_curve(&f, s);
    }
}

static void check_sources(const struct yaml_at *at, const struct tier *t)
{
    for (unsigned i = 0; i < t->sources_count && !at->file->failed; i++) {
        const char *s = t->sources[i];
        if (!source_is_inside(s))
            yaml_error(at, "'%.60s' is not a plain file name or relative path", s);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(s, t->sources[j]) == 0)
                yaml_error(at, "'%.60s' is given twice", s);
    }
}

/* Students have the names in the directory of the assignment, the reference there or without it. */
static void add_directory(const char *directory, struct tier *t)
{
    const unsigned n = t->sources_count;
    t->directory = directory;
    t->sources_handed_in = n;
    if (!*directory)
        return;
    t->sources = xrealloc_array(t->sources, 2 * (size_t)n + 1, sizeof *t->sources);
    for (unsigned i = 0; i < n; i++) {
        t->sources[n + i] = t->sources[i];
        t->sources[i] = xasprintf("%s%s", directory, t->sources[i]);
    }
    t->sources_count = 2 * n;
}

char *read_directory(const struct yaml_at *at)
{
    char *text = yaml_string(at, ""), *dir = xasprintf("%s%s", text, *text ? "/" : "");
    if (yaml_present(at) && !source_is_inside(text))
        yaml_error(at, "'%.60s' is not a relative path, such as project2/src", text);
    free(text);
    return dir;
}

/* Whoever names sources in C++ expects that they are compiled. */
static void check_cxx(const struct yaml_at *at, char *const *names, unsigned count,
                      const struct tier *t)
{
    for (unsigned i = 0; i < count && !t->compile_cxx; i++)
        if (source_is_cxx(names[i]))
            yaml_error(at,
                       "%.60s is C++, and the tier has no compile_cxx, the command for C++ sources "
                       "(it may be the same as compile)",
                       names[i]);
}

/* Patterns of further sources. One that fits the source itself would compile it twice. */
static void read_with(const struct yaml_at *at, struct tier *t)
{
    t->with = yaml_strings(at, &t->with_count);
    for (unsigned i = 0; i < t->with_count && !at->file->failed; i++) {
        const char *s = t->with[i];
        struct yaml_at item = list_item(at, i);
        if (!*s || *s == '/' || *s == '-' || *s == '.' || strstr(s, "..") ||
            s[strspn(s, SOURCE_PLAIN "*?/")] != '\0')
            yaml_error(&item, "'%.60s' is not a pattern of file names, such as lib/*.c", s);
        for (unsigned k = 0; k < t->sources_count; k++)
            if (fnmatch(s, t->sources[k], FNM_PATHNAME) == 0)
                yaml_error(&item, "'%.60s' also fits %s, which is compiled anyway", s,
                           t->sources[k]);
    }
}

static void read_adapter(const struct yaml_at *tier, struct tier *t)
{
    struct yaml_at f = yaml_get(tier, "adapter_for");
    const struct yaml_at adapter = yaml_get(tier, "adapter"), *at = &adapter;
    OWNED char *text = yaml_string(at, NULL);
    if (!text && yaml_present(&f))
        yaml_error(&f, "the tier has no adapter");
    const char *dot = text ? strrchr(text, '.') : NULL;
    if (text && (!dot || strchr(dot, '/') || !source_is_plain(dot)))
        yaml_error(at, "'%.60s' has no suffix that tells its language, such as .c or .cpp", text);
    else if (text && source_is_cxx(text) && !t->compile_cxx)
        yaml_error(at, "an adapter in C++ needs compile_cxx");
    if (dot) {
        t->adapter = path_beside(at->file->path, text);
        t->adapter_suffix = xstrdup(dot);
    }
}

/* A tier need not take every shape. Its own sizes must be among those that it takes; of the
 * assignment's, the others are left out. */
static void read_shapes(const struct yaml_at *tier, const int fixed[SHAPE_DIMS], struct tier *t)
{
    static const char *const shapes[] = {"any", "square", NULL};
    struct yaml_at f = yaml_get(tier, "shapes"), sizes = yaml_get(tier, "sizes");
    t->shapes.square = yaml_choice(&f, shapes, 0) == 1;
    memcpy(t->shapes.fixed, fixed, sizeof t->shapes.fixed);
    f = yaml_get(tier, "multiple_of");
    t->shapes.multiple_of = (int)yaml_integer(&f, 1, MULTIPLE_MOST, 1);
    check_own_sizes(&sizes, t);
}

/* Sizes for one worker that grow with the workers of a launch. */
static void read_weak(const struct yaml_at *tier, const struct assignment *a, struct tier *t)
{
    const struct yaml_at at = yaml_get(tier, "weak");
    read_sizes(&at, a, t->kernel, &t->weak, &t->weak_count);
    if (yaml_present(&at) && tier_launch_count(t) < 2)
        yaml_error(&at, "grows with the workers, and the tier has one launch only");
    for (unsigned i = 0; i < t->weak_count && !at.file->failed; i++) {
        const struct yaml_at item = list_item(&at, i);
        for (unsigned l = 0; l < tier_launch_count(t) && !at.file->failed; l++) {
            struct shape s;
            struct err e = ERR_INIT;
            if (weak_grow(a, t, t->weak[i], launch_workers(tier_launch(t, l)), &s, &e) != 0)
                yaml_error(&item, "%s", e.text);
        }
    }
}

/* The cases are the same for all tiers, so their kernels have the same problem. */
static const struct kernel *read_tier_kernel(const struct yaml_at *at, const struct kernel *usual)
{
    if (!yaml_present(at))
        return usual;
    const char *name = kernel_names()[yaml_choice(at, kernel_names(), 0)];
    const struct kernel *k = usual->file ? NULL : kernel_find(name, usual->type);
    if (k && kernel_same_problem(k, usual))
        return k;
    yaml_error(at,
               "the kernel %s (%s) is for another problem than %s, the kernel of the assignment",
               name, type_name(usual->type), usual->name);
    return usual;
}

void read_tier(const struct yaml_at *at, const struct assignment *a, struct tier *t)
{
    fields_read(at, &tier_fields[OF_TIER_ITSELF], t);
    struct yaml_at f = yaml_need(at, "name");
    t->name = read_name(&f, "a tier's");
    for (const struct tier *o = a->tiers; o < t; o++)
        if (strcmp(o->name, t->name) == 0)
            yaml_error(&f, "there are two tiers named '%s'", t->name);
    f = yaml_get(at, "title");
    t->title = yaml_string(&f, t->name);
    f = yaml_get(at, "kernel");
    t->kernel = read_tier_kernel(&f, a->kernel);
    f = yaml_need(at, "sources");
    t->sources = yaml_strings(&f, &t->sources_count);
    if (yaml_present(&f) && !t->sources_count)
        yaml_error(&f, "the list is empty");
    check_sources(&f, t);
    f = yaml_need(at, "compile");
    t->compile = read_compile(at, a, "compile");
    t->compile_cxx = read_compile(at, a, "compile_cxx");
    f = yaml_get(at, "sources");
    check_cxx(&f, t->sources, t->sources_count, t);
    f = yaml_get(at, "with");
    read_with(&f, t);
    check_cxx(&f, t->with, t->with_count, t);
    read_adapter(at, t);
    add_directory(a->directory, t);
    read_launch(at, t);
    read_device(at, t);
    f = yaml_get(at, "requires");
    read_requires(&f, t);
    f = yaml_get(at, "sizes");
    read_sizes(&f, a, t->kernel, &t->sizes, &t->sizes_count);
    read_shapes(at, a->fixed, t);
    read_weak(at, a, t);
    struct calls written = {0};
    read_calls(at, &a->calls, &written);
    calls_expand(&written, t->kind, &t->calls);
    calls_free(&written);
    f = yaml_get(at, "pragmas");
    if (!yaml_present(&f))
        t->pragmas = a->pragmas;
    f = yaml_get(at, "attest");
    read_attest(&f, t);
    f = yaml_get(at, "points");
    read_points(&f, a, t);
    if (t->reference_only && (t->points.correct > 0 || t->points.speed_count))
        yaml_error(&f, "students hand in nothing for this tier, so it cannot give points");
    f = yaml_get(at, "slurm");
    read_resources(&f, &a->limits, &t->slurm);
    read_gres(&f, t);
}
