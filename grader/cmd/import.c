#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/instant.h"
#include "base/plural.h"
#include "base/term.h"
#include "cmd/command.h"
#include "import/class_import.h"

struct import_args {
    struct import_request request;
    int64_t deadline;
};

static int take_platform(struct import_args *a, const char *name, struct err *e)
{
    for (int i = 0; i < SCHEME_COUNT; i++)
        if (strcmp(scheme_names[i], name) == 0) {
            a->request.wanted = (enum scheme)i;
            return 0;
        }
    return err_input(e,
                     "--from is canvas, moodle, gradescope, github, blackboard, brightspace or "
                     "directories, not '%s'",
                     name);
}

static int take(void *with, int option, char *value, struct err *e)
{
    struct import_args *a = with;
    switch (option) {
    case 't':
        a->request.to = value;
        return 0;
    case 'g':
        a->request.gradebook = value;
        return 0;
    case 'f':
        return take_platform(a, value, e);
    case 'p':
        a->request.prefix = value;
        a->request.wanted = SCHEME_GITHUB;
        return 0;
    default:
        a->request.deadline = &a->deadline;
        return instant_parse_local(value, &a->deadline, e) == 0 ? 0 : err_context(e, "--deadline");
    }
}

static void print_lines(const char *text, size_t count, size_t shown)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        term_print(stderr, 2, "%.*s\n", (int)n, text);
    }
    if (count > shown)
        fprintf(stderr, "... and %zu more\n", count - shown);
}

static void print_too_late(const struct import_outcome *o)
{
    if (!o->too_late_count)
        return;
    term_print(stderr, 2, "%zu %s handed in only after the deadline, and %s left out:\n",
               o->too_late_count, plural(o->too_late_count, "student has", "students have"),
               plural(o->too_late_count, "is", "are"));
    print_lines(o->too_late.s, 0, 0);
}

static void print_stay(const struct import_outcome *o)
{
    if (!o->stay_count)
        return;
    term_print(stderr, 2,
               "%zu %s handed in again after the deadline; the work that an earlier import took "
               "stays:\n",
               o->stay_count, plural(o->stay_count, "student has", "students have"));
    print_lines(o->stay.s, 0, 0);
}

/* Nobody may notice that the time of an earlier attempt is still there. */
static void print_untimed(const char *to, const struct import_outcome *o)
{
    size_t kept = 0;
    for (const char *p = o->kept_times.s; (p = strchr(p, '\n')); p++)
        kept++;
    const size_t unknown = o->untimed - kept;
    char *times = xasprintf("%s/submitted.csv", to);
    if (unknown && fs_exists(times))
        term_print(stderr, 2, "the time of %zu %s is not known; submitted.csv leaves %s out\n",
                   unknown, plural(unknown, "submission", "submissions"),
                   plural(unknown, "it", "them"));
    else if (unknown)
        term_print(stderr, 2, "the time of %zu %s is not known, so there is no submitted.csv\n",
                   unknown, plural(unknown, "submission", "submissions"));
    free(times);
    if (!kept)
        return;
    term_print(stderr, 2,
               "the time of %zu %s is not known; submitted.csv keeps the earlier %s; check %s:\n",
               kept, plural(kept, "submission", "submissions"), plural(kept, "row", "rows"),
               plural(kept, "it", "them"));
    print_lines(o->kept_times.s, 0, 0);
}

/* Two people of one name, or the first name of one is the last name of the other. */
static void print_unclear(const struct import_outcome *o)
{
    if (!o->unclear_count)
        return;
    term_print(stderr, 2,
               "%zu %s handed in whose %s not say who %s in the gradebook, so %zu %s of the "
               "gradebook %s not in the roster:\n",
               o->unclear_count, plural(o->unclear_count, "student", "students"),
               plural(o->unclear_count, "name does", "names do"),
               plural(o->unclear_count, "that is", "they are"), o->left_out,
               plural(o->left_out, "student", "students"), plural(o->left_out, "is", "are"));
    print_lines(o->unclear.s, 0, 0);
}

