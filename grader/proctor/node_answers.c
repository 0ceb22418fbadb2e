#include "proctor/node_answers.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/trusted.h"
#include "proctor/node_context.h"
#include "rundir/paths.h"
#include "supervise/driver_program.h"

enum { LIBRARY_MOST = 64 << 20 };

/* A library of the run. No tier has a name with a dot. */
struct library {
    enum trusted_part part;
    const char *source, *name;
};

static int build(const struct node_context *n, const struct library *l, char **library,
                 struct err *e)
{
    OWNED char *sources = rundir_kernel(n->run.dir);
    OWNED char *dir = xasprintf("%s/%s", n->scratch.dir, l->name);
    const struct trusted_job job = {.file = n->run.assignment->kernel_file,
                                    .part = l->part,
                                    .source = l->source,
                                    .sources = sources,
                                    .limits = &n->run.assignment->limits,
                                    .sandbox = &n->sandbox,
                                    .dir = dir};
    return trusted_build(&job, library, e);
}

/* Other proctors of the run on this node need not build it again. */
static int get(const struct node_context *n, const struct library *l, char **library, struct err *e)
{
    OWNED char *in_run = rundir_reference(n->run.dir, n->host, l->name);
    OWNED char *copy = xasprintf("%s/%s.so", n->scratch.dir, l->name);
    struct err ignored = ERR_INIT;
    int rc = 0;
    if (*library) {
        /* It is there already. */
    } else if (fs_copy(in_run, copy, LIBRARY_MOST, &ignored) == 0) {
        *library = copy;
        copy = NULL;
    } else if ((rc = build(n, l, library, e)) == 0 && fs_mkdirs_for(in_run, &ignored) == 0) {
        fs_copy(*library, in_run, LIBRARY_MOST, &ignored);
    }
    return rc;
}

int node_answers_mistake(const struct node_context *n, struct harness *h, int i,
                         struct mistaken_answers *m, struct err *e)
{
    char name[32];
    snprintf(name, sizeof name, "trusted.mistake%d", i);
    const struct library l = {TRUSTED_MISTAKE, n->run.assignment->kernel_file->mistake[i].source,
                              name};
    /* Nobody would own its process meanwhile. It starts again when it is asked. */
    answers_end(&h->answers);
    *m = (struct mistaken_answers){.program = driver_program(LAUNCH_CPU), .trusted = h->answers};
    h->answers = (struct answers){.driver = DRIVER_PROCESS_INIT};
    return get(n, &l, &m->library, e) == 0 ? harness_start_answers(h, m->program, m->library, e)
                                           : -1;
}

void node_answers_trust_again(struct harness *h, struct mistaken_answers *m)
{
    answers_end(&h->answers);
    h->answers = m->trusted;
    free(m->library);
    free(m->program);
}

int node_answers_start(struct node_yardstick *y, struct node_context *n, struct err *e)
{
    const struct kernel_file *f = n->run.assignment->kernel_file;
    struct harness *h = &y->harness;
    if (!f)
        return 0;
    const struct library source = {TRUSTED_SOURCE, f->trusted, "trusted.source"},
                         check = {TRUSTED_CHECK, f->check, "trusted.check"},
                         maker = {TRUSTED_VALUES, f->maker, "trusted.values"};
    if (get(n, &source, &y->answers, e) != 0 || (f->check && get(n, &check, &y->check, e) != 0) ||
        (f->maker && get(n, &maker, &y->maker, e) != 0))
        return -1;
    if (!y->answers_program)
        y->answers_program = driver_program(LAUNCH_CPU);
    const char *program = y->answers_program;
    if (harness_start_answers(h, program, y->answers, e) != 0 ||
        (f->check && harness_start_checks(h, program, y->check, e) != 0))
        return -1;
    return f->maker ? harness_start_maker(h, program, y->maker, e) : 0;
}
