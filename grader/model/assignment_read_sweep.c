/*
 * The sweeps of an assignment file. Each is a copy of the tier that it varies, with its own axes,
 * launches and sizes, and without points.
 */
#include "model/assignment_read.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment_fields.h"
#include "model/calls.h"
#include "model/field.h"
#include "model/sweep.h"

enum { AXES_MOST = 6 };

static char *copy_text(const char *s)
{
    return s ? xstrdup(s) : NULL;
}

static void copy_requires(const struct tier *from, struct tier *to)
{
    to->requires_count = from->requires_count;
    to->requires = xcalloc(from->requires_count + 1, sizeof *to->requires);
    for (unsigned i = 0; i < from->requires_count; i++)
    to->requires[i] = (struct requirement){.command = copy_text(from->requires[i].command),
                                           .file = copy_text(from->requires[i].file),
                                           .hint = copy_text(from->requires[i].hint),
                                           .to_run = from->requires[i].to_run};
}

static void copy_tier(const struct tier *from, struct tier *to)
{
    fields_copy_for_sweep(&tier_fields[OF_TIER_ITSELF], from, to);
    fields_copy_for_sweep(&tier_fields[OF_TIER_SLURM], &from->slurm, &to->slurm);
    to->slurm.extra = texts_copy(from->slurm.extra, from->slurm.extra_count);
    to->slurm.extra_count = from->slurm.extra_count;
    to->kernel = from->kernel;
    to->sources = texts_copy(from->sources, from->sources_count);
    to->sources_count = from->sources_count;
    to->sources_handed_in = from->sources_handed_in;
    to->directory = from->directory;
    to->with = texts_copy(from->with, from->with_count);
    to->with_count = from->with_count;
    to->adapter = copy_text(from->adapter);
    to->adapter_suffix = copy_text(from->adapter_suffix);
    to->compile = copy_text(from->compile);
    to->compile_cxx = copy_text(from->compile_cxx);
    to->kind = from->kind;
    to->architectures = texts_copy(from->architectures, from->architectures_count);
    to->architectures_count = from->architectures_count;
    to->launcher = copy_text(from->launcher);
    calls_expand(&from->calls, from->kind, &to->calls);
    to->shapes = from->shapes;
    copy_requires(from, to);
}

static bool is_macro(const char *s)
{
    if (!isalpha((unsigned char)s[0]) && s[0] != '_')
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

static void read_axis(const struct yaml_at *at, struct tier *t, struct axis *x)
{
    yaml_expect_keys(at, KEYS("macro", "values"));
    struct yaml_at f = yaml_need(at, "macro");
    x->macro = yaml_string(&f, "");
    if (!is_macro(x->macro))
        yaml_error(&f, "'%.60s' is not the name of a macro", x->macro);
    for (const struct axis *o = t->axes; o < x; o++)
        if (strcmp(o->macro, x->macro) == 0)
            yaml_error(&f, "there are two axes for %.60s", x->macro);
    f = yaml_need(at, "values");
    x->values = yaml_integers(&f, INT_MIN, INT_MAX, &x->count);
    if (yaml_present(&f) && !x->count)
        yaml_error(&f, "the list is empty");
    for (unsigned i = 0; i < x->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (x->values[i] == x->values[j])
                yaml_error(&f, "%d is given twice", x->values[i]);
}

static void read_axes(const struct yaml_at *at, struct tier *t)
{
    unsigned n = yaml_count(at);
    if (n > AXES_MOST)
        yaml_error(at, "more than %d axes", AXES_MOST);
    t->axes = xcalloc(n + 1, sizeof *t->axes);
    unsigned long points = 1;
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = yaml_item(at, i);
        t->axes_count = i + 1;
        read_axis(&item, t, &t->axes[i]);
        points *= t->axes[i].count;
        if (points > SWEEP_POINTS_MOST)
            yaml_error(at, "more than %d combinations", SWEEP_POINTS_MOST);
    }
}

static void read_sweep(const struct yaml_at *at, const struct assignment *a, struct tier *t)
{
    yaml_expect_keys(at,
                     KEYS("name", "title", "tier", "axes", "threads", "ranks", "gpus", "sizes"));
    struct yaml_at f = yaml_need(at, "name");
    t->sweep = true;
    t->name = read_name(&f, "a sweep's");
    for (const struct tier *o = a->sweeps; o < t; o++)
        if (strcmp(o->name, t->name) == 0)
            yaml_error(&f, "there are two sweeps named '%s'", t->name);
    if (assignment_tier(a, t->name) >= 0)
        yaml_error(&f, "'%s' is the name of a tier", t->name);
    f = yaml_get(at, "title");
    t->title = yaml_string(&f, t->name);
    f = yaml_need(at, "tier");
    char *over = yaml_string(&f, "");
    int i = assignment_tier(a, over);
    if (i < 0)
        yaml_error(&f, "there is no tier named '%.60s'", over);
    t->varies = over;
    if (i < 0)
        return;
    copy_tier(&a->tiers[i], t);
    f = yaml_get(at, "axes");
    read_axes(&f, t);
    read_launches(at, t);
    if (t->axes_count + (t->threads_count > 1) + (t->ranks_count > 1) + (t->gpus_count > 1) == 0)
        yaml_error(at, "nothing varies: give axes, threads, ranks or gpus");
    f = yaml_get(at, "sizes");
    read_sizes(&f, a, t->kernel, &t->sizes, &t->sizes_count);
    check_own_sizes(&f, t);
}

void read_sweeps(const struct yaml_at *at, struct assignment *a)
{
    unsigned n = yaml_count(at);
    a->sweeps = xcalloc(n + 1, sizeof *a->sweeps);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = yaml_item(at, i);
        a->sweeps_count = i + 1;
        read_sweep(&item, a, &a->sweeps[i]);
    }
}
