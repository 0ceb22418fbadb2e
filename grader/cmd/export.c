#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/plural.h"
#include "base/term.h"
#include "cmd/options.h"
#include "cmd/output_file.h"
#include "cmd/read_results.h"
#include "export/export.h"

enum { LISTED_MOST = 20 };

/* The first lines of a list. */
static void print_list(const char *title, const struct strbuf *lines, size_t count)
{
    const char *p = lines->s;
    if (!count)
        return;
    term_print(stderr, 2, "%zu %s %s:\n", count, plural(count, "student is", "students are"),
               title);
    for (size_t i = 0; i < count && i < LISTED_MOST; i++) {
        const size_t n = strcspn(p, "\n");
        fprintf(stderr, "  %.*s\n", (int)n, p);
        p += n + 1;
    }
    if (count > LISTED_MOST)
        fprintf(stderr, "  ... and %zu more\n", count - LISTED_MOST);
}

static void print_outcome(const struct options *a, const struct gradebook_outcome *o)
{
    FILE *to = output_is_stdout(a->output) ? stderr : stdout;
    OWNED char *shown = output_shown(a->output);
    print_list("in the gradebook, but not in the run; their grades stay", &o->not_in_run,
               o->not_in_run_count);
    print_list("in the run, but not in the gradebook", &o->not_in_gradebook,
               o->not_in_gradebook_count);
    print_list("without a tier that counts (grades.csv says why); the field stays as it is",
               &o->ungraded, o->ungraded_count);
    print_list("marked with a word and not with a grade; the field stays as it is", &o->remarked,
               o->remarked_count);
    if (o->uncounted)
        term_print(stderr, 2,
                   "%zu %s tiers that do not count (grades.csv says why), so their maximum is "
                   "smaller%s\n",
                   o->uncounted, plural(o->uncounted, "student has", "students have"),
                   a->out_of > 0 ? "" : "; with --out-of N, points are in proportion to it");
    const double most = a->out_of > 0 ? a->out_of : o->points_most;
    if (o->maximum > 0 && (o->maximum > most * 1.0001 || o->maximum < most * 0.9999))
        term_print(stderr, 2,
                   "the maximum of the column is %g, but the points are out of %g; use --out-of "
                   "%g if they should fit\n",
                   o->maximum, most, o->maximum);
    fprintf(to, "%zu %s written into the column '%s' of %s", o->filled,
            plural(o->filled, "grade", "grades"), o->column, shown);
    if (o->replaced)
        fprintf(to, "; %zu %s another one before", o->replaced, plural(o->replaced, "was", "were"));
    fprintf(to, "\nstudents were found by %s\n", o->matched.s);
}

/* 0: every student got a grade; 1: not every one. */
static int export_csv(const struct graded_run *g, const struct options *a, struct err *e)
{
    const struct gradebook_request q = {
        .kind = a->format == EXPORT_CANVAS ? GRADEBOOK_CANVAS : GRADEBOOK_MOODLE,
        .from = a->file,
        .column = a->column,
        .out_of = a->out_of,
    };
    FREED_BY(gradebook_outcome_free) struct gradebook_outcome out = {0};
    int rc = export_gradebook(g, &q, &out, e);
    if (rc == 0)
        rc = output_write(a->output, out.file.s, out.file.len, e);
    if (rc == 0) {
        print_outcome(a, &out);
        rc = out.not_in_gradebook_count || out.ungraded_count ? 1 : 0;
    }
    return rc;
}

/* 0: every student got a score; 1: not every one. */
static int export_scores(const struct graded_run *g, const char *dir, struct err *e)
{
    struct gradescope_outcome out;
    int rc = export_gradescope(g, dir, &out, e);
    if (rc == 0) {
        print_list("without a tier that counts (grades.csv says why); there is no results.json",
                   &out.ungraded, out.ungraded_count);
        rc = out.ungraded_count ? 1 : 0;
    }
    strbuf_free(&out.ungraded);
    return rc;
}

/* A text for another program. */
static int export_text(const struct graded_run *g, const struct options *a, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    int rc = 0;
    if (a->format == EXPORT_JUNIT)
        export_junit(g, &text);
    else
        rc = export_jsonl(g, &text, e);
    if (rc == 0)
        rc = output_write(a->file, text.s, text.len, e);
    return rc;
}

