#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/output_file.h"
#include "cmd/scored_run.h"
#include "pages/moodle_zip.h"
#include "pages/pages.h"
#include "report/receipt.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/similar_sources.h"
#include "report/text.h"
#include "rundir/find_submission.h"
#include "rundir/paths.h"

/* The student who gets this learns no directory of the instructor: a run elsewhere is named only.
 * The caller frees it. */
static char *name_for_students(const struct run *r)
{
    char *name = locate_run_name(r->dir);
    if (name[strspn(name, "'")] != '/')
        return name;
    free(name);
    return xstrdup(text_run_name(r));
}

static int print_student(const struct options *a, const struct run *r, const struct results *res,
                         const struct scoreboard *b, int student, struct err *e)
{
    OWNED char *name = name_for_students(r);
    json_auto_t *receipts = receipt_load(r->dir);
    const struct student_view v = {student, name, receipt_of(receipts, (unsigned)student), 0};
    int rc = 0;
    if (a->json)
        rc = report_print_student_json(r, res, b, &v, stdout, e);
    else
        report_print_student(r, res, b, &v, stdout);
    return rc;
}

/* The pages that were written to a->all, for Moodle. */
static int write_moodle(const struct options *a, const struct run *r, struct err *e)
{
    struct moodle_zip z;
    const int rc = moodle_zip_write(r, a->all, a->moodle, &z, e);
    if (rc == 0 && z.left_out_count)
        term_print(stderr, 2, "%u %s no number in the column moodle_id, and %s left out:\n%s",
                   z.left_out_count, plural(z.left_out_count, "student has", "students have"),
                   plural(z.left_out_count, "is", "are"), z.left_out.s);
    if (rc == 0)
        printf("for Moodle, of %u %s: %s\n", z.students, plural(z.students, "student", "students"),
               a->moodle);
    strbuf_free(&z.left_out);
    return rc;
}

/* The pairs of sources that resemble each other: those that were written, or searched for now. */
static void find_similar(struct scored_run *x)
{
    if (!x->written)
        x->similar.count = similar_rows(&x->run, &x->similar.row);
}

static int write_pages(const struct options *a, struct scored_run *x, struct err *e)
{
    const struct run *r = &x->run;
    struct leaderboard l = {NULL, 0};
    struct pages_written w;
    if (a->leaderboard && leaderboard_read(a->leaderboard, r->plan, &l, e) != 0)
        return -1;
    const struct pages_request q = {
        .dir = a->all, .leaderboard = a->leaderboard ? &l : NULL, .similar = &x->similar};
    find_similar(x);
    const int rc = pages_write(r, &x->results, &x->board, &q, &w, e);
    leaderboard_free(&l);
    if (rc != 0)
        return rc;
    if (w.no_pictures.kind != ERR_NONE)
        term_print(stderr, 2, "paragrade report: the pages have no pictures: %s\n",
                   w.no_pictures.text);
    printf("feedback for %u %s: %s/index.html\n", w.students,
           plural(w.students, "student", "students"), a->all);
    return a->moodle ? write_moodle(a, r, e) : 0;
}

static int print(const struct options *a, struct scored_run *x, struct err *e)
{
    const struct run *r = &x->run;
    const struct results *res = &x->results;
    const struct scoreboard *b = &x->board;
    const int student = a->student ? find_submission(r->plan, a->student, e) : -1;
    if (a->student && student < 0)
        return -1;
    if (a->all)
        return write_pages(a, x, e);
    if (a->roofline)
        return roofline_picture(r, res, b, student, a->roofline, e);
    if (a->student)
        return print_student(a, r, res, b, student, e);
    if (a->json)
        return report_print_json(r, res, b, stdout, e);
    find_similar(x);
    report_print_class(r, res, b, x->similar.count, a->details, stdout);
    return 0;
}

/* Say which of the files with which times are compared are missing. Returns how many units cannot
 * be graded because of that. */
