/* What good assignment files say. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment.h"
#include "model/calls.h"

#include "load_assignment.h"

TEST_FILE("a.yaml")

/* Of the assignment's sizes, a tier gets those that it takes: here all but 1023. */
TEST(sizes_it_takes)
{
    static const int expected[] = {256, 512, 1024, 2048};
    struct assignment *a = loaded(HEAD TIER "    multiple_of: 16\n");
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tier_size(a, &a->tiers[0], i).dim[0], expected[i]);
    assignment_free(a);
}

/* Two ways to store a matrix in one assignment. The sizes that one of them cannot take are left
 * out.
 */
TEST(kernels_of_tiers)
{
    struct assignment *a = loaded(
        SPARSE
        "performance: {sizes: [poisson:100x8, rmat-16:262144x8, uniform-3:50x60x7]}\n" TIER ELL
        "    yardstick: ell\n");
    const struct tier *csr = &a->tiers[0], *ell = &a->tiers[1];
    assert_string_equal(csr->kernel->name, "spmm_csr");
    assert_string_equal(ell->kernel->name, "spmm_ell");
    assert_int_equal(tier_size_count(a, csr), 3);
    assert_int_equal(tier_size_count(a, ell), 2);
    assert_int_equal(tier_size(a, ell, 1).structure.family, STRUCTURE_UNIFORM);
    assert_int_equal(tier_size(a, ell, 1).derived[0], 150); /* it is complete */
    assert_true(yardstick_has_baseline(a, "naive"));
    assert_false(yardstick_has_baseline(a, "ell"));
    assert_string_equal(tier_yardstick_on_host(a, csr), "naive");
    assert_string_equal(tier_yardstick_on_host(a, ell), "ell");
    assignment_free(a);
}

/* Sizes can name files beside the assignment, or below another directory for a copy of it. */
TEST(matrices_of_sizes)
{
    put_at("m/a.mtx", MATRIX "3 4 2\n1 1\n3 4\n");
    put_at("b.mtx", MATRIX "5 5 0\n");
    struct assignment *a =
        loaded(SPARSE "performance: {sizes: [m/a.mtx:8, poisson:100x8, m/a.mtx:2]}\n" TIER ELL
                      "    yardstick: ell\n    sizes: [b.mtx:1]\n"
                      "profiles: [{name: q, sizes: [b.mtx:1, m/a.mtx:8]}]\n");
    assert_int_equal(a->matrices->count, 2);
    assert_ptr_equal(a->performance.sizes[0].structure.matrix, a->matrices->matrix[0]);
    assert_ptr_equal(a->performance.sizes[2].structure.matrix, a->matrices->matrix[0]);
    assert_ptr_equal(a->profiles[0].sizes[0].structure.matrix, a->matrices->matrix[1]);
    assert_int_equal(a->performance.sizes[0].dim[1], 4);
    assert_int_equal(a->performance.sizes[0].derived[0], 2);
    assert_true(shape_equal(tier_size(a, &a->tiers[1], 0), a->profiles[0].sizes[0]));
    assignment_free(a);
    OWNED char *elsewhere = at("elsewhere");
    struct err e = ERR_INIT;
    assert_int_equal(assignment_load_copy(file, elsewhere, NULL, &a, &e), -1);
    assert_non_null(strstr(e.text, "elsewhere/m/a.mtx: No such file or directory"));
    put_at("elsewhere/m/a.mtx", MATRIX "7 8 1\n1 1\n");
    put_at("elsewhere/b.mtx", MATRIX "5 5 0\n");
    assert_int_equal(assignment_load_copy(file, elsewhere, NULL, &a, &e), 0);
    assert_int_equal(a->performance.sizes[0].dim[0], 7);
    assignment_free(a);
}

/* Long commands over several lines are one command. */
TEST(block_scalars)
{
    struct assignment *a = loaded(HEAD TIER "    compile_cxx: >\n"
                                            "      g++ -O2\n"
                                            "        -shared   -o {out}\n"
                                            "      {src}\n");
    assert_string_equal(a->tiers[0].compile_cxx, "g++ -O2 -shared -o {out} {src}");
    assignment_free(a);
}