static void print_class(const struct import_request *q, const struct import_outcome *o)
{
    if (!q->gradebook)
        return;
    if (o->unlisted_count) {
        term_print(stderr, 2, "%zu %s handed in, and %s not in the gradebook:\n", o->unlisted_count,
                   plural(o->unlisted_count, "student has", "students have"),
                   plural(o->unlisted_count, "is", "are"));
        print_lines(o->unlisted.s, 0, 0);
    }
    print_unclear(o);
    if (o->unlisted_count || o->unclear_count)
        term_print(stderr, 2,
                   "to say who somebody is, write a value of the gradebook into the row of "
                   "%s/roster.csv, for example the address in a column email, and import again\n",
                   q->to);
    term_print(stdout, 2, "%zu of %zu %s of the gradebook handed in nothing%s\n", o->absent,
               o->enrolled, plural(o->enrolled, "student", "students"),
               o->absent ? "; in the roster, too" : "");
}

static void print_outcome(const struct import_request *q, const struct import_outcome *o)
{
    const size_t taken = o->students - o->too_late_count - o->stay_count;
    char *to = display_path(q->to), *roster = xasprintf("%s/roster.csv", q->to);
    char *shown = display_path(roster);
    print_lines(o->remarks.text.s, o->remarks.count, REMARKS_SHOWN);
    print_lines(o->prefixes.s, 0, 0);
    print_too_late(o);
    print_stay(o);
    print_untimed(q->to, o);
    print_class(q, o);
    term_print(stdout, 2, "%zu %s of %zu %s imported into %s\n", taken,
               plural(taken, "submission", "submissions"), o->students,
               plural(o->students, "student", "students"), to);
    term_print_command(stdout, 2, "next: paragrade grade --roster %s %s\n", shown, to);
    free(shown);
    free(roster);
    free(to);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"to", required_argument, NULL, 't'},        {"from", required_argument, NULL, 'f'},
        {"gradebook", required_argument, NULL, 'g'}, {"prefix", required_argument, NULL, 'p'},
        {"deadline", required_argument, NULL, 'd'},  {NULL, 0, NULL, 0},
    };
    struct import_args a = {.request = {.wanted = SCHEME_COUNT}};
    struct err e = ERR_INIT;
    const struct command_options o = {options, "t:", take, &a};
    const int status = command_options(&cmd_import, &o, argc, argv);
    if (status != COMMAND_GO_ON)
        return status;
    if (optind == argc)
        return command_usage(&cmd_import, "give an archive or a directory from the platform");
    if (!a.request.to)
        return command_usage(&cmd_import, "give --to DIR, the directory for the submissions");
    a.request.sources = argv + optind;
    a.request.count = (size_t)(argc - optind);
    struct import_outcome out;
    const int rc = class_import(&a.request, &out, &e);
    const bool whole = out.remarks.count == 0 && out.unclear_count == 0;
    if (rc == 0)
        print_outcome(&a.request, &out);
    import_outcome_free(&out);
    return rc != 0 ? command_error(&cmd_import, &e) : whole ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_import = {
    .name = "import",
    .usage = "import [options] --to DIR SOURCE...",
    .summary = "make submission directories and a roster from a download of Canvas, Moodle, "
               "Gradescope, GitHub Classroom, Blackboard, Brightspace",
    .help = "  -t, --to DIR       where to make them, for example student_impls\n"
            "  --deadline TIME    of each student, take the last attempt that is not later:\n"
            "                       2026-03-12T23:59:00+01:00; without +01:00, it is the\n"
            "                       local time of this machine\n"
            "  --gradebook FILE   the gradebook of the course, as CSV: the roster gets real\n"
            "                       names, and the students who have handed in nothing\n"
            "  --from PLATFORM    canvas, moodle, gradescope, github, blackboard,\n"
            "                       brightspace, or directories (each\n"
            "                       directory or archive is a student). Default: find out\n"
            "  --prefix TEXT      GitHub Classroom: what the names of the repositories begin\n"
            "                       with, for example gemm-. Default: what they share\n"
            "\n"
            "SOURCE is the archive that was downloaded, or a directory with its contents.\n"
            "Archives inside it are unpacked. Of several attempts, the last one counts.\n"
            "DIR gets a directory for each student; roster.csv; and submitted.csv with the\n"
            "times that are known. Import again, or into the same DIR, at any time: what was\n"
            "added to roster.csv stays. docs/gradebooks.md has the details.\n"
            "\n"
            "exit status: 0 all was imported, 1 something was left out, and was named, or the\n"
            "machine failed, 2 bad arguments, or a source that cannot be read\n"
            "\n"
            "examples:\n"
            "  paragrade import --to student_impls submissions.zip\n"
            "  paragrade import -t submissions --deadline '2026-03-12 23:59' gemm-submissions\n",
    .run = run,
};
