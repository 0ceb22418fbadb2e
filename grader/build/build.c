#include "build/build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/hash.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "build/gencode.h"
#include "build/pragmas.h"
#include "build/symbols.h"
#include "model/protection.h"
#include "model/source_name.h"
#include "supervise/environment.h"
#include "supervise/sandbox.h"

/* No honest library of a course is larger than OBJECT_MOST; it keeps the node's disk free. */
enum { LOG_READ = 1 << 20, LOG_KEPT = 12000, VERSION_LIMIT_MS = 10000, OBJECT_MOST = 256 << 20 };

/* Of one compiler process: nvcc's are the largest that honest sources need. */
#define COMPILER_MEMORY ((rlim_t)4 << 30)

char *build_missing_requirement(const struct tier *t, bool to_run)
{
    for (unsigned i = 0; i < t->requires_count; i++) {
        const struct requirement *r = &t->requires[i];
        const char *hint = r->hint ? r->hint : "";
        const char *sep = r->hint ? ": " : "";
        if (r->to_run != to_run)
            continue;
        if (r->command) {
            char *path = proc_which(r->command);
            if (!path)
                return xasprintf("no %s on this machine%s%s", r->command, sep, hint);
            free(path);
        }
        if (r->file && !fs_exists(r->file))
            return xasprintf("no %s on this machine%s%s", r->file, sep, hint);
    }
    return NULL;
}

static int copy_sources(const char *sources, const char *source, const char *dir,
                        const struct limits *l, struct err *e)
{
    char **names;
    size_t n;
    if (fs_list(sources, &names, &n, e) != 0) {
        e->kind = ERR_SYSTEM;
        return -1;
    }
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (strcmp(names[i], source) != 0 && !source_is_header(names[i]))
            continue;
        char *from = xasprintf("%s/%s", sources, names[i]);
        char *to = xasprintf("%s/%s", dir, names[i]);
        rc = fs_copy(from, to, l->source_bytes, e);
        free(from);
        free(to);
    }
    fs_list_free(names, n);
    if (rc != 0)
        e->kind = ERR_SYSTEM;
    return rc;
}

static void substitute(struct strbuf *sb, const char *word, const char *key, const char *value)
{
    const char *hit;
    strbuf_clear(sb);
    while ((hit = strstr(word, key))) {
        strbuf_add(sb, word, (size_t)(hit - word));
        strbuf_adds(sb, value);
        word = hit + strlen(key);
    }
    strbuf_adds(sb, word);
}

/* Put several words in the place of `gone` ones at `at`; takes over the words. */
static char **splice(char **argv, size_t at, size_t gone, char **words)
{
    size_t n = 0, k = 0;
    while (argv[n])
        n++;
    while (words[k])
        k++;
    argv = xrealloc_array(argv, n + k + 1, sizeof *argv);
    for (size_t i = 0; i < gone; i++)
        free(argv[at + i]);
    memmove(argv + at + k, argv + at + gone, (n + 1 - at - gone) * sizeof *argv);
    memcpy(argv + at, words, k * sizeof *argv);
    free(words);
    return argv;
}

static char **insert_gencode(char **argv, const struct tier *t)
{
    for (size_t i = 0; argv[i]; i++)
        if (strcmp(argv[i], "{gencode}") == 0)
            return splice(argv, i, 1, gencode_flags(t));
    return argv;
}

static char **insert_defines(char **argv, char *const *defines)
{
    size_t n = 0;
    while (defines && defines[n])
        n++;
    char **copy = xcalloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = xstrdup(defines[i]);
    return splice(argv, argv[0] ? 1 : 0, 0, copy);
}

static char **compile_argv(const struct tier *t, const char *command, char *const *defines,
                           const char *source, const char *out, const char *abi, const char *dir)
{
    const char *pairs[][2] = {{"{src}", source}, {"{out}", out}, {"{abi}", abi}, {"{dir}", dir}};
    char **argv = insert_defines(insert_gencode(proc_argv_split(command), t), defines);
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; argv[i]; i++) {
        for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
            substitute(&sb, argv[i], pairs[k][0], pairs[k][1]);
            free(argv[i]);
            argv[i] = xstrdup(sb.s);
        }
    }
    strbuf_free(&sb);
    return argv;
}