/* The assignments that are handed out: sound, and worth 100 points without a GPU. */
TEST(the_course)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    if (assignment_load("testcases/gemm-i32.yaml", &a, &e) != 0)
        fail_msg("%s", e.text);
    double points = 0;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        const struct tier *t = &a->tiers[i];
        points += t->points.correct;
        for (unsigned k = 0; k < t->points.speed_count; k++)
            points += t->points.speed[k].points *
                      (t->points.speed[k].every_size ? tier_size_count(a, t) : 1);
    }
    assert_true(points == 100);
    assert_int_equal(a->correctness.random, 30);
    assert_true(fs_is_dir(a->reference));
    static const char *const tiers[] = {"naive", "locality", "simd",   "openmp",
                                        "mpi",   "cuda",     "openacc"};
    assert_int_equal(a->tiers_count, sizeof tiers / sizeof tiers[0]);
    for (unsigned i = 0; i < a->tiers_count; i++)
        assert_int_equal(assignment_tier(a, tiers[i]), i);
    assert_int_equal(assignment_tier(a, "ispc"), -1);
    take_profile(a, "quick");
    assignment_free(a);
}

/* What may be called, by the lists of the assignment and of the tier. */
TEST(calls)
{
    static const struct {
        const char *head, *tier, *function;
        bool allowed, forbidden;
    } table[] = {
        {"", "", "malloc", true, false},
        {"", "", "memcpy", true, false},
        {"", "", "memfd_create", false, false},
        {"", "", "sinf", true, false},
        {"", "", "clock_gettime", false, false},
        {"", "", "__sigsetjmp", true, false},
        {"", "", "munlockall", true, false},
        {"", "", "kill", false, false},
        {"", "", "setrlimit", false, false},
        {"", "", "MPI_Send", false, false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "MPI_Send", true, false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "OMPI_C_MPI_COMM_DUP_FN", true,
         false},
        {"", "    kind: mpi\n    launcher: mpirun -n {ranks}\n", "MPI_Comm_spawn", true, true},
        {"", "    kind: cuda\n", "cudaMemcpyAsync", true, false},
        {"", "    kind: cuda\n", "cublasSgemm_v2", false, true},
        {"", "    kind: openacc\n", "GOACC_parallel_keyed", true, false},
        {"", "", "cudaMalloc", false, false},
        {"allow: malloc\n", "", "malloc", true, false},
        {"allow: malloc\n", "", "free", false, false},
        {"allow: []\n", "", "malloc", false, false},
        {"allow: []\n", "", "__cxa_finalize", true, false},
        {"allow: [standard, 'numa_*']\n", "", "numa_alloc_onnode", true, false},
        {"allow: [standard, 'numa_*']\n", "", "free", true, false},
        {"allow: [standard, 'numa_*']\n", "    kind: mpi\n    launcher: mpirun -n {ranks}\n",
         "MPI_Send", true, false},
        {"allow: '*'\n", "", "kill", true, false},
        {"allow: '*'\n", "", "dlopen", true, true},
        {"allow: '*'\n", "    allow: standard\n", "kill", false, false},
        {"allow: '*'\n", "    forbid: kill\n", "kill", true, true},
        {"forbid: [standard, pow]\n", "", "pow", true, true},
        {"forbid: [standard, pow]\n", "", "execve", false, true},
        {"forbid: [standard, pow]\n", "    forbid: []\n", "pow", true, false},
        {"forbid: []\n", "", "dlopen", false, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "%s" TIER "  - name: x\n    sources: [x.c]\n"
                                           "    compile: gcc -shared -o {out} {src}\n%s",
                                      table[i].head, table[i].tier);
        const struct calls *c = &a->tiers[1].calls;
        if (calls_allowed(c, table[i].function) != table[i].allowed ||
            calls_forbidden(c, table[i].function) != table[i].forbidden)
            fail_msg("%s%s: %s", table[i].head, table[i].tier, table[i].function);
        assignment_free(a);
    }
}

