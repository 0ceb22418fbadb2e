#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/inherited_files.h"
#include "base/inherited_limits.h"
#include "base/proc.h"
#include "base/similar.h"
#include "base/term.h"
#include "base/version.h"
#include "cmd/options.h"

static const struct command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "cmd/commands.def"
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Prints that there is no such command, and one with a similar name. Returns EXIT_USAGE. */
static int no_such_command(const char *name)
{
    const char *near = NULL;
    unsigned least = UINT_MAX;
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (similar_more(name, commands[i]->name, &least))
            near = commands[i]->name;
    fprintf(stderr, "paragrade: there is no command '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputs(near ? "\n" : "; `paragrade --help` lists them\n", stderr);
    return EXIT_USAGE;
}

static void print_overview(FILE *f)
{
    fputs("usage: paragrade [--color=auto|always|never] COMMAND [options] ...\n\n"
          "Grade the implementations of a parallel-programming course: build, run, check,\n"
          "measure, tabulate; on this machine or through Slurm.\n",
          f);
    command_layout(f);
#define GROUP(users) fputs("\nfor " users ":\n", f);
#define COMMAND(name) term_print(f, 14, "  %-11s %s\n", #name, cmd_##name.summary);
#include "cmd/commands.def"
    term_layout(NULL, 0);
    fputs("\n  paragrade help COMMAND   options and examples of one command\n"
          "  paragrade --version      version and build\n\n"
          "exit status: 0 all well, 1 failures found or the machine failed, 2 bad arguments\n"
          "or input, 3 unfinished (run it again, or resume)\n",
          f);
}

static int help(const char *name)
{
    if (!name) {
        print_overview(stdout);
        return EXIT_OK;
    }
    const struct command *c = find_command(name);
    if (!c)
        return no_such_command(name);
    options_print_help(c);
    return EXIT_OK;
}

/* A full disk or a closed pipe shows only when stdout is flushed. Without this check, a report
 * could be cut short and the exit status would still be 0. */
static int finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("paragrade: writing standard output");
        return status == EXIT_OK ? EXIT_FAILURES : status;
    }
    return status;
}

static bool set_color(const char *mode)
{
    if (strcmp(mode, "auto") == 0)
        term_set_color(TERM_COLOR_AUTO);
    else if (strcmp(mode, "always") == 0)
        term_set_color(TERM_COLOR_ALWAYS);
    else if (strcmp(mode, "never") == 0)
        term_set_color(TERM_COLOR_NEVER);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    inherited_files_keep();
    inherited_limits_raise();
    proc_default_path();
    signal(SIGCHLD, SIG_DFL); /* a parent may have left it ignored: then exit statuses are lost */
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {"color", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };
    int opt;
    while ((opt = getopt_long(argc, argv, "+hV", options, NULL)) != -1) {
        switch (opt) {
        case 'h':
            return finish(help(optind < argc ? argv[optind] : NULL));
        case 'V':
            puts("paragrade " PARAGRADE_VERSION);
            return finish(EXIT_OK);
        case 'c':
            if (set_color(optarg))
                break;
            fprintf(stderr, "paragrade: --color is auto, always or never, not '%s'\n", optarg);
            return EXIT_USAGE;
        default:
            fputs("Try: paragrade --help\n", stderr);
            return EXIT_USAGE;
        }
    }
    if (optind == argc) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[optind];
    if (strcmp(name, "help") == 0)
        return finish(help(optind + 1 < argc ? argv[optind + 1] : NULL));
    const struct command *c = find_command(name);
    if (!c)
        return no_such_command(name);
    return finish(command_line(c, argc - optind, argv + optind));
}
