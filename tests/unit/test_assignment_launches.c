/* With how many ranks, threads, nodes and GPUs a tier is started. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/assignment.h"

#include "load_assignment.h"

/* As the file will say it: ranks: [1, 4], threads: [1, 2], nodes: [2, 3], ranks_per_node: 4. */
TEST(launches_on_nodes)
{
    const char *const expected[] = {"1x1",   "1x2",   "4x1",    "4x2",
                                    "8x1@2", "8x2@2", "12x1@3", "12x2@3"};
    const struct tier t = {.ranks = (int[]){1, 4},
                           .ranks_count = 2,
                           .threads = (int[]){1, 2},
                           .threads_count = 2,
                           .nodes = (int[]){2, 3},
                           .nodes_count = 2,
                           .ranks_per_node = 4};
    assert_int_equal(tier_launch_count(&t), 8);
    for (unsigned i = 0; i < 9;
         i++) /* on one node, and once on the most nodes; 8: a stress launch */
        assert_int_equal(tier_checks(&t, i), i < 4 || i >= 7);
    for (unsigned i = 0; i < 8; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(&t, i), text);
        assert_string_equal(text, expected[i]);
    }
}

/* A job has the nodes of the tier's largest launch, and Slurm gives no more nodes than tasks. */
TEST(nodes_of_jobs)
{
    struct assignment *a =
        loaded(HEAD TIER MPI_TIER "ranks: 2, nodes: [1, 3, 2], ranks_per_node: 4}\n");
    const char *const expected[] = {"2x1", "4x1", "12x1@3", "8x1@2"};
    assert_int_equal(tier_launch_count(&a->tiers[1]), 4);
    for (unsigned i = 0; i < 4; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(&a->tiers[1], i), text);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(tier_resources(a, &a->tiers[0]).nodes, a->slurm.nodes);
    assert_int_equal(tier_resources(a, &a->tiers[0]).tasks, a->slurm.tasks);
    assert_int_equal(tier_resources(a, &a->tiers[1]).nodes, 3);
    assert_int_equal(tier_resources(a, &a->tiers[1]).tasks, 3);
    assignment_free(a);
}

/* GPUs are innermost. Slurm is asked for the most, if the tier does not ask itself. */
TEST(launches_with_gpus)
{
    static const char *const expected[] = {"1x1", "1x1+4gpus", "1x2", "1x2+4gpus"};
    struct assignment *a = loaded(HEAD TIER CUDA_TIER "threads: [1, 2], gpus: [1, 4]}\n");
    const struct tier *t = &a->tiers[1];
    assert_int_equal(tier_launch_count(t), 4);
    for (unsigned i = 0; i < 4; i++) {
        char text[LAUNCH_TEXT];
        launch_format(tier_launch(t, i), text);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(tier_gpus_most(&a->tiers[0]), 0);
    assert_int_equal(tier_gpus_most(t), 4);
    assert_string_equal(tier_resources(a, t).gres, "gpu:4");
    assignment_free(a);
    a = loaded(HEAD TIER CUDA_TIER "slurm: {gres: 'gpu:h100:4'}, gpus: 2}\n");
    assert_string_equal(tier_resources(a, &a->tiers[1]).gres, "gpu:h100:4");
    assignment_free(a);
    a = loaded(HEAD TIER CUDA_TIER "gpus: 1}\n");
    assert_null(tier_resources(a, &a->tiers[1]).gres);
    assignment_free(a);
    a = loaded(HEAD TIER "  - {name: b, sources: b.cu, compile: 'nvcc -o {out} {src}', "
                         "kind: mpi_cuda, launcher: 'm {ranks}', ranks: [1, 4]}\n");
    assert_int_equal(tier_gpus(&a->tiers[1], tier_launch(&a->tiers[1], 1)), 4);
    assert_string_equal(tier_resources(a, &a->tiers[1]).gres, "gpu:4");
    assignment_free(a);
}

/* More threads, where there are several; MPI's with few ranks. */
TEST(stress_launches)
{
    static const struct {
        const char *tier;
        unsigned count;
        struct launch launch[3];
    } table[] = {
        {"", 0, {{0}}},
        {", threads: [1]", 0, {{0}}},
        {", kind: cuda", 0, {{0}}},
        {", threads: [1, 2]", 3, {{1, 3, 1, 0}, {1, 7, 1, 0}, {1, 16, 1, 0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [4, 2]", 0, {{0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [4, 2, 1], threads: [2]",
         3,
         {{1, 3, 1, 0}, {2, 7, 1, 0}, {1, 16, 1, 0}}},
        {", kind: mpi, launcher: 'm {ranks}', ranks: [8, 4], threads: [1, 2]",
         3,
         {{4, 3, 1, 0}, {4, 7, 1, 0}, {4, 16, 1, 0}}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a =
            loaded(HEAD "correctness: {stress_threads: [3, 7, 16]}\n" TIER
                        "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}'%s}\n",
                   table[i].tier);
        assert_int_equal(a->correctness.stress_time_ms, 20);
        assert_int_equal(tier_stress_count(a, &a->tiers[1]), table[i].count);
        for (unsigned k = 0; k < table[i].count; k++) {
            assert_int_equal(tier_stress(a, &a->tiers[1], k).ranks, table[i].launch[k].ranks);
            assert_int_equal(tier_stress(a, &a->tiers[1], k).threads, table[i].launch[k].threads);
        }
        assignment_free(a);
    }
}

TEST(launches)
{
    static const struct {
        bool launcher;
        const char *text; /* of the tier, after name, sources and compile */
        enum launch_kind kind;
        unsigned launches;
        int ranks[4], threads[4];
    } table[] = {
        ROW(false, "", LAUNCH_CPU, 1, {1}, {1}),
        ROW(false, ", threads: 4", LAUNCH_CPU, 1, {1}, {4}),
        ROW(false, ", threads: [1, 2]", LAUNCH_CPU, 2, {1, 1}, {1, 2}),
        ROW(true, ", kind: mpi, ranks: [1, 4]", LAUNCH_MPI, 2, {1, 4}, {1, 1}),
        ROW(true, ", kind: mpi, ranks: [1, 2], threads: [1, 3]", LAUNCH_MPI, 4, {1, 1, 2, 2},
            {1, 3, 1, 3}),
        ROW(false, ", kind: cuda", LAUNCH_CUDA, 1, {1}, {1}),
        ROW(true, ", kind: mpi, ranks: [1, 2], nodes: 1, ranks_per_node: 4", LAUNCH_MPI, 3,
            {1, 2, 4}, {1, 1, 1}),
        ROW(true, ", kind: mpi, ranks: [1, 4], nodes: [1], ranks_per_node: 4", LAUNCH_MPI, 2,
            {1, 4}, {1, 1}),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a =
            loaded(HEAD TIER "  - {name: b, sources: b.c, compile: 'cc -o {out} {src}'%s%s}\n",
                   table[i].text, table[i].launcher ? ", launcher: 'mpirun -n {ranks}'" : "");
        const struct tier *t = &a->tiers[1];
        assert_int_equal(t->kind, table[i].kind);
        assert_int_equal(tier_launch_count(t), table[i].launches);
        for (unsigned k = 0; k < table[i].launches; k++) {
            assert_int_equal(tier_launch(t, k).ranks, table[i].ranks[k]);
            assert_int_equal(tier_launch(t, k).threads, table[i].threads[k]);
            assert_int_equal(tier_launch(t, k).nodes, 1);
        }
        assignment_free(a);
    }
}

TESTS(test_dir_make, test_dir_remove)
