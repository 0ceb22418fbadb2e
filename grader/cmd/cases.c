#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "kernel/kernel.h"
#include "model/cases.h"
#include "report/shape_json.h"
#include "report/short_calls.h"

static void print_field(struct term_table *t, struct shape_field f)
{
    if (f.kind == FIELD_INTEGER)
        term_table_cell(t, TERM_PLAIN, "%d", f.integer);
    else if (f.kind == FIELD_REAL)
        term_table_cell(t, TERM_PLAIN, "%.4g", f.real);
    else
        term_table_cell(t, TERM_PLAIN, "%s", f.text);
}

/* Does one of the tiers run the case? None: all tiers are meant. */
static bool is_wanted(const struct assignment *a, const struct words *tiers,
                      const struct test_case *c)
{
    for (size_t i = 0; i < tiers->count; i++)
        if (case_applies(a, &a->tiers[assignment_tier(a, tiers->item[i])], c))
            return true;
    return !tiers->count;
}

static void print_operations(struct term_table *t, double operations)
{
    if (isnan(operations))
        term_table_cell(t, TERM_PLAIN, "-");
    else
        term_table_cell(t, TERM_PLAIN, "%.0f", operations);
}

static json_t *operations_json(double operations)
{
    return isnan(operations) ? json_null() : json_integer((json_int_t)operations);
}

static void print_table(const struct assignment *a, const struct words *tiers,
                        const struct case_list *l)
{
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "case", TERM_RIGHT);
    term_table_column(t, "kind", TERM_LEFT);
    for (int i = 0; i < kernel_fields(a->kernel); i++) {
        const struct shape_field f = kernel_field(a->kernel, (struct shape){0}, i);
        char key[FIELD_KEY];
        kernel_field_key(a->kernel, i, key);
        term_table_column(t, key, f.kind == FIELD_TEXT ? TERM_LEFT : TERM_RIGHT);
    }
    term_table_column(t, "values", TERM_LEFT);
    term_table_column(t, "seed", TERM_LEFT);
    term_table_column(t, "operations", TERM_RIGHT);
    term_table_column(t, "shapes", TERM_LEFT);
    for (size_t i = 0; i < l->count; i++) {
        const struct test_case *c = &l->item[i];
        char rule[SHAPE_TEXT];
        if (!is_wanted(a, tiers, c))
            continue;
        term_table_cell(t, TERM_PLAIN, "%d", c->index);
        term_table_cell(t, TERM_PLAIN, "%s", case_kind_name(c->kind));
        for (int k = 0; k < kernel_fields(a->kernel); k++)
            print_field(t, kernel_field(a->kernel, c->shape, k));
        term_table_cell(t, TERM_PLAIN, "%s", kernel_values_name(a->kernel, c->values));
        term_table_cell(t, TERM_PLAIN, "0x%016llx", (unsigned long long)c->seed);
        print_operations(t, kernel_operations(a->kernel, c->shape));
        shape_rule_text(c->rule, rule);
        term_table_cell(t, TERM_PLAIN, "%s", rule);
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
}

static int print_json(const struct assignment *a, const struct words *tiers,
                      const struct case_list *l, struct err *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < l->count; i++) {
        const struct test_case *c = &l->item[i];
        char seed[24], rule[SHAPE_TEXT];
        if (!is_wanted(a, tiers, c))
            continue;
        snprintf(seed, sizeof seed, "0x%016llx", (unsigned long long)c->seed);
        shape_rule_text(c->rule, rule);
        json_t *o = json_pack("{s:i, s:s}", "case", c->index, "kind", case_kind_name(c->kind));
        shape_fields_to_json(o, a->kernel, c->shape);
        json_object_set_new(o, "shapes", json_string(rule));
        json_object_set_new(o, "values", json_string(kernel_values_name(a->kernel, c->values)));
        json_object_set_new(o, "seed", json_string(seed));
        json_object_set_new(o, "operations",
                            operations_json(kernel_operations(a->kernel, c->shape)));
        json_array_append_new(list, o);
    }
    return json_print(stdout, list, e);
}

