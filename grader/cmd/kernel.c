/* kernel.c - what an instructor makes from a kernel file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/kernel_check.h"
#include "cmd/options.h"
#include "kernel/file.h"
#include "model/assignment.h"

static int print_header(const char *path, struct err *e)
{
    struct assignment *a;
    if (assignment_load(path, &a, e) != 0)
        return -1;
    char *header = a->kernel_file ? kernel_file_header(a->kernel_file) : NULL;
    const int rc = header ? 0
                          : err_input(e, "%s: the kernel %s is built in: its header is %s.h", path,
                                      a->kernel->name, a->kernel->problem);
    if (header)
        fputs(header, stdout);
    free(header);
    assignment_free(a);
    return rc;
}

static int run(int argc, char **argv)
{
    struct options o = {0};
    struct err e = ERR_INIT;
    bool right = true;
    int rc = -1;
    const int status = options_read(&cmd_kernel, &o, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    const char *word = argc - optind == 2 ? argv[optind] : "";
    if (strcmp(word, "header") == 0)
        rc = print_header(argv[optind + 1], &e);
    else if (strcmp(word, "check") == 0)
        rc = kernel_check(argv[optind + 1], o.json, &right, &e);
    else
        return command_usage(&cmd_kernel, "give the word header or check, and an assignment file");
    if (rc != 0)
        return command_error(&cmd_kernel, &e);
    return right ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_kernel = {
    .name = "kernel",
    .usage = "kernel [options] header|check ASSIGNMENT",
    .summary = "of a kernel in a file: print its header, or check that the exercise is right",
    .more = "header: prints what students include: the prototype of the function in each\n"
            "kind of tier. Each build has it already; editors and other compilers need it.\n"
            "\n"
            "check: runs the trusted source on all cases for correctness. Does it give the\n"
            "results of the examples and of the second source, always the same ones? Does\n"
            "it write every element? Would a program pass that computes nothing? Does each\n"
            "input matter? The page kernels of the documentation lists the checks.\n"
            "\n"
            "examples:\n"
            "  paragrade kernel header testcases/dot/assignment.yaml >my_work/dot.h\n"
            "  paragrade kernel check testcases/dot/assignment.yaml\n"
            "\n"
            "exit status: 0 printed, or nothing is wrong; 1 something is wrong, or the\n"
            "machine failed; 2 bad arguments or a file that is wrong\n",
    .bit = on_kernel,
    .run = run,
};