/* The tier's rule, else the file's, else that they are named; a sweep has its tier's. */
TEST(bandwidths)
{
    static const struct {
        const char *text;
        unsigned count;
        double first, second;
        double device;
    } table[] = {
        {"", 1, BANDWIDTH_MEASURED, 0, BANDWIDTH_MEASURED},
        {"roofline: {}\n", 1, BANDWIDTH_MEASURED, 0, BANDWIDTH_MEASURED},
        {"roofline: {bandwidth: 240}\n", 1, 240, 0, BANDWIDTH_MEASURED},
        {"roofline: {bandwidth: [measured, 25.5]}\n", 2, BANDWIDTH_MEASURED, 25.5,
         BANDWIDTH_MEASURED},
        {"roofline: {device_bandwidth: [3350]}\n", 1, BANDWIDTH_MEASURED, 0, 3350},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded("%s%s%s", HEAD, TIER, table[i].text);
        assert_int_equal(a->bandwidth.count, table[i].count);
        assert_true(a->bandwidth.gbs[0] == table[i].first);
        assert_true(table[i].count == 1 || a->bandwidth.gbs[1] == table[i].second);
        assert_true(a->device_bandwidth.count == 1 &&
                    a->device_bandwidth.gbs[0] == table[i].device);
        assignment_free(a);
    }
}

TEST(pragmas)
{
    static const struct {
        const char *head, *tier;
        enum pragma_rule rule;
    } table[] = {
        {"", "", PRAGMAS_FLAG},
        {"", "    pragmas: allow\n", PRAGMAS_ALLOW},
        {"", "    pragmas: forbid\n", PRAGMAS_FORBID},
        {"pragmas: forbid\n", "", PRAGMAS_FORBID},
        {"pragmas: forbid\n", "    pragmas: flag\n", PRAGMAS_FLAG},
        {"pragmas: forbid\n", "    pragmas: allow\n", PRAGMAS_ALLOW},
        {"pragmas: allow\n", "", PRAGMAS_ALLOW},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "%s" TIER "  - name: x\n    sources: [x.c]\n"
                                           "    compile: gcc -shared -o {out} {src}\n%s"
                                           "sweeps: [{name: s, tier: x, threads: [1, 2]}]\n",
                                      table[i].head, table[i].tier);
        assert_int_equal(a->tiers[1].pragmas, table[i].rule);
        assert_int_equal(a->sweeps[0].pragmas, table[i].rule);
        assignment_free(a);
    }
}

/* What several tiers have in common is written once. */
TEST(in_common)
{
    struct assignment *a =
        loaded(HEAD "directory: project2/src\nfixed: {K: 1}\n"
                    "flags: {O: '-O3 -mavx2', I: '-I{dir}/inc'}\n"
                    "performance: {sizes: [64, 32x16, 8x8x1]}\n"
                    "tiers:\n  - name: naive\n    sources: [cpu/naive.cpp, naive.c]\n"
                    "    with: ['cpu/*.c']\n    shapes: square\n    sizes: [9]\n"
                    "    compile: gcc {O} {I} -o {out} {src}\n"
                    "    compile_cxx: g++ {O} {O} -o {out} {src}\n"
                    "    points: {speed: [{size: 9, points: 1, curve: [[1, 1]]}]}\n"
                    "sweeps: [{name: s, tier: naive, threads: [1, 2]}]\n");
    const struct tier *t = &a->tiers[0];
    assert_string_equal(t->compile, "gcc -O3 -mavx2 -I{dir}/inc -o {out} {src}");
    assert_string_equal(t->compile_cxx, "g++ -O3 -mavx2 -O3 -mavx2 -o {out} {src}");
    static const char *const names[] = {"project2/src/cpu/naive.cpp", "project2/src/naive.c",
                                        "cpu/naive.cpp", "naive.c"};
    for (int k = 0; k < 2; k++, t = a->sweeps) {
        assert_int_equal(t->sources_count, 4);
        assert_int_equal(t->sources_handed_in, 2);
        for (unsigned i = 0; i < 4; i++)
            assert_string_equal(t->sources[i], names[i]);
        assert_true(tier_adds_source(t, "project2/src/cpu/x.c") && tier_adds_source(t, "cpu/x.c"));
        assert_false(tier_adds_source(t, "project1/src/cpu/x.c"));
    }
    static const int sizes[][3] = {{64, 64, 1}, {32, 16, 1}, {8, 8, 1}, {9, 9, 1}};
    for (unsigned i = 0; i < 4; i++) {
        const struct shape s = i < 3 ? a->performance.sizes[i] : tier_size(a, a->tiers, 0);
        assert_memory_equal(s.dim, sizes[i], sizeof sizes[i]);
    }
    assignment_free(a);
    a = loaded(HEAD "fixed: {K: 1}\n" TIER);
    assert_int_equal(tier_size(a, a->tiers, 0).dim[2], 1);
    assert_string_equal(a->directory, "");
    assignment_free(a);
}

TESTS(setup, teardown)