static unsigned tell_not_gradable(const struct run *r, const struct results *res,
                                  const struct scoreboard *b)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!b->unit[i].not_gradable)
            continue;
        if (!results_node(res, u)) {
            OWNED char *path = rundir_node(r->dir, u->host, u->yardstick);
            term_print(stderr, 2, "paragrade report: %s: %s: %s\n", r->plan->units[i].id,
                       b->unit[i].not_gradable, path);
        }
        count++;
    }
    if (count)
        term_print(stderr, 2,
                   "paragrade report: the times of %u %s cannot be graded. They do not count, and "
                   "no points are lost. Put the missing files back, or run again what has no time: "
                   "paragrade regrade --only SUBMISSION.TIER RUN\n",
                   count, plural(count, "unit", "units"));
    return count;
}

/* What a program that asks for the files alone wants to know: is the run complete? Returns the exit
 * status. */
static int tell_files(const struct scored_run *x)
{
    const unsigned total = x->results.unit_count;
    unsigned known = 0;
    for (unsigned i = 0; i < total; i++)
        known += x->results.unit[i] != NULL;
    printf("%u of %u %s a result\n", known, total, plural(total, "unit has", "units have"));
    return x->written && known == total ? EXIT_OK : EXIT_UNFINISHED;
}

static int run(const struct options *a)
{
    struct err e = ERR_INIT;
    FREED_BY(scored_run_close) struct scored_run x = {0};
    if (scored_run_open(&cmd_report, a->run_name, a->csv_only, &x, &e) != 0)
        return command_error(&cmd_report, &e);
    int status = a->csv_only ? tell_files(&x) : EXIT_OK;
    const int rc = a->csv_only ? 0 : print(a, &x, &e);
    if (tell_not_gradable(&x.run, &x.results, &x.board) > 0)
        status = EXIT_FAILURES;
    return rc == 0 ? status : command_error(&cmd_report, &e);
}

static int check(const struct options *a)
{
    struct err e = ERR_INIT;
    if (a->csv_only && (a->student || a->json))
        return command_usage(&cmd_report,
                             "--csv-only prints no table: not with --student or --json");
    if (a->roofline && (a->csv_only || a->json))
        return command_usage(&cmd_report,
                             "--roofline prints nothing: not with --csv-only or --json");
    if (a->all && (a->student || a->csv_only || a->json || a->roofline))
        return command_usage(&cmd_report, "--all writes the pages of all students: not with "
                                          "--student, --json, --csv-only or --roofline");
    if (a->roofline && output_is_stdout(a->roofline))
        return command_usage(&cmd_report, "--roofline writes a file; give its name instead of -");
    if (a->leaderboard && !a->all)
        return command_usage(&cmd_report, "--leaderboard goes with --all");
    if (a->moodle && !a->all)
        return command_usage(&cmd_report, "--moodle goes with --all");
    if (a->moodle && output_is_stdout(a->moodle))
        return command_usage(&cmd_report, "--moodle writes a file; give its name instead of -");
    if (a->moodle && output_check(a->moodle, &e) != 0)
        return command_error(&cmd_report, &e);
    if (a->roofline && output_check(a->roofline, &e) != 0)
        return command_error(&cmd_report, &e);
    return COMMAND_GO_ON;
}

const struct command cmd_report = {
    .name = "report",
    .usage = "report [options] [RUN]",
    .summary = "score a run again from its results; write and print the tables",
    .more = "RUN is a run directory or the name of one under reports/. Units that have no\n"
            "result yet are left out. Nothing is run again. While another process is working\n"
            "on the run, and where its directory is read-only, the tables are printed, but no\n"
            "file in it is written.\n"
            "\n"
            "exit status: 0 written or printed, 1 some times cannot be graded, because the\n"
            "record of a node or a result of the reference is missing, 2 bad arguments or no\n"
            "such run, 3 with --csv-only: units have no result yet, or another process is\n"
            "working on the run\n"
            "\n"
            "examples:\n"
            "  paragrade report reports/gemm-i32-20261121-101500\n"
            "  paragrade report --student alice gemm-i32-20261121-101500\n"
            "  paragrade report --tsv gemm-i32-20261121-101500 | cut -f1,2\n"
            "  paragrade report --roofline roofline.svg gemm-i32-20261121-101500\n"
            "  paragrade report --all feedback gemm-i32-20261121-101500\n",
    .bit = on_report,
    .runs = RUNS_OF_ALL,
    .most = 1,
    .check = check,
    .run = run,
};
