#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/disk_use.h"
#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/run_kind.h"
#include "cmd/run_state.h"
#include "cmd/site_files.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/results.h"
#include "rundir/run.h"

struct listed {
    char *name;
    double when; /* it was planned, or planned again: seconds since 1970 */
    char *what;  /* "57 students of a roster"; "" where the plan cannot be read */
    int students;
    const char *state;
    uint64_t bytes;
};

struct list {
    struct listed *item;
    size_t count;
};

static void list_free(struct list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->item[i].name);
        free(l->item[i].what);
    }
    free(l->item);
}

static const char *state_of(const struct run *r)
{
    if (run_is_locked(r->dir))
        return "running";
    if (!run_is_finished(r) && !(r->plan->self_test && run_reported(r))) /* check -x ends early */
        return "not finished";
    return run_reported(r) ? "done" : "no reports";
}

/* "alice: 3 passed, simd wrong-answer", of who is alone in a run. */
static char *verdicts_of(const struct run *r, const char *who)
{
    struct results res;
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    struct err ignored = ERR_INIT;
    unsigned passed = 0;
    if (results_load(r, &res, &ignored) < 0)
        return xstrdup(who);
    for (unsigned i = 0; i < res.unit_count; i++) {
        const struct unit_result *u = res.unit[i];
        const struct unit *of = &r->plan->units[i];
        if (!u || r->plan->submissions[of->submission].is_reference)
            continue;
        passed += u->verdict == VERDICT_PASS;
        if (u->verdict != VERDICT_PASS && u->verdict != VERDICT_MISSING &&
            u->verdict != VERDICT_SKIPPED)
            strbuf_addf(&out, ", %s %s", r->assignment->tiers[of->tier].name,
                        verdict_name(u->verdict));
    }
    results_free(&res);
    return xasprintf("%s: %u passed%s", who, passed, out.s);
}

static void look(const char *dir, struct listed *x)
{
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(run_kind_free) struct run_kind kind = {0};
    struct err ignored = ERR_INIT;
    x->bytes = disk_use(dir);
    if (run_open(dir, &r, &ignored) != 0) {
        x->state = "damaged";
        x->what = xstrdup("");
        return;
    }
    run_kind_of(r.plan, &kind);
    x->what = kind.purpose == RUN_CHECK && kind.students ? verdicts_of(&r, kind.student[0])
                                                         : run_kind_text(&kind);
    x->students = (int)kind.students;
    x->state = state_of(&r);
}

static int newest_first(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    return x->when != y->when ? (x->when < y->when) - (x->when > y->when)
                              : strcmp(y->name, x->name);
}

static int add_runs(const char *dir, struct list *l, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(dir, &names, &count, e) != 0)
        return -1;
    l->item = xrealloc_array(l->item, l->count + count + 1, sizeof *l->item);
    for (size_t i = 0; i < count; i++) {
        OWNED char *run = xasprintf("%s/%s", dir, names[i]), *plan = rundir_plan(run);
        struct stat st;
        if (names[i][0] != '.' && stat(plan, &st) == 0) {
            struct listed *x = &l->item[l->count++];
            *x = (struct listed){.name = xstrdup(names[i]),
                                 .when =
                                     (double)st.st_mtim.tv_sec + 1e-9 * (double)st.st_mtim.tv_nsec};
            look(run, x);
        }
    }
    return 0;
}

/* Of the reports, which need not be there unless somebody named them, and of the user's own tests.
 */
static int find(const char *reports, struct list *l, struct err *e)
{
    const char *dir = reports ? reports : site_reports();
    int rc = reports || fs_is_dir(dir) ? add_runs(dir, l, e) : 0;
    OWNED char *tests = locate_selftests();
    if (rc == 0 && !reports && fs_is_private_dir(tests))
        rc = add_runs(tests, l, e);
    if (l->count)
        qsort(l->item, l->count, sizeof *l->item, newest_first);
    return rc;
}

static void date_text(double seconds, char out[32])
{
    const time_t when = (time_t)seconds;
    struct tm tm;
    strftime(out, 32, "%Y-%m-%d %H:%M", localtime_r(&when, &tm));
}

static void print_table(const struct list *l)
{
    static const struct term_column columns[] = {{"run", TERM_LEFT},       {"date", TERM_LEFT},
                                                 {"state", TERM_LEFT},     {"size", TERM_SPARE},
                                                 {"students", TERM_SPARE}, {"what", TERM_CUT}};
    struct term_table *t = term_table_new(NULL);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < l->count; i++) {
        const struct listed *x = &l->item[i];
        char size[DISK_USE_TEXT], date[32];
        date_text(x->when, date);
        const bool done = strcmp(x->state, "done") == 0;
        term_table_cell(t, TERM_BOLD, "%s", x->name);
        term_table_cell(t, TERM_PLAIN, "%s", date);
        term_table_cell(t, done ? TERM_PLAIN : TERM_YELLOW, "%s", x->state);
        term_table_cell(t, TERM_PLAIN, "%s", disk_use_text(x->bytes, size));
        term_table_cell(t, TERM_PLAIN, "%d", x->students);
        term_table_cell(t, TERM_DIM, "%s", x->what);
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
}

static int print_json(const struct list *l, struct err *e)
{
    json_t *all = json_array();
    for (size_t i = 0; i < l->count; i++) {
        const struct listed *x = &l->item[i];
        char date[32];
        date_text(x->when, date);
        json_array_append_new(all,
                              json_pack("{s:s, s:s, s:s, s:I, s:i, s:s}", "run", x->name, "date",
                                        date, "state", x->state, "bytes", (json_int_t)x->bytes,
                                        "students", x->students, "what", x->what));
    }
    return json_print(stdout, all, e);
}

static int run(const struct options *o)
{
    FREED_BY(list_free) struct list l = {0};
    struct err e = ERR_INIT;
    int rc = find(o->reports, &l, &e);
    if (rc == 0 && o->json)
        rc = print_json(&l, &e);
    else if (rc == 0 && l.count)
        print_table(&l);
    else if (rc == 0)
        fputs("no run here: not in reports/, and no self-test\n", stderr);
    return rc == 0 ? EXIT_OK : command_error(&cmd_runs, &e);
}

const struct command cmd_runs = {
    .name = "runs",
    .usage = "runs [options]",
    .summary = "list the runs: name, date, state, size, students",
    .about = "Those in reports/, and your self-tests, the newest first. The state is\n"
             "'running', 'not finished', 'done', 'damaged', or 'no reports': all units have\n"
             "ended, and `paragrade report` writes them. Of a self-test, it shows what passed.\n",
    .more = "examples:\n"
            "  paragrade runs\n"
            "  paragrade runs --reports /srv/reports --json | jq -r '.[].run'\n",
    .bit = on_runs,
    .operands = "it takes no runs; --reports names their directory",
    .run = run,
};
