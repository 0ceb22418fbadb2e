/* The class on the terminal. */
#include "unit.h"

#include <stdio.h>

#include <string.h>

#include "base/term.h"
#include "report/report.h"

#include "made_up_class.h"

enum { SIZES = 70 };

/* The whole report. The caller frees it. */
static char *report(const struct source *s)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    report_print_class(s->run, s->results, s->board, 0, false, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

/* The report from the title of the speed-ups on. The caller frees it. */
static char *speedups(const struct source *s)
{
    char *text = report(s);
    char *from = strstr(text, "Speed-up over");
    assert_non_null(from);
    memmove(text, from, strlen(from) + 1);
    return text;
}

/* A field of the row that starts with `start`, from 0; the caller frees it. NULL: it has fewer. */
static char *field(const char *text, const char *start, unsigned number)
{
    const char *at = strstr(text, start);
    assert_non_null(at);
    for (; number; number--) {
        at += strcspn(at, "\t\n");
        if (*at++ != '\t')
            return NULL;
    }
    return strndup(at, strcspn(at, "\t\n"));
}

/* An assignment has as many sizes as it likes. The rate beside them is that of the last one. */
TEST(many_sizes)
{
    static char empty[] = "", dir[] = "/nowhere";
    static double measured[] = {BANDWIDTH_MEASURED};
    static struct test_case cases[SIZES];
    const struct source s = class_make(1);
    for (int i = 0; i < SIZES; i++)
        cases[i] = (struct test_case){.kind = CASE_PERFORMANCE, .shape = {.dim = {i + 1, 8, 8}}};
    class_run.cases.item = cases;
    class_run.cases.count = SIZES;
    class_run.dir = dir;
    class_assignment.bandwidth.gbs = measured;
    class_plan.profile = empty;
    for (int u = 0; u < 2; u++)
        class_results[u] = unit_result_new(class_id[u]); /* which passed */
    struct speed two[] = {class_speed[1], class_speed[1]};
    two[0].shape = cases[0].shape;
    two[1].shape = cases[SIZES - 1].shape;
    two[1].gops = 1234;
    class_board.speed = two;
    class_board.speed_count = 2;
    const struct {
        unsigned column;
        const char *heading, *value;
    } table[] = {
        {2, "1x8x8", "1.00 ±0.0%"},
        {3, "2x8x8", "-"},
        {SIZES + 1, "70x8x8", "1.00 ±0.0%"},
        {SIZES + 2, "GOP/s", "1234"},
    };
    term_set_tsv();
    OWNED char *text = speedups(&s);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *heading = field(text, "submission\t", table[i].column),
                   *value = field(text, "student1\t", table[i].column);
        if (!heading || !value || strcmp(heading, table[i].heading) != 0 ||
            strcmp(value, table[i].value) != 0)
            fail_msg("column %u: %s, %s", table[i].column, heading, value);
    }
    for (int u = 0; u < 2; u++)
        unit_result_free(class_results[u]);
}

/* Several short calls can be computed together. Who gives points for their speed is told. */
TEST(short_calls)
{
    static char empty[] = "", dir[] = "/nowhere", path[] = "courses/products.yaml";
    static double measured[] = {BANDWIDTH_MEASURED};
    static struct shape sizes[] = {{.dim = {64, 64, 64}}, {.dim = {512, 512, 512}}};
    static const struct {
        enum launch_kind kind;
        struct launch launch;
        double seconds;
        struct speed_rule rule;
        const char *told; /* NULL: nothing is */
    } table[] = {
        ROW(LAUNCH_CPU, {1, 2, 1, 0}, 20e-6, {.shape = {.dim = {64, 64, 64}}, .points = 5},
            "courses/products.yaml, tier simd: a call at size 64 takes 20.0 us on 2 threads "
            "(student1)"),
        ROW(LAUNCH_MPI, {2, 1, 1, 0}, 99e-6, {.every_size = true, .points = 1},
            "tier simd: a call at size 64 takes 99.0 us on 2 ranks (student1)"),
        ROW(LAUNCH_CPU, {1, 2, 1, 0}, 101e-6, {.shape = {.dim = {64, 64, 64}}, .points = 5}, NULL),
        ROW(LAUNCH_CPU, {1, 2, 1, 0}, 20e-6, {.shape = {.dim = {512, 512, 512}}, .points = 5},
            NULL),
        ROW(LAUNCH_CPU, {1, 2, 1, 0}, 20e-6, {.shape = {.dim = {64, 64, 64}}, .points = 0}, NULL),
        ROW(LAUNCH_CPU, {1, 1, 1, 0}, 20e-6, {.shape = {.dim = {64, 64, 64}}, .points = 5}, NULL),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct source s = class_make(1);
        struct speed_rule rule = table[i].rule;
        class_run.dir = dir;
        class_assignment.bandwidth.gbs = measured;
        class_plan.profile = empty;
        class_plan.assignment_path = path;
        class_tier.kind = table[i].kind;
        class_tier.sizes = sizes;
        class_tier.sizes_count = 2;
        class_tier.points.speed = &rule;
        class_tier.points.speed_count = 1;
        class_speed[1].launch = table[i].launch;
        class_speed[1].seconds.value = table[i].seconds;
        for (int u = 0; u < 2; u++)
            class_results[u] = unit_result_new(class_id[u]);
        char *text = report(&s);
        if (table[i].told ? !strstr(text, table[i].told) : !!strstr(text, "takes"))
            fail_msg("row %zu: %s", i, text);
        for (int u = 0; u < 2; u++)
            unit_result_free(class_results[u]);
        class_tier.points.speed_count = class_tier.sizes_count = 0;
        class_tier.kind = LAUNCH_CPU;
        free(text);
    }
}

TESTS(NULL, NULL)
