#include "build/build_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "build/gencode.h"
#include "model/source_name.h"
#include "model/unit_sources.h"

/* --- sources ---------------------------------------------------------------------------------- */

static int copy_all(const struct build_job *job, char *const *names, const char *to, struct err *e)
{
    for (size_t i = 0; names[i]; i++)
        if (tree_copy_below(job->sources, names[i], to, job->limits->source_bytes, e) != 0)
            return -1;
    return 0;
}

static int copy_adapter(const struct build_job *job, const char *name, const char *to,
                        struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", to, name);
    return fs_copy(job->adapter, path, ADAPTER_MOST, e);
}

/* The header of a kernel in a file: it replaces one of that name that was handed in. */
static int write_header(const struct build_job *job, const char *to, struct err *e)
{
    const struct kernel *k = job->tier->kernel;
    if (!k || !k->file)
        return 0;
    OWNED char *text = kernel_file_header(k->file), *path = xasprintf("%s/%s.h", to, k->problem);
    return fs_write_atomic(path, text, strlen(text), e);
}

void build_inputs_free(struct build_inputs *p)
{
    free(p->src_dir);
    proc_argv_free(p->sources);
    free(p->source);
    free(p->library);
    free(p->abi);
}

void build_inputs_add(struct build_inputs *p, const char *name)
{
    size_t n = 0;
    while (p->sources && p->sources[n])
        n++;
    p->sources = xrealloc_array(p->sources, n + 2, sizeof *p->sources);
    p->sources[n] = xstrdup(name);
    p->sources[n + 1] = NULL;
    p->cxx = p->cxx || source_is_cxx(name);
}

const char *build_inputs_cxx(const struct build_inputs *p)
{
    size_t i = 0;
    while (p->sources[i + 1] && !source_is_cxx(p->sources[i]))
        i++;
    return p->sources[i];
}

int build_inputs_gather(const struct build_job *job, struct build_inputs *p, struct err *e)
{
    struct unit_sources s;
    int rc = fs_mkdirs(p->src_dir, e);
    if (rc == 0)
        rc = unit_sources_find(job->sources, job->tier, job->source, &s, e);
    if (rc == 0) {
        for (size_t i = 0; s.compiled[i]; i++)
            build_inputs_add(p, s.compiled[i]);
        if (copy_all(job, s.compiled, p->src_dir, e) != 0 ||
            copy_all(job, s.headers, p->src_dir, e) != 0)
            rc = -1;
        unit_sources_free(&s);
    }
    if (rc == 0 && job->adapter) {
        OWNED char *name = xasprintf("%s%s", ADAPTER_NAME, strrchr(job->adapter, '.'));
        build_inputs_add(p, name);
        rc = copy_adapter(job, name, p->src_dir, e);
    }
    if (rc == 0)
        rc = write_header(job, p->src_dir, e);
    if (rc != 0)
        e->kind = ERR_SYSTEM;
    return rc;
}

/* --- the command ------------------------------------------------------------------------------ */

static char **words_copy(char *const *words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    char **copy = xcalloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = xstrdup(words[i]);
    return copy;
}

/* Replace `gone` words of a vector, from index `at` on, with `words`. Takes ownership of both
 * vectors. */
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

/* Replace each word {src} by all sources. */
static char **insert_sources(char **argv, char *const *sources)
{
    for (size_t i = 0; argv[i]; i++)
        if (strcmp(argv[i], "{src}") == 0)
            argv = splice(argv, i, 1, words_copy(sources));
    return argv;
}

static char **insert_gencode(char **argv, const struct tier *t)
{
    for (size_t i = 0; argv[i]; i++)
        if (strcmp(argv[i], "{gencode}") == 0)
            argv = splice(argv, i, 1, gencode_flags(t));
    return argv;
}

/* Steps that compile sources get them, behind the name of the program. */
static char **insert_defines(char **argv, char *const *defines)
{
    size_t step = 0; /* its first word */
    bool compiles = false;
    for (size_t i = 0; argv[i]; i++) {
        if (strcmp(argv[i], COMPILE_STEP) == 0) {
            step = i + 1;
            compiles = false;
        } else if (strstr(argv[i], "{src}") && !compiles) {
            compiles = true;
            for (size_t k = 0; defines && defines[k]; k++)
                i++;
            argv = splice(argv, step + 1, 0, words_copy(defines));
        }
    }
    return argv;
}

/* Has a step, which begins here, the sources? */
static bool has_sources(char *const *step)
{
    for (; *step && strcmp(*step, COMPILE_STEP) != 0; step++)
        if (strstr(*step, "{src}"))
            return true;
    return false;
}

/* Steps of the program that compiles the sources get the words at their end. */
static char **insert_appended(char **argv, char *const *words)
{
    const char *compiler = NULL;
    size_t step = 0;
    for (size_t i = 0; argv[i] && words; i++)
        if ((i == 0 || strcmp(argv[i - 1], COMPILE_STEP) == 0) && !compiler &&
            has_sources(argv + i))
            compiler = argv[i];
    for (size_t i = 0; compiler; i++) {
        if (argv[i] && strcmp(argv[i], COMPILE_STEP) != 0)
            continue;
        if (strcmp(argv[step], compiler) == 0) {
            argv = splice(argv, i, 0, words_copy(words));
            while (argv[i] && strcmp(argv[i], COMPILE_STEP) != 0)
                i++;
        }
        if (!argv[i])
            break;
        step = i + 1;
    }
    return argv;
}

char **build_command(const struct build_job *job, const char *command, const struct build_inputs *p)
{
    const char *pairs[][2] = {{"{src}", p->sources ? p->sources[0] : ""},
                              {"{out}", p->library},
                              {"{abi}", p->abi},
                              {"{dir}", p->src_dir}};
    char **argv = insert_gencode(proc_argv_split(command), job->tier);
    argv = insert_appended(insert_defines(argv, job->defines), job->appended);
    argv = insert_sources(argv, p->sources);
    for (size_t i = 0; argv[i]; i++) {
        for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
            OWNED char *word = argv[i];
            argv[i] = xreplace(word, pairs[k][0], pairs[k][1]);
        }
    }
    return argv;
}
