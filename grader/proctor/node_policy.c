#include "proctor/node_policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/path_within.h"
#include "base/strbuf.h"
#include "base/submission_dir.h"
#include "model/assignment_fields.h"
#include "proctor/cache.h"
#include "supervise/sandbox.h"

/* The directory that holds a path; the caller frees it. NULL: there is none. */
static char *holder(const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (!slash) {
        free(real);
        return NULL;
    }
    slash[slash == real] = '\0';
    return real;
}

/* Without this directory, compilers and programs would not be found. */
static bool holds_programs(const char *dir)
{
    static const char *const system[] = {"/usr/local", "/opt", "/lib", "/etc", "/proc", "/dev"};
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        if (path_within(dir, system[i]))
            return true;
    for (const char *at = getenv("PATH"); at && *at;) {
        const size_t n = strcspn(at, ":");
        OWNED char *entry = xasprintf("%.*s", (int)n, at), *real = realpath(entry, NULL);
        const bool holds = real && path_within(dir, real);
        if (holds)
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

/* The directory, and the class around it: there may be more in it than the run grades. A link that
 * a student has made in the place of the directory could lead to anything that the others need. */
static void withhold_submission(struct sandbox_policy *p, const char *submission)
{
    OWNED char *real = submission_dir_real(submission), *dir = real ? holder(real) : NULL;
    if (dir && !holds_programs(dir))
        sandbox_withhold(p, dir);
    if (real)
        sandbox_withhold(p, real);
}

static bool is_header(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (dot[1] == 'h' || dot[1] == 'H');
}

/* A roster often lies beside the assignment. So do headers that compile commands name, which are
 * everybody's. */
static void withhold_beside(struct sandbox_policy *p, const char *assignment)
{
    OWNED_TEXTS char **names = NULL;
    OWNED char *dir = holder(assignment);
    size_t n;
    if (dir && !holds_programs(dir) && fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++) {
            OWNED char *path = xasprintf("%s/%s", dir, names[i]);
            if (!fs_is_dir(path) && !is_header(names[i]))
                sandbox_withhold(p, path);
        }
    }
    sandbox_withhold(p, assignment);
}

/* The trusted source lies beside the kernel file, which the assignment names. */
static void withhold_kernel(struct sandbox_policy *p, const struct node_context *n)
{
    const struct assignment *a = n->run.assignment;
    OWNED char *dir = holder(n->run.plan->assignment_path);
    OWNED char *file =
        a->kernel_file ? path_beside(n->run.plan->assignment_path, a->kernel_text) : NULL;
    OWNED char *beside = file ? holder(file) : NULL;
    if (beside && !holds_programs(beside) && (!dir || strcmp(beside, dir) != 0))
        sandbox_withhold(p, beside);
}

/* The grader's own: the compiled yardstick, and what units that run meanwhile have built. A cache
 * that is made later would stay open. */
static void withhold_own(struct sandbox_policy *p)
{
    OWNED char *cache = cache_directory();
    const char *const dirs[] = {cache, fs_tmpdir()};
    if (cache)
        fs_mkdirs(cache, NULL);
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        OWNED char *real = dirs[i] ? realpath(dirs[i], NULL) : NULL;
        if (real && !holds_programs(real))
            sandbox_withhold(p, real);
    }
}

void node_policy_set(struct node_context *n)
{
    const struct plan *plan = n->run.plan;
    struct sandbox_policy *p = &n->sandbox;
    OWNED char *installed = install_path("share/paragrade"),
               *beside = xasprintf("%s/..", n->run.dir);
    sandbox_withhold(p, beside);
    sandbox_withhold(p, n->run.dir);
    sandbox_withhold(p, installed);
    for (unsigned i = 0; i < plan->submissions_count; i++) {
        const struct submission *s = &plan->submissions[i];
        if (s->is_reference)
            sandbox_withhold(p, s->path);
        else
            withhold_submission(p, s->path);
    }
    withhold_beside(p, plan->assignment_path);
    withhold_kernel(p, n);
    withhold_own(p);
    if (plan->overrides_path)
        sandbox_withhold(p, plan->overrides_path);
    p->required = plan->unprotected ? 0 : n->run.assignment->protections;
    p->node = n->host;
    sandbox_policy_keep(p);
}
