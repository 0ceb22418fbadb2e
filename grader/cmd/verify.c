#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/names.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "report/table.h"
#include "rundir/revision.h"
#include "verify/verify.h"

/* Differences shown of one file; the JSON has all of them. */
enum { SHOWN_PER_FILE = 12 };

static const char *state_of(const struct verification *v)
{
    if (v->found.count)
        return "different";
    if (v->unfinished)
        return "unfinished";
    return v->receipts ? "verified" : "no-receipts";
}

static int status_of(const struct verification *v)
{
    if (v->found.count)
        return EXIT_FAILURES;
    if (v->unfinished)
        return EXIT_UNFINISHED;
    return v->receipts ? EXIT_OK : EXIT_USAGE;
}

static int print_json(const char *dir, const struct verification *v, struct err *e)
{
    json_t *differences = json_array(), *notes = json_array();
    for (size_t i = 0; i < v->found.count; i++) {
        const struct difference *d = &v->found.item[i];
        json_array_append_new(
            differences,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "file", json_printable(d->file), "where",
                      json_printable(d->where), "field", json_printable(d->field), "recorded",
                      json_printable(d->recorded), "recomputed", json_printable(d->recomputed)));
    }
    for (size_t i = 0; i < v->found.notes; i++)
        json_array_append_new(notes, json_printable(v->found.note[i]));
    json_t *o =
        json_pack("{s:o, s:s, s:s, s:I, s:I, s:o, s:o}", "directory", json_printable(dir), "state",
                  state_of(v), "digest", v->digest, "files", (json_int_t)v->files, "units",
                  (json_int_t)v->units, "differences", differences, "notes", notes);
    return json_print(stdout, o, e);
}

static void print_difference(const struct difference *d)
{
    term_print(stdout, 4, "%s%s%s: %s%s%s%srecorded %s, recomputed %s\n", term_on(stdout, TERM_RED),
               d->file, term_off(stdout), d->where, d->where[0] ? ": " : "", d->field,
               d->field[0] ? ": " : "", d->recorded, d->recomputed);
}

static void print_differences(const struct verification *v)
{
    const size_t n = v->found.count;
    FREED_BY(names_free) struct names files = NAMES_INIT;
    OWNED size_t *of =
        xcalloc(n + 1, sizeof *of); /* by difference: the first one in the same file */
    struct {
        size_t all, before;
    } *count = xcalloc(n + 1, sizeof *count); /* by the first difference in a file */
    for (size_t i = 0; i < n; i++) {
        const long long first = names_add(&files, v->found.item[i].file, i);
        of[i] = first == NAMES_NONE ? i : (size_t)first;
        count[of[i]].all++;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t before = count[of[i]].before++;
        if (before < SHOWN_PER_FILE)
            print_difference(&v->found.item[i]);
        else if (before == SHOWN_PER_FILE)
            term_print(stdout, 4, "%s: and %zu more (--json lists them)\n", v->found.item[i].file,
                       count[of[i]].all - before);
    }
    free(count);
}

/* Is the file written from the others by a report? */
static bool is_consequence(const char *file)
{
    bool is = strcmp(file, part_name(PART_RECEIPTS)) == 0;
    for (int i = 0; i < TABLE_COUNT && !is; i++)
        is = strcmp(file, part_name(table_file[i])) == 0;
    return is;
}

/* What became of the unit whose directory has this file: the verdict that was reported, and that of
 * now. NULL: the same, or no such unit. */
static const struct difference *new_verdict(const struct differences *d, const char *file)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct difference *x = &d->item[i];
        const size_t n = strlen(x->where);
        if (strcmp(x->file, part_name(PART_RECEIPTS)) == 0 && strcmp(x->field, "verdict") == 0 &&
            strncmp(file, "units/", 6) == 0 && strncmp(file + 6, x->where, n) == 0 &&
            file[6 + n] == '/')
            return x;
    }
    return NULL;
}

static void print_cause(const struct differences *d, const struct difference *x)
{
    const struct difference *to = new_verdict(d, x->file);
    const bool added = strncmp(x->recorded, "(not in", 7) == 0,
               removed = strcmp(x->recomputed, "(no such file)") == 0;
    term_print(stdout, 4, "%s%s%s was %s%s%s%s%s\n", term_on(stdout, TERM_RED), x->file,
               term_off(stdout),
               added     ? "added"
               : removed ? "removed"
                         : "changed",
               to ? ": " : "", to ? to->recorded : "", to ? " -> " : "", to ? to->recomputed : "");
}

static bool is_changed_file(const struct difference *d)
{
    return strcmp(d->field, "sha256") == 0 && !is_consequence(d->file);
}