static char *join(char *const *argv)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; argv[i]; i++)
        strbuf_addf(&sb, "%s%s", i ? " " : "", argv[i]);
    return strbuf_detach(&sb);
}

static char *first_line_with(const char *text, const char *word)
{
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *copy = xasprintf("%.*s", (int)n, line);
        if (n && (!word || strstr(copy, word)))
            return copy;
        free(copy);
        line += n + (line[n] == '\n');
    }
    return NULL;
}

static char *first_error(const char *log)
{
    /* The linker's own words before gcc's "ld returned 1 exit status", which is an error: too. */
    static const char *const marks[] = {"undefined reference", "error:", "error", NULL};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char *line = first_line_with(log, marks[i]);
        if (line)
            return line;
    }
    return xstrdup("the compiler failed without a message");
}

/* In the compiler's process before it starts: sources are as hostile as libraries. */
static void confine(void *arg)
{
    const int *sandbox = arg;
    struct rlimit core = {0, 0}, file = {OBJECT_MOST, OBJECT_MOST};
    struct rlimit memory = {COMPILER_MEMORY, COMPILER_MEMORY};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_FSIZE, &file);
    if (sandbox_enter(*sandbox, false) != 0)
        _exit(126);
}

static char *compiler_version(char *program, char **env)
{
    char version[] = "--version";
    char *argv[] = {program, version, NULL};
    struct proc_spec spec = {
        .argv = argv, .env = env, .output_max = 4096, .timeout_ms = VERSION_LIMIT_MS};
    struct proc_result r;
    char *line = NULL;
    if (proc_run(&spec, &r, NULL) == 0) {
        line = first_line_with(r.out.s, NULL);
        proc_result_free(&r);
    }
    return line ? line : xstrdup("");
}

/* In place, to whole lines of LOG_KEPT bytes. */
static void shorten(char *log)
{
    if (strlen(log) <= LOG_KEPT)
        return;
    log[LOG_KEPT] = '\0';
    char *end = strrchr(log, '\n');
    if (end)
        end[1] = '\0';
}

/* The compiler, or a process of its own of which it says so. */
static bool was_killed(const struct proc_result *r, const char *log)
{
    return (WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL) ||
           strstr(log, ": fatal error: Killed signal terminated program") != NULL;
}

static void judge(struct build *b, const struct proc_result *r, const struct limits *l,
                  const char *out)
{
    b->log = xasprintf("%s%s", r->err.s, r->out.s);
    b->verdict = VERDICT_BUILD_ERROR;
    if (r->timed_out) {
        b->message = xasprintf("the compiler ran longer than %.3g s, the limit for a build",
                               (double)l->build_ms / 1000);
    } else if (!proc_ok(r)) {
        b->message = first_error(b->log);
        b->killed = was_killed(r, b->log);
    } else if (access(out, R_OK) != 0) {
        b->message = xstrdup("the compile command succeeded but made no library");
    } else {
        b->verdict = VERDICT_PASS;
        b->message = xstrdup("");
        b->library = xstrdup(out);
    }
}

static void refuse(struct build *b, enum verdict v, char *why)
{
    b->verdict = v;
    free(b->message);
    b->message = why;
    free(b->library);
    b->library = NULL;
}

/* The compiler is content; is the assignment? */
static int judge_symbols(struct build *b, const struct tier *t, const char *source,
                         const char *src_dir, struct err *e)
{
    struct symbol_rules r = {.calls = &t->calls};
    /* Static objects of C++ and the tables of offloading compilers are set up at load time. */
    r.constructors = source_is_cxx(source) || t->kind == LAUNCH_CUDA || t->kind == LAUNCH_OPENACC;
    char *why;
    enum verdict v;
    if (b->verdict != VERDICT_PASS)
        return 0;
    if (symbols_check(b->library, &r, src_dir, &v, &why, e) != 0)
        return -1;
    if (why)
        refuse(b, v, why);
    return 0;
}

