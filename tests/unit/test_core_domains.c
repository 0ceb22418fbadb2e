/* Which cores share caches or memory bandwidth, on machines that hwloc makes up. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "measure/core_domains.h"

enum { MOST = 8 };

TEST(synthetic)
{
    static const struct {
        const char *machine;
        int cores[MOST], cores_count;
        int first[MOST], first_count;
    } rows[] = {
        /* one socket */
        {"pack:1 [numa] l3:1 core:4 pu:2", {3}, 1, {0}, 1},
        {"pack:1 [numa] l3:1 core:4 pu:2", {0, 1, 7}, 3, {0}, 1},
        /* two sockets, each a NUMA node with one cache */
        {"pack:2 [numa] l3:1 core:4 pu:1", {2}, 1, {0}, 1},
        {"pack:2 [numa] l3:1 core:4 pu:1", {5}, 1, {4}, 1},
        {"pack:2 [numa] l3:1 core:4 pu:1", {4, 5, 6, 7}, 4, {4}, 1},
        {"pack:2 [numa] l3:1 core:4 pu:1", {1, 2, 6}, 3, {0, 4}, 2},
        /* hardware threads, with the numbers that Linux gives them */
        {"pack:2 [numa] l3:1 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", {5}, 1, {0}, 1},
        {"pack:2 [numa] l3:1 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", {7, 1}, 2, {0, 2}, 2},
        /* cores dealt out to the sockets in turn */
        {"pack:2 [numa] l3:1 core:4 pu:1(indexes=0,2,4,6,1,3,5,7)", {7}, 1, {1}, 1},
        {"pack:2 [numa] l3:1 core:4 pu:1(indexes=0,2,4,6,1,3,5,7)", {6, 7}, 2, {0, 1}, 2},
        /* several caches in a NUMA node: they share its memory */
        {"pack:2 [numa] l3:2 core:2 pu:1", {3}, 1, {0}, 1},
        {"pack:2 [numa] l3:2 core:2 pu:1", {7}, 1, {4}, 1},
        /* several NUMA nodes under one cache: they share that */
        {"pack:2 l3:1 group:2 [numa] core:2 pu:1", {3}, 1, {0}, 1},
        {"pack:2 l3:1 group:2 [numa] core:2 pu:1", {2, 7}, 2, {0, 4}, 2},
        /* several NUMA nodes in a socket, each with its cache */
        {"pack:2 group:2 [numa] l3:1 core:2 pu:1", {2, 7}, 2, {2, 6}, 2},
        /* two NUMA nodes of the same cores: fast memory and large memory */
        {"pack:2 [numa] [numa] l3:1 core:4 pu:1", {6}, 1, {4}, 1},
        /* nothing known of caches */
        {"pack:2 [numa] core:4 pu:1", {1, 6}, 2, {0, 4}, 2},
        /* nothing known of NUMA nodes */
        {"core:8 pu:1", {6}, 1, {0}, 1},
        {"pack:2 l3:1 core:4 pu:1", {6}, 1, {0}, 1},
        /* a core that is not in the description, or no description: the whole node */
        {"pack:2 [numa] l3:1 core:4 pu:1", {6, 8}, 2, {0}, 1},
        {"pack:0", {6}, 1, {0}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cores have = {.count = rows[i].cores_count}, first;
        for (int k = 0; k < have.count; k++)
            have.id[k] = rows[i].cores[k];
        assert_int_equal(setenv("HWLOC_SYNTHETIC", rows[i].machine, 1), 0);
        core_domains(&have, &first);
        if (first.count != rows[i].first_count)
            fail_msg("row %zu: %d domains", i, first.count);
        for (int k = 0; k < first.count; k++)
            if (first.id[k] != rows[i].first[k])
                fail_msg("row %zu: domain %d begins with core %d", i, k, first.id[k]);
    }
    unsetenv("HWLOC_SYNTHETIC");
}

/* A system that says nothing: an empty /sys and /proc. */
TEST(says_nothing)
{
    char dir[] = "/tmp/paragrade-domains-XXXXXX";
    const struct cores have = {.id = {5, 6}, .count = 2};
    struct cores first;
    assert_non_null(mkdtemp(dir));
    setenv("HWLOC_FSROOT", dir, 1);
    core_domains(&have, &first);
    unsetenv("HWLOC_FSROOT");
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(first.count, 1);
    assert_int_equal(first.id[0], 0);
}

/* This machine: every core is in a domain whose first core is in it, too. */
TEST(here)
{
    struct cores have, first, again;
    cores_allocated(&have);
    core_domains(&have, &first);
    assert_in_range(first.count, 1, have.count);
    core_domains(&first, &again);
    assert_int_equal(again.count, first.count);
    for (int i = 0; i < first.count; i++)
        assert_int_equal(again.id[i], first.id[i]);
}

TESTS(NULL, NULL)
