#include "build/build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compilers.h"
#include "base/digest.h"
#include "base/fsio.h"
#include "base/inherited_limits.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "build/build_inputs.h"
#include "build/build_step.h"
#include "build/compiler_log.h"
#include "build/confine.h"
#include "build/gencode.h"
#include "build/instruction_sets.h"
#include "build/missing_name.h"
#include "build/source_rules.h"
#include "build/symbols.h"
#include "build/utf16.h"
#include "model/protection.h"
#include "model/source_name.h"
#include "supervise/environment.h"
#include "supervise/sandbox.h"
#include "supervise/stop.h"

enum { LOG_READ = 1 << 20, LOG_KEPT = 12000, HEADERS_MOST = 10000 };

/* A declaration, since -Wpedantic wants one. Other languages than C's have other declarations. */
static const char *nothing(const char *source)
{
    return source_is_code(source) ? "extern int empty;\n" : "";
}

static char *join(char *const *argv)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; argv[i]; i++)
        strbuf_addf(&sb, "%s%s", i ? " " : "", argv[i]);
    return strbuf_detach(&sb);
}

/* Shorten a log in place to whole lines, LOG_KEPT bytes at most. */
static void shorten(char *log)
{
    if (strlen(log) <= LOG_KEPT)
        return;
    log[LOG_KEPT] = '\0';
    char *end = strrchr(log, '\n');
    if (end)
        end[1] = '\0';
}

/* True when a signal ended the compiler, or a child process of it. */
static bool was_ended_by(int sig, const struct proc_result *r, const char *log)
{
    return (WIFSIGNALED(r->status) && WTERMSIG(r->status) == sig) ||
           compiler_log_ended_by(log, sig);
}

/* No program of a build used more processor time than the build took. */
static bool was_cpu_limit(const struct build *b, const struct proc_result *r, const char *log)
{
    const uint64_t limit = inherited_limits_cpu();
    return limit && b->seconds >= (double)limit - 1 &&
           (was_ended_by(SIGXCPU, r, log) || was_ended_by(SIGKILL, r, log));
}

/* Fill verdict, message and library from how the last step ended and what it said. */
static void judge_compiler(struct build *b, const struct proc_result *r, const struct limits *l,
                           const char *library)
{
    OWNED char *said = xasprintf("%s%s", r->err.s, r->out.s);
    b->verdict = VERDICT_BUILD_ERROR;
    if (r->timed_out) {
        b->message = xasprintf("the compiler ran longer than %.3g s, the limit for a build",
                               (double)l->build_ms / 1000);
    } else if (!proc_ok(r)) {
        b->message = instruction_sets_missing(said, b->command);
        if (!b->message)
            b->message = compiler_log_reason(said);
        b->killed = was_ended_by(SIGKILL, r, said);
        b->cpu_limit = was_cpu_limit(b, r, said);
    } else if (access(library, R_OK) != 0) {
        b->message = xstrdup("the compile command succeeded but made no library");
    } else {
        b->verdict = VERDICT_PASS;
        b->message = xstrdup("");
        b->library = xstrdup(library);
    }
    shorten(b->log);
}

/* Turn a success into verdict `v`. Takes ownership of `why`. */
static void refuse(struct build *b, enum verdict v, char *why)
{
    b->verdict = v;
    free(b->message);
    b->message = why;
    free(b->library);
    b->library = NULL;
}

/* Refuse a library that calls or defines functions that the assignment does not allow. */
static int judge_symbols(struct build *b, const struct build_job *job, const struct build_inputs *p,
                         struct err *e)
{
    struct symbol_rules r = {.calls = &job->tier->calls};
    /* Static objects of C++ and the tables of offloading compilers are set up at load time. */
    r.constructors = p->cxx || launch_kind_has(job->tier->kind, KIND_LOAD_TIME_CODE);
    char *why;
    enum verdict v;
    if (b->verdict != VERDICT_PASS)
        return 0;
    if (symbols_check(b->library, &r, p->src_dir, &v, &why, e) != 0)
        return -1;
    if (why)
        refuse(b, v, why);
    return 0;
}

/* Refuse a source that changes the compiler's options if the tier forbids it. */
static void judge_source(struct build *b, const struct tier *t)
{
    if (b->verdict == VERDICT_PASS && b->options && t->pragmas == PRAGMAS_FORBID)
        refuse(b, VERDICT_FORBIDDEN,
               xasprintf("%s, which the assignment forbids: remove it", b->options));
}

