/* sbatch: the argument vector, the classes of refusal, the shapes that share an array. */
#include "unit.h"

#include <string.h>

#include "base/proc.h"
#include "slurm/groups.h"
#include "slurm/submit.h"

#define FAILED "Batch job submission failed: "

TEST(refusals)
{
    static const struct {
        const char *text;
        enum slurm_outcome outcome;
    } row[] = {
        /* refused for good: Slurm's words go to the user */
        {FAILED "Invalid partition name specified", SUBMIT_REFUSED},
        {"invalid partition specified: nope; " FAILED "Invalid partition name specified",
         SUBMIT_REFUSED},
        {FAILED "Requested node configuration is not available", SUBMIT_REFUSED},
        {FAILED "Invalid account or account/partition combination specified", SUBMIT_REFUSED},
        {FAILED "Invalid qos specification", SUBMIT_REFUSED},
        {FAILED "Invalid job array specification", SUBMIT_REFUSED},
        {FAILED "Requested time limit is invalid (missing or exceeds some limit)", SUBMIT_REFUSED},
        {FAILED "Memory required by task is not available", SUBMIT_REFUSED},
        {FAILED "Invalid generic resource (gres) specification", SUBMIT_REFUSED},
        {FAILED "Access/permission denied", SUBMIT_REFUSED},
        {"sbatch: unrecognized option '--nope'", SUBMIT_REFUSED},
        {"QOSMaxCpuPerUserLimit; " FAILED "Job violates accounting/QOS policy (job submit limit, "
         "user's size and/or time limits)",
         SUBMIT_REFUSED},
        {"AssocMaxWallDurationPerJobLimit; " FAILED "Job violates accounting/QOS policy",
         SUBMIT_REFUSED},
        {"", SUBMIT_REFUSED},
        /* limits on how many */
        {"QOSMaxSubmitJobPerUserLimit; " FAILED "Job violates accounting/QOS policy (job submit "
         "limit, user's size and/or time limits)",
         SUBMIT_LIMIT},
        {"AssocMaxSubmitJobLimit; " FAILED "Job violates accounting/QOS policy", SUBMIT_LIMIT},
        {"QOSGrpSubmitJobsLimit; " FAILED "Job violates accounting/QOS policy", SUBMIT_LIMIT},
        {FAILED "Job violates accounting/QOS policy (job submit limit, user's size and/or time "
                "limits)",
         SUBMIT_LIMIT},
        {"Slurm temporarily unable to accept job, sleeping and retrying", SUBMIT_LIMIT},
        {FAILED "Resource temporarily unavailable", SUBMIT_LIMIT},
        /* nobody there: it may have got in */
        {FAILED "Unable to contact slurm controller (connect failure)", SUBMIT_UNKNOWN},
        {FAILED "Socket timed out on send/recv operation", SUBMIT_UNKNOWN},
        {FAILED "Zero Bytes were transmitted or received", SUBMIT_UNKNOWN},
        {FAILED "Protocol authentication error", SUBMIT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (slurm_classify_refusal(row[i].text) != row[i].outcome)
            fail_msg("\"%s\" was taken for %d", row[i].text, slurm_classify_refusal(row[i].text));
}

static void expect_argv(const struct slurm_request *q, const char *const *want, size_t n)
{
    OWNED_TEXTS char **argv = slurm_sbatch_argv(q);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(argv[i]);
        assert_string_equal(argv[i], want[i]);
    }
    assert_null(argv[n]);
}

TEST(smallest_command)
{
    static const struct resources nothing;
    char *args[] = {NULL};
    const struct slurm_request q = {.script = "/x/unit.sbatch",
                                    .name = "pg-a-1-00",
                                    .chdir = "/r/slurm",
                                    .output = "array-1-%a.log",
                                    .res = &nothing,
                                    .exclude = "",
                                    .args = args};
    static const char *const want[] = {"sbatch",
                                       "--parsable",
                                       "--job-name=pg-a-1-00",
                                       "--chdir=/r/slurm",
                                       "--output=/r/slurm/array-1-%a.log",
                                       "--open-mode=append",
                                       "--no-requeue",
                                       "/x/unit.sbatch"};
    expect_argv(&q, want, sizeof want / sizeof want[0]);
}

TEST(full_command)
{
    char *extra[] = {"--reservation=course", "--signal=B:TERM"};
    const struct resources r = {.partition = "cpu",
                                .account = "edu",
                                .qos = "low",
                                .constraint = "zen3",
                                .gres = "gpu:1",
                                .nodes = 1,
                                .tasks = 4,
                                .cpus_per_task = 2,
                                .memory_bytes = (UINT64_C(3) << 30) + 1,
                                .time_ms = 90001,
                                .exclusive = true,
                                .extra = extra,
                                .extra_count = 2};
    /* Whatever a path holds stays one argument. */
    char *args[] = {"/p/proctor", "/r u n/$(date)\n\"'", "--", NULL};
    const struct slurm_request q = {.script = "/x y/unit.sbatch",
                                    .name = "n",
                                    .chdir = "/d 50%j",
                                    .output = "o",
                                    .res = &r,
                                    .elements = 100,
                                    .throttle = 16,
                                    .exclude = "n1,n2",
                                    .dependency = "afterany:1:2",
                                    .args = args};
    static const char *const want[] = {"sbatch",
                                       "--parsable",
                                       "--job-name=n",
                                       "--chdir=/d 50%j",
                                       "--output=/d 50%%j/o",
                                       "--open-mode=append",
                                       "--no-requeue",
                                       "--array=0-99%16",
                                       "--exclude=n1,n2",
                                       "--dependency=afterany:1:2",
                                       "--partition=cpu",
                                       "--account=edu",
                                       "--qos=low",
                                       "--constraint=zen3",
                                       "--gres=gpu:1",
                                       "--nodes=1",
                                       "--ntasks=4",
                                       "--cpus-per-task=2",
                                       "--mem=3073M",
                                       "--time=2",
                                       "--exclusive",
                                       "--reservation=course",
                                       "--signal=B:TERM",
                                       "/x y/unit.sbatch",
                                       "/p/proctor",
                                       "/r u n/$(date)\n\"'",
                                       "--"};
    expect_argv(&q, want, sizeof want / sizeof want[0]);
}

TEST(arrays_of_one)
{
    static const struct resources nothing;
    char *args[] = {NULL};
    struct slurm_request q = {
        .script = "s", .chdir = "/", .output = "o", .res = &nothing, .elements = 1, .args = args};
    OWNED_TEXTS char **argv = slurm_sbatch_argv(&q);
    assert_string_equal(argv[6], "--array=0-0");
}

/* Some sites take memory by core only, and some none at all. */
TEST(memory)
{
    static const struct {
        const char *site; /* NULL: it says nothing */
        struct resources res;
        const char *option;
    } table[] = {
        {NULL, {.memory_bytes = 3 << 20, .tasks = 2}, "--mem=3M"},
        {"per-node", {.memory_bytes = 3 << 20, .tasks = 2}, "--mem=3M"},
        {"per-core", {.memory_bytes = 3 << 20, .tasks = 2}, "--mem-per-cpu=2M"},
        {"per-core",
         {.memory_bytes = 1 << 30, .tasks = 2, .cpus_per_task = 4},
         "--mem-per-cpu=128M"},
        {"per-core", {.memory_bytes = 3 << 20}, "--mem-per-cpu=3M"},
        {"per-core", {.tasks = 2}, NULL},
        {"not-asked", {.memory_bytes = 3 << 20}, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *args[] = {NULL}, *found = NULL;
        FREED_BY(site_free) struct site s = {0};
        struct resources res = table[i].res;
        if (table[i].site)
            assert_int_equal(site_set(&s, SITE_MEMORY, table[i].site, "f", NULL), 0);
        slurm_lay_over(&res, &(struct slurm_layers){.site = &s});
        const struct slurm_request q = {
            .script = "s", .chdir = "/", .output = "o", .res = &res, .args = args};
        OWNED_TEXTS char **argv = slurm_sbatch_argv(&q);
        for (size_t k = 0; argv[k]; k++)
            found = strncmp(argv[k], "--mem", strlen("--mem")) == 0 ? argv[k] : found;
        if (!found != !table[i].option || (found && strcmp(found, table[i].option) != 0))
            fail_msg("%s: %s instead of %s", table[i].site ? table[i].site : "",
                     found ? found : "nothing", table[i].option ? table[i].option : "nothing");
    }
}

TEST(shapes)
{
    char *one[] = {"--x"}, *other[] = {"--y"};
    const struct resources base = {.partition = "cpu", .tasks = 2};
    assert_true(resources_equal(&base, &base));
    const struct resources empty_text = {.partition = "cpu", .tasks = 2, .account = ""};
    assert_true(resources_equal(&base, &empty_text));
    const struct resources differ[] = {
        {0},
        {.partition = "gpu", .tasks = 2},
        {.partition = "cpu", .tasks = 2, .account = "a"},
        {.partition = "cpu", .tasks = 2, .qos = "a"},
        {.partition = "cpu", .tasks = 2, .constraint = "a"},
        {.partition = "cpu", .tasks = 2, .gres = "gpu:1"},
        {.partition = "cpu", .tasks = 3},
        {.partition = "cpu", .tasks = 2, .nodes = 1},
        {.partition = "cpu", .tasks = 2, .cpus_per_task = 1},
        {.partition = "cpu", .tasks = 2, .memory_bytes = 1},
        {.partition = "cpu", .tasks = 2, .memory_as = MEMORY_PER_CORE},
        {.partition = "cpu", .tasks = 2, .time_ms = 1},
        {.partition = "cpu", .tasks = 2, .exclusive = true},
        {.partition = "cpu", .tasks = 2, .extra = one, .extra_count = 1},
    };
    for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++)
        assert_false(resources_equal(&base, &differ[i]));
    const struct resources a = {.extra = one, .extra_count = 1};
    const struct resources b = {.extra = other, .extra_count = 1};
    assert_false(resources_equal(&a, &b));
}

/* Tiers 0 and 2 ask for the same, tier 1 for more. */
TEST(grouping)
{
    struct tier tiers[3] = {{.name = "a", .slurm = {.cpus_per_task = 1}},
                            {.name = "b", .slurm = {.cpus_per_task = 8}},
                            {.name = "c", .slurm = {.cpus_per_task = 1}}};
    const struct assignment a = {.tiers = tiers, .tiers_count = 3};
    struct unit units[6];
    int all[6];
    for (int i = 0; i < 6; i++) {
        units[i] = (struct unit){.index = i, .tier = i % 3};
        all[i] = i;
    }
    const struct plan p = {.units = units, .units_count = 6};
    struct slurm_groups g;
    const struct site given = {.value = {[SITE_PARTITION] = "p", [SITE_QOS] = "q"}};

    slurm_groups_make(&a, &p, &(struct slurm_units){.index = all}, &(struct slurm_layers){0}, &g);
    assert_int_equal(g.count, 0);
    slurm_groups_free(&g);

    slurm_groups_make(&a, &p, &(struct slurm_units){.index = all, .count = 6},
                      &(struct slurm_layers){.given = &given}, &g);
    assert_int_equal(g.count, 2);
    assert_int_equal(g.item[0].count, 4);
    assert_int_equal(g.item[1].count, 2);
    assert_int_equal(g.item[0].unit[1], 2);
    assert_int_equal(g.item[1].unit[0], 1);
    assert_string_equal(g.item[0].res.partition, "p");
    assert_string_equal(g.item[1].res.qos, "q");
    assert_null(g.item[0].res.account);
    slurm_groups_free(&g);
}

/* The command line, then the assignment, then the settings of the site. */
TEST(who_chooses)
{
    static const struct {
        const char *asked, *assignment, *site, *chosen;
    } row[] = {
        {NULL, NULL, NULL, NULL}, {NULL, NULL, "s", "s"}, {NULL, "a", NULL, "a"},
        {NULL, "a", "s", "a"},    {"c", NULL, "s", "c"},  {"c", "a", "s", "c"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct site site = {0}, given = {0};
        for (int x = 0; x < SITE_SLURM_WORDS; x++) {
            site.value[x] = (char *)row[i].site;
            given.value[x] = (char *)row[i].asked;
        }
        struct resources res = {.partition = (char *)row[i].assignment,
                                .account = (char *)row[i].assignment,
                                .qos = (char *)row[i].assignment};
        slurm_lay_over(&res, &(struct slurm_layers){.given = &given, .site = &site});
        const char *chosen[] = {res.partition, res.account, res.qos};
        for (int k = 0; k < 3; k++) {
            assert_true(!chosen[k] == !row[i].chosen);
            if (chosen[k])
                assert_string_equal(chosen[k], row[i].chosen);
        }
    }
}

TESTS(NULL, NULL)
