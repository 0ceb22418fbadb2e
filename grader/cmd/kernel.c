/* kernel.c - what an instructor makes from a kernel file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "cmd/kernel_assignment.h"
#include "cmd/kernel_check.h"
#include "cmd/kernel_page.h"
#include "cmd/options.h"
#include "kernel/file.h"
#include "model/assignment.h"
#include "plan/stub.h"

/* What something is made from. */
struct origin {
    const struct assignment *a;
    const char *tier; /* NULL: not named */
    bool made_up;     /* nobody wrote the assignment */
};

static char *header(const struct origin *o, struct err *e)
{
    (void)e;
    return kernel_file_header(o->a->kernel_file);
}

static char *page(const struct origin *o, struct err *e)
{
    (void)e;
    return kernel_page(o->a, !o->made_up);
}

static char *template(const struct origin *o, struct err *e)
{
    const struct assignment *a = o->a;
    const char *name = o->tier;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    const int i = name ? assignment_tier(a, name) : 0;
    if (i < 0) {
        char hint[SIMILAR_HINT];
        for (unsigned t = 0; t < a->tiers_count; t++)
            strbuf_addf(&sb, "%s%s", t ? ", " : "", a->tiers[t].name);
        similar_hint(name, sb.s, hint);
        err_input(e, "there is no tier '%s'%s; the assignment has %s", name, hint, sb.s);
        return NULL;
    }
    stub_add(&sb, &a->tiers[i], a->tiers[i].sources[0]);
    return strbuf_detach(&sb);
}

/* What is made from a kernel file. */
static const struct made {
    const char *word;
    char *(*text)(const struct origin *o, struct err *e);
    int words; /* after it, at most */
} made[] = {{"header", header, 1}, {"page", page, 1}, {"template", template, 2}};

static int print_made(const struct made *m, const struct kernel_assignment *k, const char *tier,
                      struct err *e)
{
    struct assignment *a;
    if (assignment_load(k->path, &a, e) != 0)
        return -1;
    const struct origin o = {a, tier, k->made_up != NULL};
    OWNED char *text = a->kernel_file ? m->text(&o, e) : NULL;
    int rc = text ? 0 : -1;
    if (!a->kernel_file)
        err_input(e, "%s: the kernel %s is built in: its header is %s.h", k->path, a->kernel->name,
                  a->kernel->problem);
    if (text)
        fputs(text, stdout);
    assignment_free(a);
    return rc;
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    bool right = true;
    int rc = -1;
    const int words = (int)o->operands - 1;
    const char *word = words > 0 ? o->operand[0] : "";
    const struct made *m = NULL;
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (strcmp(word, made[i].word) == 0 && words <= made[i].words)
            m = &made[i];
    if (!m && (strcmp(word, "check") != 0 || words != 1))
        return command_usage(&cmd_kernel, "give the word header, template, page or check, and a "
                                          "kernel file or an assignment");
    struct kernel_assignment k;
    if (kernel_assignment_find(o->operand[1], &k, &e) == 0)
        rc = m ? print_made(m, &k, words > 1 ? o->operand[2] : NULL, &e)
               : kernel_check(k.path, o->json, &right, &e);
    kernel_assignment_end(&k);
    if (rc != 0)
        return command_error(&cmd_kernel, &e);
    return right ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_kernel = {
    .name = "kernel",
    .usage = "kernel [options] header|template|page|check FILE [TIER]",
    .summary = "a kernel in a file: print what students get, or check that it is right",
    .more = "FILE is the kernel file or an assignment that names it. A kernel file is taken\n"
            "with the cases and tiers of the assignment beside it or in the directory above.\n"
            "\n"
            "header: prints what students include: the prototype of the function in each\n"
            "kind of tier. Each build has it already; editors and other compilers need it.\n"
            "\n"
            "template: prints a source for a tier, the first one if none is named, which\n"
            "compiles and computes nothing. `paragrade start` writes those of all tiers.\n"
            "page: prints a page for students in Markdown: what is computed, how it is\n"
            "checked, an example, the tiers.\n"
            "\n"
            "check: runs the trusted source on all cases for correctness. Does it give the\n"
            "results of the examples and of the second source, always the same ones? Does\n"
            "it write every element? Would a program pass that computes nothing? Does each\n"
            "input matter? Could rounding decide?\n"
            "\n"
            "examples:\n"
            "  paragrade kernel header testcases/dot/assignment.yaml >my_work/dot.h\n"
            "  paragrade kernel template testcases/dot/assignment.yaml mpi >mpi.c\n"
            "  paragrade kernel check testcases/dot/kernel/dot.yaml\n"
            "\n"
            "exit status: 0 printed, or nothing is wrong; 1 something is wrong, or the\n"
            "machine failed; 2 bad arguments or a file that is wrong\n",
    .bit = on_kernel,
    .most = OPERANDS_MANY,
    .run = run,
};