/* Run one step, whose words end at a NULL. What it says is added to the log. The same rules as
 * build_step(). */
static int run_step(struct build *b, const struct build_job *job, const struct proc_spec *base,
                    char *const *argv, struct proc_result *r, struct err *e)
{
    char *before = b->log;
    if (build_step(b, job, base, argv, r, e) != 0)
        return -1;
    b->log = xasprintf("%s%s%s", before ? before : "", r->err.s, r->out.s);
    free(before);
    return 0;
}

/* Run the steps of the compile command in turn, until one fails. */
static int run_steps(struct build *b, const struct build_job *job, const struct proc_spec *base,
                     char **argv, const char *library, struct err *e)
{
    struct proc_result r;
    for (char **step = argv;; proc_result_free(&r)) {
        char **end = step;
        while (*end && strcmp(*end, COMPILE_STEP) != 0)
            end++;
        char *const more = *end;
        *end = NULL;
        int rc = run_step(b, job, base, step, &r, e);
        *end = more;
        if (rc == 0 && more && proc_ok(&r)) {
            step = end + 1;
            continue;
        }
        if (rc == 0)
            judge_compiler(b, &r, job->limits, library);
        proc_result_free(&r);
        return rc;
    }
}

/* Run the compile command in a sandbox and judge what it made. */
static int compile(const struct build_job *job, const char *command, const struct build_inputs *p,
                   struct build *b, struct err *e)
{
    OWNED_TEXTS char **argv = build_command(job, command, p);
    OWNED_TEXTS char **env = environment_make(&(struct environment){.scratch = job->dir});
    const char *writable[] = {job->dir, NULL};
    int sandbox =
        sandbox_prepare(&(struct sandbox_spec){.policy = job->sandbox, .writable = writable});
    const struct proc_spec spec = {.env = env,
                                   .cwd = p->src_dir,
                                   .output_max = LOG_READ,
                                   .stop = &proctor_stop,
                                   .prepare = confine,
                                   .prepare_arg = &sandbox};
    b->command = join(argv);
    b->protections = sandbox_protections(sandbox);
    int rc = sandbox_check(job->sandbox, protection_of_compilers(), b->protections, e);
    if (rc == 0 && !job->appended)
        rc = source_rules_look(b, job, p, &spec, argv, e);
    if (rc == 0)
        rc = run_steps(b, job, &spec, argv, p->library, e);
    if (rc == 0 && !job->appended) {
        b->compiler = compiler_versions(argv, env, NULL, COMPILE_STEP);
        rc = judge_symbols(b, job, p, e);
    }
    if (rc == 0 && !job->appended)
        judge_source(b, job->tier);
    if (sandbox >= 0)
        close(sandbox);
    return rc;
}

/* A build error is the submission's fault only if the same command compiles sources of the same
 * names with nothing in them. Otherwise parts of the compiler are missing, or the command is wrong.
 */
static int check_toolchain(const struct build_job *job, const char *command,
                           const struct build_inputs *inputs, struct err *e)
{
    FREED_BY(build_inputs_free)
    struct build_inputs p = {.src_dir = xasprintf("%s/empty", job->dir),
                             .library = xasprintf("%s/empty.so", job->dir),
                             .abi = xstrdup(inputs->abi)};
    FREED_BY(build_free) struct build b = {0};
    int rc = fs_mkdirs(p.src_dir, e);
    for (size_t i = 0; inputs->sources[i] && rc == 0; i++) {
        OWNED char *path = xasprintf("%s/%s", p.src_dir, inputs->sources[i]);
        build_inputs_add(&p, inputs->sources[i]);
        rc = fs_mkdirs_for(path, e);
        const char *text = nothing(inputs->sources[i]);
        if (rc == 0)
            rc = fs_write_atomic(path, text, strlen(text), e);
    }
    if (rc == 0)
        rc = compile(job, command, &p, &b, e);
    if (rc == 0 && b.verdict == VERDICT_BUILD_ERROR && !b.killed && !b.cpu_limit)
        rc = err_system(e,
                        "the compile command of the tier '%s' does not compile an empty source "
                        "either: the command in the assignment is wrong, or parts of the compiler "
                        "are missing on this node: %s (%s)",
                        job->tier->name, b.message, b.command);
    return rc;
}

/* A kernel for a newer GPU does not compile for nvcc's default, and where there is no GPU, nobody
 * knows for which one it is. Build for the first one that nvcc knows and that can have it; without
 * any, out->elsewhere stays NULL. */
