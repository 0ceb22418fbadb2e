/* kernel.c - what an instructor makes from a kernel file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct options a = {0};
    struct err e = ERR_INIT;
    const int status = options_read(&cmd_kernel, &a, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    if (argc - optind != 2 || strcmp(argv[optind], "header") != 0)
        return command_usage(&cmd_kernel, "give the word header, and an assignment file");
    return print_header(argv[optind + 1], &e) == 0 ? EXIT_OK : command_error(&cmd_kernel, &e);
}

const struct command cmd_kernel = {
    .name = "kernel",
    .usage = "kernel header ASSIGNMENT",
    .summary = "print the header of a kernel in a file",
    .more = "Prints the header that students include: the prototype of the function in every\n"
            "kind of tier. Each build has it already; editors and other compilers need it.\n"
            "\n"
            "example:\n"
            "  paragrade kernel header testcases/dot/assignment.yaml >my_work/dot.h\n"
            "\n"
            "exit status: 0 printed, 1 the machine failed, 2 bad arguments or a file that is\n"
            "wrong\n",
    .bit = on_kernel,
    .run = run,
};
