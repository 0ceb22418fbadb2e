#include "proctor/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/compilers.h"
#include "base/digest.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "base/version.h"
#include "model/unit_sources.h"
#include "rundir/paths.h"

enum { CPUINFO_MOST = 1 << 20, SOURCE_MOST = 64 << 20 };

char *cache_directory(void)
{
    const char *named = getenv("PARAGRADE_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (named)
        return *named ? fs_absolute(named) : NULL;
    if (xdg && *xdg == '/')
        return xasprintf("%s/paragrade", xdg);
    return home && *home == '/' ? xasprintf("%s/.cache/paragrade", home) : NULL;
}

/* Lines of /proc/cpuinfo that say which processor this is, of the first core. */
static void add_processor(struct strbuf *sb)
{
    static const char *const fields[] = {"model name", "model\t", "stepping", "microcode"};
    OWNED char *text = NULL;
    if (fs_read("/proc/cpuinfo", CPUINFO_MOST, &text, NULL, NULL) != 0)
        return;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *at = strstr(text, fields[i]);
        if (at)
            strbuf_addf(sb, "%.*s\n", (int)strcspn(at, "\n"), at);
    }
}

static void add_file(struct strbuf *sb, const char *path)
{
    char digest[DIGEST_HEX];
    struct err ignored = ERR_INIT;
    strbuf_addf(sb, "%s\n", digest_file(path, digest, &ignored) == 0 ? digest : "?");
}

/* The files of a directory. Frees its path. */
static void add_directory(struct strbuf *sb, char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (tree_list(dir, SUBMISSION_FILES_MOST, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            OWNED char *path = xasprintf("%s/%s", dir, names[i]);
            strbuf_addf(sb, "%s ", names[i]);
            add_file(sb, path);
        }
    }
    free(dir);
}

static char *reference_sources(const struct node_context *n)
{
    return rundir_sources(n->run.dir, plan_reference_id(n->run.plan));
}

/* The adapter that the reference of a tier is compiled with, if it is. */
static void add_adapter(struct strbuf *sb, const struct node_context *n, const struct tier *t)
{
    OWNED char *path = tier_adapts(t, true) ? rundir_adapter(n->run.dir, t) : NULL;
    if (path)
        add_file(sb, path);
}

/* The matrices that sizes name. A size has the path of its file only. */
static void add_matrices(struct strbuf *sb, const struct node_context *n)
{
    const struct matrix_files *m = n->run.assignment->matrices;
    for (unsigned i = 0; i < m->count; i++) {
        OWNED char *path = rundir_matrix(n->run.dir, m->matrix[i]);
        strbuf_addf(sb, "%s ", m->matrix[i]->structure.file);
        add_file(sb, path);
    }
}

/* The clock is the proctor's. Its file has some megabytes, and is part of several names. */
static void add_proctor(struct strbuf *sb)
{
    static char *line; /* of the process */
    if (!line) {
        struct strbuf own = STRBUF_INIT;
        add_file(&own, "/proc/self/exe");
        line = strbuf_detach(&own);
    }
    strbuf_addf(sb, "%s", line);
}

/* The node as this proctor sees it. */
static void add_node(struct strbuf *key, const struct node_context *n,
                     const struct node_yardstick *y)
{
    struct utsname kernel;
    strbuf_addf(key, "%s\n%d cores\n%s\n", n->host, y->harness.cores.count,
                y->harness.yardstick.device);
    if (uname(&kernel) == 0)
        strbuf_addf(key, "%s\n", kernel.release);
    add_processor(key);
    add_proctor(key);
}

/* The values and the sizes of operands follow from the kernel file. */
static void add_kernel(struct strbuf *sb, const struct node_context *n)
{
    const struct kernel_file *f = n->run.assignment->kernel_file;
    const char *names[KERNEL_FILE_PARTS] = {NULL};
    if (f)
        kernel_file_parts(f, names);
    for (int i = 0; names[i]; i++) {
        OWNED char *path = rundir_kernel_file(n->run.dir, names[i]);
        strbuf_addf(sb, "%s ", names[i]);
        add_file(sb, path);
    }
}