static int try_architectures(const struct build_job *job, const char *command,
                             const struct build_inputs *p, struct build *out, struct err *e)
{
    OWNED_TEXTS char **architecture = gencode_newer();
    int rc = 0;
    *out = (struct build){0};
    for (size_t i = 0; architecture[i] && rc == 0; i++) {
        OWNED char *for_it = gencode_command(command, architecture[i]);
        struct build b = {0};
        rc = compile(job, for_it, p, &b, e);
        if (rc == 0 && b.verdict == VERDICT_PASS) {
            b.elsewhere = xstrdup(architecture[i]);
            *out = b;
            break;
        }
        build_free(&b);
    }
    return rc;
}

/* Compile the command, and for other GPUs if this one is unknown. */
static int compile_somehow(const struct build_job *job, const char *command,
                           const struct build_inputs *p, struct build *b, struct err *e)
{
    FREED_BY(build_free) struct build other = {0};
    int rc = compile(job, command, p, b, e);
    if (rc != 0 || b->verdict != VERDICT_BUILD_ERROR || !gencode_is_unknown(job->tier, command))
        return rc;
    rc = try_architectures(job, command, p, &other, e);
    if (rc == 0 && other.elsewhere) {
        const struct build first = *b;
        *b = other;
        other = first;
    }
    return rc;
}

/* The compiler speaks of stray characters then: what it says helps nobody. */
static void explain_encoding(struct build *b, const struct build_inputs *p)
{
    OWNED char *name = utf16_source(p->src_dir, b->log);
    if (name) {
        free(b->message);
        b->message =
            xasprintf("%s" UTF16_WORDS ", which compilers do not read: save it as UTF-8", name);
        *b->log = '\0';
    }
}

static void explain_header(const struct build_job *job, const struct build_inputs *p,
                           struct build *b)
{
    char *none[] = {NULL}, **files = NULL;
    size_t n = 0;
    const bool listed = tree_list(p->src_dir, HEADERS_MOST, &files, &n, NULL) == 0;
    OWNED char *own = xasprintf("%s.h", job->tier->kernel->problem);
    OWNED char *hint = missing_name_hint(b->message, own, listed ? files : none);
    if (listed)
        fs_list_free(files, n);
    if (hint) {
        char *message = xasprintf("%s: %s", b->message, hint);
        free(b->message);
        b->message = message;
    }
}

int build_tier(const struct build_job *job, struct build *b, struct err *e)
{
    struct build_inputs p = {.src_dir = xasprintf("%s/src", job->dir),
                             .source = xasprintf("%s/src/%s", job->dir, job->source),
                             .library = xasprintf("%s/kernel.so", job->dir),
                             .abi = install_path("include/paragrade")};
    const char *command;
    char hash[DIGEST_HEX];
    int rc = -1;
    *b = (struct build){0};
    if (build_inputs_gather(job, &p, e) != 0)
        goto done;
    command = p.cxx ? job->tier->compile_cxx : job->tier->compile;
    if (digest_file(p.source, hash, e) != 0) {
        e->kind = ERR_SYSTEM;
        goto done;
    }
    if (command) {
        rc = compile_somehow(job, command, &p, b, e);
        const bool in_time =
            (b->seconds - b->held_up_seconds) * 1000 < (double)job->limits->build_ms;
        if (rc == 0 && b->verdict == VERDICT_PASS &&
            digest_file(b->library, b->library_hash, NULL) != 0)
            b->library_hash[0] = '\0';
        if (rc == 0 && !job->appended && b->verdict == VERDICT_BUILD_ERROR && !b->killed &&
            !b->cpu_limit && in_time) {
            rc = check_toolchain(job, command, &p, e);
            explain_encoding(b, &p);
            explain_header(job, &p, b);
        }
    } else {
        b->verdict = VERDICT_BUILD_ERROR;
        b->message = xasprintf("%s: this tier takes no C++ source", build_inputs_cxx(&p));
        rc = 0;
    }
    b->source_hash = xstrdup(hash);
done:
    build_inputs_free(&p);
    return rc;
}

void build_free(struct build *b)
{
    free(b->message);
    free(b->library);
    free(b->command);
    free(b->log);
    free(b->compiler);
    free(b->elsewhere);
    free(b->source_hash);
    free(b->options);
    free(b->outside);
    *b = (struct build){0};
}