/* One line for each file that was changed, in place of all that follows from it. False: there is
 * none, so what differs says by itself what it is. */
static bool print_causes(const struct differences *d)
{
    struct names changed = NAMES_INIT;
    size_t causes = 0, others = 0;
    for (size_t i = 0; i < d->count; i++)
        if (is_changed_file(&d->item[i])) {
            (void)names_add(&changed, d->item[i].file, i);
            print_cause(d, &d->item[i]);
            causes++;
        }
    for (size_t i = 0; i < d->count && causes; i++) {
        const struct difference *x = &d->item[i];
        if (is_consequence(x->file))
            others++;
        else if (!is_changed_file(x) && names_find(&changed, x->file) == NAMES_NONE)
            print_difference(x);
    }
    names_free(&changed);
    if (causes && others)
        printf("%zu %s in tables and receipts (-v: list)\n", others,
               plural(others, "consequence", "consequences"));
    return causes > 0;
}

static void print_text(const char *dir, const struct verification *v, bool verbose)
{
    if (verbose || !print_causes(&v->found))
        print_differences(v);
    fflush(stdout); /* these lines stand above, also where both streams go to one file */
    for (size_t i = 0; i < v->found.notes; i++)
        term_print(stderr, 2, "note: %s\n", v->found.note[i]);
    if (v->found.count)
        term_print(stderr, 0,
                   "%s: %zu %s: sources, results or tables were changed after the run was "
                   "reported. Each line above names a file. If the change was "
                   "intended, `paragrade report %s` writes tables and receipts again\n",
                   dir, v->found.count, plural(v->found.count, "difference", "differences"), dir);
    else if (v->unfinished)
        term_print(
            stderr, 0,
            "%s: the run is not finished. The reports agree with the results so far. "
            "`paragrade status %s` shows which units have no result, `paragrade resume %s` "
            "runs them, and `paragrade report %s` brings the reports and receipts up to date\n",
            dir, dir, dir, dir);
    else if (!v->receipts)
        term_print(
            stderr, 0,
            "%s: there are no receipts: the file receipts.json was removed, or an old version "
            "wrote the reports. Results and tables agree with the timed runs, but without "
            "receipts nobody can tell whether sources, assignment or times were changed. "
            "`paragrade report %s` writes receipts for the files as they are now\n",
            dir, dir);
    else
        printf("verified: %zu %s, %zu %s, %zu %s\n", v->submissions,
               plural(v->submissions, "submission", "submissions"), v->units,
               plural(v->units, "unit", "units"), v->files, plural(v->files, "file", "files"));
    if (v->digest[0])
        printf("digest: %s\n", v->digest);
}

/* Unlike locate_run(), this finds a run whose plan is missing or damaged: its receipts can still be
 * checked. */
static char *find(const char *name)
{
    char *found = NULL,
         *places[] = {xstrdup(name), xasprintf("reports/%s", name), locate_selftest(name)};
    const size_t most = strchr(name, '/') ? 1 : places[2] ? 3 : 2;
    for (size_t i = 0; i < most && !found; i++) {
        revision_recover(places[i]);
        if (fs_is_dir(places[i]))
            found = xstrdup(places[i]);
    }
    for (size_t i = 0; i < 3; i++)
        free(places[i]);
    return found ? found : xstrdup(name);
}

static int run(const struct options *o)
{
    struct err e = ERR_INIT;
    FREED_BY(verification_free) struct verification v = {0};
    OWNED char *dir = find(o->run_name);
    int rc = verify_run(dir, o->digest[0] ? o->digest : NULL, &v, &e);
    int status = status_of(&v);
    if (rc == 0 && o->json)
        rc = print_json(dir, &v, &e);
    else if (rc == 0)
        print_text(dir, &v, o->verbose);
    if (rc != 0)
        status = command_error(&cmd_verify, &e);
    return status;
}

const struct command cmd_verify = {
    .name = "verify",
    .usage = "verify [options] [RUN]",
    .summary = "check that a report agrees with timed runs, sources, assignment",
    .about = "Computes the reports of a run again from the files in its directory: intervals,\n"
             "speed-ups, points, tables, receipts, and the digests of sources, assignment and\n"
             "plan. Prints every field that differs from the reports. Changes nothing.\n",
    .more = "examples:\n"
            "  paragrade verify reports/gemm-i32-20261121-101500\n"
            "  paragrade verify --digest \"$(cat digest.txt)\" gemm-i32-20261121-101500\n"
            "\n"
            "exit status: 0 no difference, 1 differences (one line each), 2 this is not a\n"
            "run, or it has no receipts, 3 the run is not finished\n",
    .bit = on_verify,
    .runs = RUNS_OF_REPORTS,
    .most = 1,
    .run = run,
};
