#include "pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/parallel.h"
#include "base/term.h"
#include "pages/class_page.h"
#include "pages/student_page.h"
#include "report/receipt.h"
#include "report/report.h"

/* Files beside the students' directories. */
static const char *const reserved[] = {"index.html", "leaderboard.html", "leaderboard.csv"};

static int check_names(const struct plan *p, struct err *e)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        for (size_t k = 0; k < sizeof reserved / sizeof reserved[0]; k++)
            if (strcmp(p->submissions[i].id, reserved[k]) == 0)
                return err_input(e,
                                 "the submission '%s' has the name of a page of the class: "
                                 "rename its directory and grade again",
                                 p->submissions[i].id);
    return 0;
}

static int write_file(const char *dir, const char *name, const char *text, size_t len,
                      struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", dir, name);
    return fs_write_unsynced(path, text, len, e);
}

enum { COLUMNS = 80 }; /* of feedback.txt */

/* The terminal's report or its JSON, printed into memory. */
static int write_printed(const struct source *s, unsigned submission, const char *dir, bool json,
                         struct err *e)
{
    char *text = NULL;
    size_t len = 0;
    int rc = 0;
    const struct student_view v = {(int)submission, NULL, receipt_of(s->receipts, submission), 0};
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return err_system(e, "%s: no memory for a report", dir);
    if (json) {
        rc = report_print_student_json(s->run, s->results, s->board, &v, f, e);
    } else {
        term_layout(f, COLUMNS);
        report_print_student(s->run, s->results, s->board, &v, f);
        term_layout(NULL, 0);
    }
    if (fclose(f) != 0 && rc == 0)
        rc = err_system(e, "%s: no memory for a report", dir);
    if (rc == 0)
        rc = write_file(dir, json ? "feedback.json" : "feedback.txt", text, len, e);
    free(text);
    return rc;
}

static int write_student(const struct source *s, unsigned submission, const char *to,
                         const struct student_pictures *n, const struct standing *class,
                         struct err *e)
{
    OWNED char *dir = xasprintf("%s/%s", to, s->run->plan->submissions[submission].id);
    int rc = fs_mkdirs(dir, e);
    if (rc == 0) {
        OWNED char *html = student_page(s, submission, n, class);
        rc = write_file(dir, "feedback.html", html, strlen(html), e);
    }
    if (rc == 0)
        rc = write_printed(s, submission, dir, false, e);
    if (rc == 0)
        rc = write_printed(s, submission, dir, true, e);
    return rc;
}

static int write_class(const struct source *s, const struct pages_request *q,
                       const struct class_pictures *n, const struct standing *class, struct err *e)
{
    OWNED char *html = class_page(s, n, class, q->similar);
    return write_file(q->dir, "index.html", html, strlen(html), e);
}

/* Students whose pages are written side by side. While they are, whoever is told to end waits. */
enum { BATCH = 64 };

struct batch {
    const struct source *source;
    const char *dir;
    const struct student_pictures *pictures; /* of all submissions */
    const struct standing *class;
    unsigned first, count;
    int rc[BATCH];
    struct err why[BATCH];
};

static void write_one(void *arg, size_t i)
{
    struct batch *b = arg;
    const unsigned submission = b->first + (unsigned)i;
    b->rc[i] = b->source->run->plan->submissions[submission].is_reference
                   ? 0
                   : write_student(b->source, submission, b->dir, &b->pictures[submission],
                                   b->class, &b->why[i]);
}

static int write_batch(struct batch *b, struct err *e)
{
    sigset_t before;
    fs_hold_signals(&before);
    parallel_for(b->count, write_one, b);
    fs_release_signals(&before);
    for (unsigned i = 0; i < b->count; i++)
        if (b->rc[i] != 0) {
            *e = b->why[i];
            return -1;
        }
    return 0;
}

/* All pages; the pictures are drawn. index.html is the last one: it is complete when it is there.
 */
static int write_all(const struct source *s, const struct pages_request *q,
                     const struct student_pictures *student, const struct class_pictures *class,
                     struct pages_written *w, struct err *e)
{
    const struct plan *p = s->run->plan;
    FREED_BY(standing_free) struct standing st = {0};
    OWNED struct batch *b = xcalloc(1, sizeof *b);
    int rc = 0;
    standing_make(s, &st);
    *b = (struct batch){.source = s, .dir = q->dir, .pictures = student, .class = &st};
    for (; b->first < p->submissions_count && rc == 0; b->first += b->count) {
        b->count =
            p->submissions_count - b->first < BATCH ? p->submissions_count - b->first : BATCH;
        rc = write_batch(b, e);
    }
    for (unsigned i = 0; i < p->submissions_count; i++)
        w->students += !p->submissions[i].is_reference;
    if (rc == 0 && q->leaderboard)
        rc = leaderboard_write(s, q->leaderboard, q->dir, e);
    if (rc == 0)
        rc = write_class(s, q, class, &st, e);
    return rc;
}

int pages_write(const struct run *r, const struct results *res, const struct scoreboard *b,
                const struct pages_request *q, struct pages_written *w, struct err *e)
{
    *w = (struct pages_written){.no_pictures = ERR_INIT};
    if (r->plan->sweep)
        return err_input(e, "%s is a sweep: it has no submissions to write pages for", r->dir);
    if (check_names(r->plan, e) != 0 || fs_mkdirs(q->dir, e) != 0)
        return -1;
    FREED_BY(pictures_free) struct pictures pictures = PICTURES_INIT;
    json_auto_t *receipts = receipt_load(r->dir);
    const struct source s = {
        .run = r, .results = res, .board = b, .pictures = &pictures, .receipts = receipts};
    struct class_pictures class;
    OWNED struct student_pictures *student =
        xcalloc(r->plan->submissions_count + 1, sizeof *student);
    for (unsigned i = 0; i < r->plan->submissions_count; i++)
        if (!r->plan->submissions[i].is_reference)
            student_page_draw(&s, i, &pictures, &student[i]);
    class_page_draw(&s, &pictures, &class);
    (void)pictures_draw(&pictures, &w->no_pictures); /* the tables have the same numbers */
    return write_all(&s, q, student, &class, w, e);
}
