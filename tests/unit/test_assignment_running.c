/* Which changes of an assignment file change samples. */
#include "unit.h"

#include <string.h>

#include "model/assignment_running.h"
#include "test_dir.h"

static const char first[] =
    "name: a\n"
    "kernel: gemm\n"
    "performance: {sizes: [64, 128], budget: 1s}\n"
    "tiers:\n"
    "  - {name: naive, compile: gcc -O2, points: {correct: 1}}\n"
    "  - {name: simd, compile: gcc -O3, threads: [1], points: {correct: 3}}\n"
    "profiles:\n"
    "  - {name: quick, random: 3}\n"
    "  - {name: long, random: 300}\n";

static const struct {
    const char *from, *to; /* replaced in the file */
    const char *field;     /* that differs; NULL: none */
    const char *simd;      /* the same within this tier */
} changes[] = {
    {"kernel: gemm", "kernel: spmm_csr", "kernel", NULL},
    {"budget: 1s", "budget: 2s", "performance.budget", NULL},
    {"[64, 128]", "[64]", "performance.sizes", NULL},
    {", budget: 1s", "", "performance.budget", NULL},
    {"kernel:", "pragmas: allow\nkernel:", "pragmas", NULL},
    {"gcc -O3", "gcc -O1", NULL, "tiers.simd.compile"},
    {", threads: [1]", ", threads: [2]", NULL, "tiers.simd.threads"},
    {"name: simd", "name: omp", NULL, "tiers.simd"},
    {"random: 3}", "random: 4}", "profiles.random", NULL},
    {"random: 300", "random: 400", NULL, NULL}, /* not the profile in use */
    {"name: a\n", "name: b\ntitle: B\nrounding: 1\nbenefit: interval\n", NULL, NULL},
    {"correct: 3", "correct: 4", NULL, NULL},
    {"gcc -O2", "gcc -O1", NULL, NULL}, /* another tier */
    {"kernel: gemm", "kernel:    'gemm' # a comment", NULL, NULL},
};

static json_t *load(const char *text)
{
    OWNED char *path = at("a.yaml");
    json_t *j;
    put_at("a.yaml", text);
    assert_int_equal(assignment_running_load(path, "quick", &j, NULL), 0);
    return j;
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

TEST(differences)
{
    json_auto_t *was = load(first);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        OWNED char *text = xreplace(first, changes[i].from, changes[i].to);
        assert_string_not_equal(text, first);
        json_auto_t *is = load(text);
        OWNED char *field = assignment_running_differs(was, is);
        OWNED char *simd = assignment_running_tier_differs(was, is, "simd");
        if (!same(field, changes[i].field) || !same(simd, changes[i].simd))
            fail_msg("%s: %s, %s", changes[i].to, field ? field : "-", simd ? simd : "-");
    }
}

TEST(not_a_file)
{
    struct err e = ERR_INIT;
    json_t *j;
    OWNED char *path = at("b.yaml");
    assert_int_equal(assignment_running_load(path, "", &j, &e), -1);
    assert_null(j);
    put_at("b.yaml", "a: [");
    assert_int_equal(assignment_running_load(path, "", &j, &e), -1);
    assert_non_null(strstr(e.text, "b.yaml:"));
}

TESTS(test_dir_make, test_dir_remove)
