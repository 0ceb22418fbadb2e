#include "plan/other_tools.h"

#include <stdlib.h>
#include <string.h>

#include "base/compilers.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "rundir/resume_options.h"
#include "rundir/tools.h"

/* Compilers of nodes of a cluster need not be those of this machine, and are not compared. */
static const char local[] = "local-";

void other_tools_init(struct other_tools *o, const struct run *run, const struct results *results,
                      char *const *prefix)
{
    const unsigned tiers = run->assignment->tiers_count;
    *o = (struct other_tools){.run = run, .results = results, .prefix = prefix};
    o->was = resume_options_tools(run->dir);
    o->is = tools_json();
    tools_digest(o->is, o->is_digest);
    o->c = xcalloc(tiers + 1, sizeof *o->c);
    o->cxx = xcalloc(tiers + 1, sizeof *o->cxx);
}

void other_tools_free(struct other_tools *o)
{
    for (unsigned t = 0; o->run && t < o->run->assignment->tiers_count; t++) {
        free(o->c[t]);
        free(o->cxx[t]);
    }
    free(o->c);
    free(o->cxx);
    json_decref(o->was);
    json_decref(o->is);
    *o = (struct other_tools){0};
}

static char *other_program(const json_t *was, const json_t *is)
{
    const char *name;
    json_t *digest;
    json_object_foreach((json_t *)was, name, digest)
    {
        const json_t *now = json_object_get(is, name);
        if (!now || !json_equal(digest, now))
            return xasprintf("grader: %s", name);
    }
    return NULL;
}

static char *versions_of(const char *command, char *const *prefix)
{
    OWNED_TEXTS char **argv = proc_argv_split(command);
    return compiler_versions(argv, NULL, prefix, COMPILE_STEP);
}

/* Is it another compiler than the one that compiled this unit here? */
static char *other_compiler(struct other_tools *o, unsigned unit)
{
    const struct unit_result *u = o->results->unit[unit];
    const int t = o->run->plan->units[unit].tier;
    const struct tier *tier = &o->run->assignment->tiers[t];
    if (!u || !u->compiler[0] || strncmp(u->job, local, sizeof local - 1) != 0)
        return NULL;
    if (!o->c[t]) {
        o->c[t] = versions_of(tier->compile, o->prefix);
        o->cxx[t] = tier->compile_cxx ? versions_of(tier->compile_cxx, o->prefix) : NULL;
    }
    if (strcmp(u->compiler, o->c[t]) == 0 || (o->cxx[t] && strcmp(u->compiler, o->cxx[t]) == 0))
        return NULL;
    return xasprintf("compiler of %s: %s", tier->name, *o->c[t] ? o->c[t] : "none");
}

/* Are times compared with those of the reference in this tier? */
static bool is_measure(const struct assignment *a, int tier)
{
    const char *name = a->tiers[tier].name;
    bool is = strcmp(a->baseline, name) == 0;
    for (unsigned t = 0; t < a->tiers_count; t++)
        is = is || strcmp(tier_yardstick(a, &a->tiers[t]), name) == 0;
    return is;
}

char *other_tools_for_all(struct other_tools *o)
{
    const struct plan *p = o->run->plan;
    char *why = other_program(o->was, o->is);
    for (unsigned i = 0; !why && i < p->units_count; i++)
        if (p->submissions[p->units[i].submission].is_reference &&
            is_measure(o->run->assignment, p->units[i].tier))
            why = other_compiler(o, i);
    return why;
}

char *other_tools_for_unit(struct other_tools *o, unsigned unit)
{
    const char *graded_by = o->run->plan->units[unit].tools;
    if (graded_by && strcmp(graded_by, o->is_digest) != 0)
        return xstrdup("another grader");
    return other_compiler(o, unit);
}