static int export_one(const struct graded_run *g, const struct options *a, struct err *e)
{
    if (a->format == EXPORT_CANVAS || a->format == EXPORT_MOODLE)
        return export_csv(g, a, e);
    const int rc =
        a->format == EXPORT_GRADESCOPE ? export_scores(g, a->file, e) : export_text(g, a, e);
    if (rc >= 0 && !output_is_stdout(a->file)) {
        OWNED char *shown = display_path(a->file);
        printf("written: %s\n", shown);
    }
    return rc;
}

/* A run whose points nobody should enter anywhere. */
static int check_run(const struct run *r, const struct results *res, const struct options *a,
                     struct err *e)
{
    const unsigned left = results_left(res);
    const bool points = a->format != EXPORT_JSONL && a->format != EXPORT_JUNIT;
    if (left)
        return err_input(e,
                         "the run is not finished: %u %s no result; continue it with `paragrade "
                         "resume`",
                         left, plural(left, "unit has", "units have"));
    if (r->plan->sweep)
        return err_input(e, "the run is a sweep, which gives no points");
    if (points && subset_is_part(&r->plan->only))
        return err_input(e, "the run is a partial check, which gives no points");
    return 0;
}

static int run(const struct options *a, struct run *r)
{
    FREED_BY(results_free) struct results res = {0};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    struct err e = ERR_INIT;
    if (read_results(&cmd_export, r, &res, &e) != 0)
        return command_error(&cmd_export, &e);
    results_end(r, &res);
    score_run(r, &res, &b);
    const struct graded_run g = {r, &res, &b};
    int rc = check_run(r, &res, a, &e), status;
    if (rc != 0 && results_left(&res)) {
        command_error(&cmd_export, &e);
        status = EXIT_UNFINISHED;
    } else {
        rc = rc != 0 ? rc : export_one(&g, a, &e);
        status = rc < 0 ? command_error(&cmd_export, &e) : rc == 1 ? EXIT_FAILURES : EXIT_OK;
    }
    return status;
}

static int check(const struct options *a)
{
    struct err e = ERR_INIT;
    const char *written = a->output ? a->output : a->format == EXPORT_GRADESCOPE ? NULL : a->file;
    const bool gradebook = a->format == EXPORT_CANVAS || a->format == EXPORT_MOODLE;
    if (a->format == EXPORT_NONE || a->formats)
        return command_usage(&cmd_export, "give one of --canvas, --moodle, --gradescope, "
                                          "--junit and --jsonl");
    if (gradebook && !a->output)
        return command_usage(&cmd_export, "give --output FILE, for the gradebook with grades");
    if (!gradebook && (a->output || a->column || a->out_of > 0))
        return command_usage(&cmd_export,
                             "--output, --column and --out-of are for --canvas and --moodle");
    if (a->format == EXPORT_GRADESCOPE && output_is_stdout(a->file))
        return command_usage(&cmd_export,
                             "--gradescope writes a directory; give its name instead of -");
    if (written && output_check(written, &e) != 0)
        return command_error(&cmd_export, &e);
    return COMMAND_GO_ON;
}

const struct command cmd_export = {
    .name = "export",
    .usage = "export FORMAT [options] [RUN]",
    .summary = "write the grades of a run into a gradebook or for other programs",
    .about = "FORMAT is one of --canvas, --moodle, --gradescope, --junit and --jsonl.\n",
    .more = "FILE may be - for standard output, where a file is written.\n"
            "\n"
            "Only fields of that column change. Everything else in the gradebook stays as it\n"
            "is, byte by byte. docs/gradebooks.md says how students are found.\n"
            "\n"
            "exit status: 0 written, 1 written, but some students are not in the gradebook,\n"
            "or have no tier that counts; or the machine failed, 2 bad arguments or input,\n"
            "3 the run is not finished\n"
            "\n"
            "examples:\n"
            "  paragrade export --canvas gradebook.csv -o filled.csv gemm-i32-20261121-101500\n"
            "  paragrade export --junit results.xml gemm-i32-20261121-101500\n",
    .bit = on_export,
    .runs = RUNS_OF_REPORTS,
    .most = 1,
    .check = check,
    .with_run = run,
};
