/* What follows from the kind of launch of a tier. */
#include "base/strbuf.h"
#include "unit.h"

#include <string.h>

#include "model/launch_kind.h"

/* Assignments, submissions and installations depend on these. */
TEST(names)
{
    static const struct {
        enum launch_kind kind;
        const char *name, *function, *program;
    } table[] = {
        {LAUNCH_CPU, "cpu", "gemm_i32", "libexec/paragrade/driver-cpu"},
        {LAUNCH_MPI, "mpi", "gemm_i32_mpi", "libexec/paragrade/driver-mpi"},
        {LAUNCH_CUDA, "cuda", "gemm_i32_cuda", "libexec/paragrade/driver-cuda"},
        {LAUNCH_OPENACC, "openacc", "gemm_i32_acc", "libexec/paragrade/driver-openacc"},
        {LAUNCH_MPI_CUDA, "mpi_cuda", "gemm_i32_mpi_cuda", "libexec/paragrade/driver-mpi_cuda"},
    };
    assert_int_equal(LAUNCH_KIND_COUNT, sizeof table / sizeof table[0]);
    assert_null(launch_kind_names()[LAUNCH_KIND_COUNT]);
    for (size_t i = 0; i < LAUNCH_KIND_COUNT; i++) {
        char function[LAUNCH_FUNCTION_MOST];
        launch_function(table[i].kind, "gemm_i32", function);
        assert_string_equal(function, table[i].function);
        assert_string_equal(launch_kind_name(table[i].kind), table[i].name);
        assert_string_equal(launch_kind_names()[table[i].kind], table[i].name);
        assert_string_equal(launch_kind_info(table[i].kind)->program, table[i].program);
    }
    assert_int_equal(LAUNCH_CPU, 0); /* a tier that names no kind */
}

TEST(traits)
{
    static const struct {
        enum launch_trait trait;
        const char *kinds;
    } table[] = {
        {KIND_DEVICE, "cuda, openacc, mpi_cuda"},
        {KIND_THREADS, "cpu, mpi"},
        {KIND_RANKS, "mpi, mpi_cuda"},
        {KIND_DEVICE_POINTERS, "cuda, mpi_cuda"},
        {KIND_ARCHITECTURES, "cuda, mpi_cuda"},
        {KIND_PROFILER, "cuda, openacc"},
        {KIND_LOAD_TIME_CODE, "cuda, openacc, mpi_cuda"},
        {KIND_YARDSTICK, "cpu, cuda"},
        {KIND_GPUS, "cuda"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = launch_kinds_text(launch_kinds_with(table[i].trait), ", ");
        assert_string_equal(text, table[i].kinds);
    }
    OWNED char *none = launch_kinds_text(0, ", ");
    assert_string_equal(none, "");
}

TEST(evidence)
{
    static const struct {
        enum attest_kind what;
        const char *kinds;
    } table[] = {
        {ATTEST_SIMD, "cpu and mpi"},
        {ATTEST_THREADS, "cpu"},
        {ATTEST_RANKS, "mpi and mpi_cuda"},
        {ATTEST_KERNELS, "cuda and openacc"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = launch_kinds_text(launch_kinds_that_attest(table[i].what), " and ");
        assert_string_equal(text, table[i].kinds);
    }
}

/* What holds for every line of the table. */
TEST(entries)
{
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++) {
        const struct launch_kind_info *kind = launch_kind_info((enum launch_kind)k);
        assert_true(kind->attest != 0);
        /* Every build has the driver of the first kind; others need something installed. */
        assert_int_equal(kind->hint == NULL, k == 0);
        /* Matrices of a device's driver are on a device, and nothing there has threads. */
        if (kind->traits & (KIND_DEVICE_POINTERS | KIND_PROFILER | KIND_ARCHITECTURES))
            assert_true(kind->traits & KIND_DEVICE);
        if (kind->traits & KIND_DEVICE)
            assert_int_equal(kind->traits & KIND_THREADS, 0);
        for (unsigned other = 0; other < k; other++) {
            const struct launch_kind_info *o = launch_kind_info((enum launch_kind)other);
            assert_string_not_equal(kind->name, o->name);
            assert_string_not_equal(kind->suffix, o->suffix);
        }
    }
}

TESTS(NULL, NULL)