/* What a node's record depends on. */
static void add_record(struct strbuf *key, const struct node_context *n,
                       const struct node_yardstick *y)
{
    const struct assignment *a = n->run.assignment;
    const struct tier *baseline = &a->tiers[assignment_tier(a, a->baseline)];
    add_node(key, n, y);
    strbuf_addf(key, "%s\n", y->tier);
    add_file(key, y->library); /* which depends on the compiler, too */
    strbuf_addf(key, "%s\n%s\n%s\n", a->baseline, baseline->compile,
                baseline->compile_cxx ? baseline->compile_cxx : "");
    add_adapter(key, n, baseline);
    add_directory(key, reference_sources(n));
    add_matrices(key, n);
    add_kernel(key, n);
    /* Short runs of the yardstick are repeated for so long, also when it is checked later. */
    strbuf_addf(key, "%lld ms\n", (long long)a->performance.min_sample_ms);
    for (size_t i = 0; i < n->run.cases.count; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        char text[SHAPE_TEXT];
        shape_format(c->shape, text);
        if (case_timed_beside(a, y->tier, c))
            strbuf_addf(key, "%s\n", text);
    }
}

/* Frees the key. */
static char *path_for(const char *what, const char *suffix, struct strbuf *key)
{
    char digest[DIGEST_HEX], *dir = cache_directory(), *path = NULL;
    digest_bytes(key->s, key->len, digest);
    if (dir)
        path = xasprintf("%s/%s-%.32s%s", dir, what, digest, suffix);
    free(dir);
    strbuf_free(key);
    return path;
}

char *cache_record_path(const struct node_context *n, const struct node_yardstick *y)
{
    struct strbuf key = STRBUF_INIT;
    add_record(&key, n, y);
    return path_for("node", ".json", &key);
}

char *cache_ceilings_path(const struct node_context *n, const struct node_yardstick *y)
{
    struct strbuf key = STRBUF_INIT;
    add_node(&key, n, y);
    /* Its own type is sampled most carefully. */
    strbuf_addf(&key, "%s\n", type_name(y->harness.kernel->type));
    return path_for("ceilings", ".json", &key);
}

char *cache_result_path(const struct node_context *n, const struct node_yardstick *y,
                        const struct unit *u)
{
    const struct plan *p = n->run.plan;
    OWNED char *assignment = rundir_assignment(n->run.dir);
    struct strbuf key = STRBUF_INIT;
    add_record(&key, n, y);
    add_file(&key, assignment);
    strbuf_addf(&key, "%s\n%s\n%s\n%llx\n%d\n", PARAGRADE_VERSION, u->id, p->profile,
                (unsigned long long)p->seed, p->unprotected);
    add_adapter(&key, n, &n->run.assignment->tiers[u->tier]);
    return path_for("reference", ".json", &key);
}

/* What the compilers of a command say of themselves. */
static void add_compilers(struct strbuf *key, const char *command)
{
    OWNED_TEXTS char **argv = proc_argv_split(command);
    OWNED char *versions = NULL;
    versions = compiler_versions(argv, NULL, NULL, COMPILE_STEP);
    strbuf_addf(key, "%s\n%s\n", command, versions);
}

char *cache_library_path(const struct node_context *n, const struct tier *t)
{
    struct strbuf key = STRBUF_INIT;
    if (launch_kind_has(t->kind, KIND_DEVICE))
        return NULL;
    strbuf_addf(&key, "%s\n%s\n", PARAGRADE_VERSION, t->name);
    add_processor(&key);
    add_compilers(&key, t->compile);
    if (t->compile_cxx)
        add_compilers(&key, t->compile_cxx);
    add_adapter(&key, n, t);
    add_directory(&key, install_path("include/paragrade"));
    add_directory(&key, reference_sources(n));
    add_kernel(&key, n);
    return path_for("library", ".so", &key);
}
