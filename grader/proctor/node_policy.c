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
static void withhold_files(struct sandbox_policy *p, const char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (holds_programs(dir) || fs_list(dir, &names, &n, NULL) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        if (!fs_is_dir(path) && !is_header(names[i]))
            sandbox_withhold(p, path);
    }
}

/* Where a file lies: where it is named, and, if that is a link, where the link leads. */
struct places {
    char *dir[2];
};

static void places_free(struct places *at)
{
    free(at->dir[0]);
    free(at->dir[1]);
}

static struct places places_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    OWNED char *named = xasprintf("%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    return (struct places){{realpath(named, NULL), holder(path)}};
}

static bool is_place(const struct places *at, const char *dir)
{
    for (int i = 0; i < 2; i++)
        if (at->dir[i] && strcmp(at->dir[i], dir) == 0)
            return true;
    return false;
}

/* The trusted source lies beside the kernel file, which the assignment names. Each of them can be a
 * link. */
static void withhold_kernel(struct sandbox_policy *p, const struct node_context *n,
                            const struct places *assignment)
{
    const struct kernel_file *f = n->run.assignment->kernel_file;
    const char *text = n->run.assignment->kernel_text, *parts[KERNEL_FILE_PARTS],
               *from = n->run.plan->assignment_path, *slash = strrchr(from, '/');
    if (!f)
        return;
    OWNED char *file =
        xasprintf("%.*s%s", text[0] != '/' && slash ? (int)(slash + 1 - from) : 0, from, text);
    FREED_BY(places_free) struct places at = places_of(file);
    kernel_file_parts(f, parts);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; at.dir[i] && parts[k]; k++) {
            OWNED char *part = xasprintf("%s/%s", at.dir[i], parts[k]);
            sandbox_withhold(p, part);
        }
        if (at.dir[i] && !holds_programs(at.dir[i]) && !is_place(assignment, at.dir[i]))
            sandbox_withhold(p, at.dir[i]);
    }
}

static void withhold_assignment(struct sandbox_policy *p, const struct node_context *n)
{
    const char *path = n->run.plan->assignment_path;
    FREED_BY(places_free) struct places at = places_of(path);
    for (int i = 0; i < 2; i++)
        if (at.dir[i])
            withhold_files(p, at.dir[i]);
    sandbox_withhold(p, path);
    withhold_kernel(p, n, &at);
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
    withhold_assignment(p, n);
    withhold_own(p);
    if (plan->overrides_path)
        sandbox_withhold(p, plan->overrides_path);
    p->required = plan->unprotected ? 0 : n->run.assignment->protections;
    p->node = n->host;
    sandbox_policy_keep(p);
}