static int no_such_tier(const struct assignment *a, const char *path, const char *tier,
                        struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    char hint[SIMILAR_HINT];
    for (unsigned i = 0; i < a->tiers_count; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", a->tiers[i].name);
    similar_hint(tier, names.s, hint);
    err_input(e, "%s has no tier '%s'%s; it has: %s", path, tier, hint, names.s);
    return -1;
}

/* On stderr: nothing is wrong for a program that reads the list. */
static void warn(const struct assignment *a, const char *path)
{
    unsigned stressed = 0, lacking = 0;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        stressed += tier_stress_count(a, &a->tiers[i]);
        if (!tier_lacks_threads(a, &a->tiers[i]))
            continue;
        lacking++;
        fprintf(stderr,
                "paragrade cases: warning: %s: the tier '%s' runs with one thread only, so "
                "correctness.stress_threads does not apply to it, and no races are looked for. "
                "Add for example `threads: [1, 2, 4]` to the tier\n",
                path, a->tiers[i].name);
    }
    if (a->correctness.stress_threads_count && !stressed && !lacking)
        fprintf(stderr,
                "paragrade cases: warning: %s: correctness.stress_threads applies to no tier: none "
                "runs with several threads. Add for example `threads: [1, 2, 4]` to a tier\n",
                path);
    char *calls = short_calls_foreseen(a, path);
    fputs(calls, stderr);
    free(calls);
}

static int list_cases(const struct options *args, const char *path, struct err *e)
{
    struct assignment *a;
    if (assignment_load(path, &a, e) != 0)
        return -1;
    int rc = assignment_prepare(a, false, args->profile, NULL, e);
    for (size_t i = 0; rc == 0 && i < args->tiers.count; i++)
        if (assignment_tier(a, args->tiers.item[i]) < 0)
            rc = no_such_tier(a, path, args->tiers.item[i], e);
    if (rc == 0) {
        FREED_BY(case_list_free) struct case_list l = {0};
        cases_make(a, args->seed.given ? args->seed.value : a->seed, &l);
        if (args->json)
            rc = print_json(a, &args->tiers, &l, e);
        else
            print_table(a, &args->tiers, &l);
        warn(a, path);
    }
    assignment_free(a);
    return rc;
}

/* Of the assignment that is given, as an operand or by --assignment, or else the default one. */
static int cases(const struct options *a, const char *given)
{
    struct err e = ERR_INIT;
    OWNED char *path = given ? xstrdup(given) : NULL;
    const bool listed = (path || locate_assignment(&path, &e) == 0) && list_cases(a, path, &e) == 0;
    return listed ? EXIT_OK : command_error(&cmd_cases, &e);
}

static int run(const struct options *o)
{
    if (o->operands + !!o->assignment > 1)
        return command_usage(&cmd_cases, "give one assignment file");
    return cases(o, o->operands ? o->operand[0] : o->assignment);
}

const struct command cmd_cases = {
    .name = "cases",
    .usage = "cases [options] [ASSIGNMENT]",
    .summary = "list the test cases that an assignment gives",
    .more = "Lists index, kind, dimensions, kind and seed of the values, and operations\n"
            "of each case. The same assignment and seed give the same cases on every\n"
            "machine.\n"
            "\n"
            "examples:\n"
            "  paragrade cases testcases/gemm-i32.yaml\n"
            "  paragrade cases --tier mpi --profile quick testcases/gemm-i32.yaml\n"
            "  paragrade cases --seed 7 --tsv testcases/gemm-i32.yaml | cut -f1,3-5\n"
            "  paragrade cases --json testcases/gemm-i32.yaml | jq '.[] | select(.n == 1)'\n",
    .bit = on_cases,
    .most = OPERANDS_MANY,
    .run = run,
};