static int judge_pragmas(struct build *b, const struct tier *t, const struct limits *l,
                         const char *source, const char *src_dir, struct err *e)
{
    if (b->verdict != VERDICT_PASS || t->pragmas == PRAGMAS_ALLOW)
        return 0;
    if (pragmas_find(src_dir, source, l->source_bytes, &b->options, e) != 0) {
        e->kind = ERR_SYSTEM;
        return -1;
    }
    if (b->options && t->pragmas == PRAGMAS_FORBID)
        refuse(b, VERDICT_FORBIDDEN,
               xasprintf("%s, which the assignment forbids: remove it", b->options));
    return 0;
}

int build_tier(const struct tier *t, const struct limits *l, const char *sources,
               const char *source, const char *dir, struct build *b, struct err *e)
{
    return build_point(t, l, sources, source, NULL, dir, b, e);
}

int build_point(const struct tier *t, const struct limits *l, const char *sources,
                const char *source, char *const *defines, const char *dir, struct build *b,
                struct err *e)
{
    *b = (struct build){0};
    char *src_dir = xasprintf("%s/src", dir), *out = xasprintf("%s/kernel.so", dir);
    char *abi = install_path("include/paragrade"), *path = xasprintf("%s/%s", src_dir, source);
    const char *command = source_is_cxx(source) ? t->compile_cxx : t->compile;
    int rc = -1;
    if (fs_mkdirs(src_dir, e) != 0 || copy_sources(sources, source, src_dir, l, e) != 0)
        goto done;
    char hash[HASH_HEX];
    if (hash_file(path, hash, e) != 0) {
        e->kind = ERR_SYSTEM;
        goto done;
    }
    b->source_hash = xstrdup(hash);
    if (!command) {
        b->verdict = VERDICT_BUILD_ERROR;
        b->message = xasprintf("%s: this tier takes no C++ source", source);
        rc = 0;
        goto done;
    }
    char **argv = compile_argv(t, command, defines, source, out, abi, src_dir);
    char **env = environment_make(&(struct environment){.scratch = dir});
    b->command = join(argv);
    char *program = proc_which(argv[0]);
    const char *writable[] = {dir, NULL};
    int sandbox = sandbox_prepare(&(struct sandbox_spec){.writable = writable});
    b->protections = sandbox_protections(sandbox);
    if (sandbox_check(protection_of_compilers(), b->protections, e) != 0) {
        rc = -1;
    } else if (!program) {
        rc = err_system(e, "the compiler %s is not installed on this node", argv[0]);
    } else {
        struct proc_spec spec = {.argv = argv,
                                 .env = env,
                                 .cwd = src_dir,
                                 .output_max = LOG_READ,
                                 .timeout_ms = (int)l->build_ms,
                                 .prepare = confine,
                                 .prepare_arg = &sandbox};
        struct proc_result r;
        uint64_t start = clock_mono_ns();
        rc = proc_run(&spec, &r, e);
        b->seconds = (double)(clock_mono_ns() - start) * 1e-9;
        if (rc == 0) {
            judge(b, &r, l, out);
            shorten(b->log);
            b->compiler = compiler_version(argv[0], env);
            rc = judge_symbols(b, t, source, src_dir, e);
            if (rc == 0)
                rc = judge_pragmas(b, t, l, source, src_dir, e);
        }
        proc_result_free(&r);
    }
    if (sandbox >= 0)
        close(sandbox);
    free(program);
    proc_argv_free(argv);
    proc_argv_free(env);
done:
    free(src_dir);
    free(out);
    free(abi);
    free(path);
    return rc;
}

void build_free(struct build *b)
{
    free(b->message);
    free(b->library);
    free(b->command);
    free(b->log);
    free(b->compiler);
    free(b->source_hash);
    free(b->options);
    *b = (struct build){0};
}
