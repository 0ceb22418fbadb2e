#include "proctor/node_answers.h"

#include <stdlib.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/trusted.h"
#include "proctor/node_context.h"
#include "rundir/paths.h"
#include "supervise/driver_program.h"

enum { LIBRARY_MOST = 64 << 20 };

/* Names of the libraries in the run. No tier has a name with a dot. */
static const char *const library_names[] = {[TRUSTED_SOURCE] = "trusted.source",
                                            [TRUSTED_CHECK] = "trusted.check",
                                            [TRUSTED_VALUES] = "trusted.values"};

static int build(const struct node_context *n, enum trusted_part part, char **library,
                 struct err *e)
{
    const struct kernel_file *f = n->run.assignment->kernel_file;
    const char *const source[] = {
        [TRUSTED_SOURCE] = f->trusted, [TRUSTED_CHECK] = f->check, [TRUSTED_VALUES] = f->maker};
    char *sources = rundir_kernel(n->run.dir);
    char *dir = xasprintf("%s/%s", n->scratch.dir, library_names[part]);
    const struct trusted_job job = {.file = f,
                                    .part = part,
                                    .source = source[part],
                                    .sources = sources,
                                    .limits = &n->run.assignment->limits,
                                    .sandbox = &n->sandbox,
                                    .dir = dir};
    const int rc = trusted_build(&job, library, e);
    free(dir);
    free(sources);
    return rc;
}

/* Other proctors of the run on this node need not build it again. */
static int get_library(const struct node_context *n, enum trusted_part part, char **library,
                       struct err *e)
{
    char *in_run = rundir_reference(n->run.dir, n->host, library_names[part]);
    char *copy = xasprintf("%s/%s.so", n->scratch.dir, library_names[part]);
    struct err ignored = ERR_INIT;
    int rc = 0;
    if (fs_copy(in_run, copy, LIBRARY_MOST, &ignored) == 0) {
        *library = copy;
        copy = NULL;
    } else if ((rc = build(n, part, library, e)) == 0 && fs_mkdirs_for(in_run, &ignored) == 0) {
        fs_copy(*library, in_run, LIBRARY_MOST, &ignored);
    }
    free(copy);
    free(in_run);
    return rc;
}

int node_answers_start(struct node_yardstick *y, struct node_context *n, struct err *e)
{
    const struct kernel_file *f = n->run.assignment->kernel_file;
    struct harness *h = &y->harness;
    if (!f)
        return 0;
    if (!y->answers && get_library(n, TRUSTED_SOURCE, &y->answers, e) != 0)
        return -1;
    if (f->check && !y->check && get_library(n, TRUSTED_CHECK, &y->check, e) != 0)
        return -1;
    if (f->maker && !y->maker && get_library(n, TRUSTED_VALUES, &y->maker, e) != 0)
        return -1;
    if (!y->answers_program)
        y->answers_program = driver_program(LAUNCH_CPU);
    const char *program = y->answers_program;
    if (harness_start_answers(h, program, y->answers, e) != 0 ||
        (f->check && harness_start_checks(h, program, y->check, e) != 0))
        return -1;
    return f->maker ? harness_start_maker(h, program, y->maker, e) : 0;
}
