#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/instant.h"
#include "base/plural.h"
#include "base/term.h"
#include "cmd/options.h"
#include "import/class_import.h"

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
    OWNED char *times = xasprintf("%s/submitted.csv", to);
    if (unknown && fs_exists(times))
        term_print(stderr, 2, "the time of %zu %s is not known; submitted.csv leaves %s out\n",
                   unknown, plural(unknown, "submission", "submissions"),
                   plural(unknown, "it", "them"));
    else if (unknown)
        term_print(stderr, 2, "the time of %zu %s is not known, so there is no submitted.csv\n",
                   unknown, plural(unknown, "submission", "submissions"));
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
                   "to say who somebody is, write an id or the address of the gradebook into the "
                   "row of %s/roster.csv, not into name but into a column such as email, and "
                   "import again\n",
                   q->to);
    term_print(stdout, 2, "%zu of %zu %s of the gradebook handed in nothing%s\n", o->absent,
               o->enrolled, plural(o->enrolled, "student", "students"),
               o->absent ? "; in the roster, too" : "");
}

static void print_outcome(const struct import_request *q, const struct import_outcome *o)
{
    const size_t taken = o->students - o->too_late_count - o->stay_count;
    OWNED char *to = display_path(q->to), *roster = xasprintf("%s/roster.csv", q->to);
    OWNED char *shown = display_path(roster);
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
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    int64_t deadline;
    if (o->deadline && instant_parse_local(o->deadline, &deadline, &e) != 0) {
        err_context(&e, "--deadline");
        return command_error(&cmd_import, &e);
    }
    if (!o->operands)
        return command_usage(&cmd_import, "give an archive or a directory from the platform");
    if (!o->to)
        return command_usage(&cmd_import, "give --to DIR, the directory for the submissions");
    const struct import_request request = {.to = o->to,
                                           .gradebook = o->gradebook,
                                           .wanted = (enum scheme)o->platform,
                                           .prefix = o->prefix,
                                           .deadline = o->deadline ? &deadline : NULL,
                                           .sources = o->operand,
                                           .count = o->operands};
    FREED_BY(import_outcome_free) struct import_outcome out = {0};
    const int rc = class_import(&request, &out, &e);
    const bool whole = out.remarks.count == 0 && out.unclear_count == 0;
    if (rc == 0)
        print_outcome(&request, &out);
    return rc != 0 ? command_error(&cmd_import, &e) : whole ? EXIT_OK : EXIT_FAILURES;
}

const struct command cmd_import = {
    .name = "import",
    .usage = "import [options] --to DIR SOURCE...",
    .summary = "make submissions and a roster from a download of your platform",
    .about = "From Canvas, Moodle, Gradescope, GitHub Classroom, Blackboard or Brightspace.\n",
    .more = "SOURCE is the archive that was downloaded, or a directory with its contents.\n"
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
    .bit = on_import,
    .most = OPERANDS_MANY,
    .run = run,
};
