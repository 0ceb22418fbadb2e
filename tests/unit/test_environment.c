/* The environment of drivers and compilers: a short list, and nothing of the job around it. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/protocol.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "supervise/environment.h"
#include "supervise/other_node.h"
#include "supervise/visible_gpu.h"

/* The value of a variable that may be there once, or NULL. */
static const char *value(char *const *env, const char *name)
{
    const char *found = NULL;
    size_t n = strlen(name);
    for (; *env; env++) {
        if (strncmp(*env, name, n) != 0 || (*env)[n] != '=')
            continue;
        if (found)
            fail_msg("%s is there twice", name);
        found = *env + n + 1;
    }
    return found;
}

static void assert_value(char *const *env, const char *name, const char *want)
{
    const char *is = value(env, name);
    if (is ? !want || strcmp(is, want) != 0 : want != NULL)
        fail_msg("%s is '%s', not '%s'", name, is ? is : "(unset)", want ? want : "(unset)");
}

static int empty(void **arg)
{
    const char *form =
        getenv("CMOCKA_MESSAGE_OUTPUT"); /* of the report: not the tests' to change */
    OWNED char *kept = form ? xstrdup(form) : NULL;
    int rc = clearenv();
    if (kept)
        setenv("CMOCKA_MESSAGE_OUTPUT", kept, 1);
    return rc;
}

TEST(from_outside)
{
    static const struct {
        const char *name, *set, *want;
    } table[] = {
        {"LD_PRELOAD", "/evil.so", NULL},
        {"LD_AUDIT", "/evil.so", NULL},
        {"SLURM_JOB_ID", "7", NULL},
        {"SLURM_NTASKS", "4", NULL},
        {"PMI_RANK", "0", NULL},
        {"PMIX_RANK", "0", NULL},
        {"OMPI_MCA_plm", "slurm", NULL},
        {"OMP_STACKSIZE", "4G", NULL},
        {"GOMP_CPU_AFFINITY", "0", NULL},
        {"CC", "evil", NULL},
        {"PATHX", "x", NULL},
        {"SSH_AUTH_SOCK", "/run/ssh", NULL},
        {"GITHUB_TOKEN", "secret", NULL},
        {PG_ENV_TOKEN, "of another", NULL},
        {PG_ENV_SOCKET, "/of/another", NULL},
        {"HOME", "/home/teacher", "/scratch"},
        {"TMPDIR", "/elsewhere", "/scratch"},
        {"LC_ALL", "de_DE", "C.UTF-8"}, /* messages of compilers are the same everywhere */
        {"OMP_NUM_THREADS", "64", "1"},
        {"OMP_DYNAMIC", "true", "false"},
        {"OMP_PROC_BIND", "spread", NULL},
        {"PATH", "/opt/gcc/bin:/usr/bin", "/opt/gcc/bin:/usr/bin"},
        {"LD_LIBRARY_PATH", "", ""},
        {"CPATH", "a=b", "a=b"},
        {"OPAL_PREFIX", "/opt/openmpi", "/opt/openmpi"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        setenv(table[i].name, table[i].set, 1);
    OWNED_TEXTS char **env = environment_make(&(struct environment){.scratch = "/scratch"});
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_value(env, table[i].name, table[i].want);
}

TEST(one_gpu)
{
    static const struct {
        const char *visible, *number, *want;
    } table[] = {
        {NULL, NULL, "0"},    {NULL, "2", "2"},
        {"", NULL, ""},       {"3", NULL, "3"},
        {"2,0,1", NULL, "2"}, {"2,0,1", "1", "0"},
        {"2,0", "7", "0"},    {"2,0", "x", "2"},
        {"2,0", "-1", "2"},   {"GPU-a,GPU-b", "", "GPU-a"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsetenv("CUDA_VISIBLE_DEVICES");
        unsetenv("ACC_DEVICE_NUM");
        if (table[i].visible)
            setenv("CUDA_VISIBLE_DEVICES", table[i].visible, 1);
        if (table[i].number)
            setenv("ACC_DEVICE_NUM", table[i].number, 1);
        OWNED_TEXTS char **env = environment_make(&(struct environment){.scratch = "/s"});
        assert_value(env, "CUDA_VISIBLE_DEVICES", table[i].want);
        assert_value(env, "ACC_DEVICE_NUM", NULL);
    }
}

/* As many as a launch asks for, if there are so many. */
TEST(several_gpus)
{
    static const struct {
        const char *visible;
        int gpus;
        const char *want, *count;
    } table[] = {
        {"4,2,7", 2, "4,2", "2"},
        {"4,2,7", 3, "4,2,7", "3"},
        {"4,2,7", 4, "4,2,7", "3"},
        {"4", 2, "4", NULL},
        {"", 2, "", NULL},
        {"GPU-a,GPU-b", 1, "GPU-a", NULL},
        {"GPU-a,GPU-b", 2, "GPU-a,GPU-b", "2"},
    };
    if (access(VISIBLE_GPU_PROC, F_OK) == 0)
        skip(); /* these are no GPUs of this machine */
    unsetenv("ACC_DEVICE_NUM");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        setenv("CUDA_VISIBLE_DEVICES", table[i].visible, 1);
        OWNED_TEXTS char **env =
            environment_make(&(struct environment){.scratch = "/s", .gpus = table[i].gpus});
        assert_value(env, "CUDA_VISIBLE_DEVICES", table[i].want);
        assert_value(env, PG_ENV_GPUS, table[i].count);
    }
    unsetenv("CUDA_VISIBLE_DEVICES");
}

/* A compiler gets this, in an empty environment, and not a word more. */
TEST(nothing_else)
{
    static const char *const want[] = {"LC_ALL=C.UTF-8",
                                       "HOME=/a b",
                                       "TMPDIR=/a b",
                                       "OMP_NUM_THREADS=1",
                                       "OMP_DYNAMIC=false",
                                       "CUDA_VISIBLE_DEVICES=0",
                                       "CUDA_DEVICE_ORDER=PCI_BUS_ID"};
    OWNED_TEXTS char **env = environment_make(&(struct environment){.scratch = "/a b", .cores = 8});
    size_t n = 0;
    while (env[n])
        n++;
    assert_int_equal(n, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < n; i++) {
        OWNED char *name = xasprintf("%.*s", (int)strcspn(want[i], "="), want[i]);
        assert_value(env, name, strchr(want[i], '=') + 1);
    }
}

TEST(threads)
{
    static const struct {
        struct launch launch;
        int cores;
        const char *threads;
        bool bound, passive, own_threads;
    } table[] = {
        {{0, 0, 1, 0}, 4, "1", false, false, false},
        {{1, 0, 1, 0}, 4, "1", false, false, false},
        {{1, -3, 1, 0}, 4, "1", false, false, false},
        {{0, 2, 1, 0}, 4, "2", false, false, false},
        {{1, 1, 1, 0}, 4, "1", false, false, false}, /* one thread is pinned by the proctor */
        {{1, 5, 1, 0}, 4, "5", false, true, false},  /* more threads than cores */
        {{1, 2, 1, 0}, 0, "2", false, false, false},
        {{2, 2, 1, 0}, 4, "2", false, false, false}, /* ranks would be bound to the same cores */
        {{2, 2, 1, 0}, 3, "2", false, true, false},
        {{4, 1, 1, 0}, 2, "1", false, false, false},
        {{1, 4, 1, 0}, 4, "4", true, false, false},
        {{1, 2, 1, 0}, 4, "2", true, false, false},
        {{1, 2, 1, 0}, 4, "2", false, false, true}, /* they would have the core of the first one */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED_TEXTS char **env =
            environment_make(&(struct environment){.scratch = "/s",
                                                   .launch = table[i].launch,
                                                   .cores = table[i].cores,
                                                   .own_threads = table[i].own_threads});
        assert_value(env, "OMP_NUM_THREADS", table[i].threads);
        if (!!value(env, "OMP_PROC_BIND") != table[i].bound)
            fail_msg("row %zu", i);
        assert_value(env, "OMP_PROC_BIND", table[i].bound ? "close" : NULL);
        assert_value(env, "OMP_PLACES", table[i].bound ? "cores" : NULL);
        assert_value(env, "OMP_WAIT_POLICY", table[i].passive ? "passive" : NULL);
        const char *as_root = table[i].launch.ranks > 0 && geteuid() == 0 ? "1" : NULL;
        assert_value(env, "OMPI_MCA_plm_rsh_agent", table[i].launch.ranks > 0 ? "false" : NULL);
        assert_value(env, "OMPI_MCA_pml", table[i].launch.ranks > 0 ? "ob1" : NULL);
        assert_value(env, "HWLOC_PLUGINS_PATH", table[i].launch.ranks > 0 ? "" : NULL);
        assert_value(env, "PMIX_MCA_gds", table[i].launch.ranks > 0 ? "hash" : NULL);
        assert_value(env, "OMPI_MCA_osc",
                     table[i].launch.ranks > 1    ? "^ucx,pt2pt"
                     : table[i].launch.ranks == 1 ? "^ucx"
                                                  : NULL);
        assert_value(env, "OMPI_MCA_orte_base_help_aggregate",
                     table[i].launch.ranks > 0 ? "0" : NULL);
        assert_value(env, "OMPI_ALLOW_RUN_AS_ROOT", as_root);
        assert_value(env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", as_root);
    }
}

/* Over nodes, each launcher finds the others and the agent in variables of its own. */
TEST(launchers_over_nodes)
{
    static const char *const hosts[] = {"OMPI_MCA_orte_default_hostfile",
                                        "PRTE_MCA_prte_default_hostfile", NULL};
    static const char *const nets[] = {"OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include",
                                       "PRTE_MCA_prte_if_include", NULL};
    static const char *const agents[] = {"OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent",
                                         "HYDRA_LAUNCHER_EXEC", NULL};
    struct other_node node = {.name = (char[]){"n2"}, .address = "10.0.0.2"};
    struct other_nodes others = {&node, 1, (char[]){"n1"}, "10.0.0.1", 24};
    char **env =
        environment_make(&(struct environment){.scratch = "/s",
                                               .base = "/b",
                                               .launch = {.ranks = 2, .threads = 1, .nodes = 2},
                                               .others = &others});
    assert_value(env, "OMPI_MCA_osc", "^ucx"); /* only pt2pt has windows over TCP */
    char *agent = install_path("libexec/paragrade/agent");
    for (int i = 0; hosts[i]; i++)
        assert_value(env, hosts[i], "/b/hosts");
    for (int i = 0; nets[i]; i++)
        assert_value(env, nets[i], "10.0.0.1/24,10.0.0.2/24");
    for (int i = 0; agents[i]; i++)
        assert_value(env, agents[i], agent);
    assert_value(env, "HYDRA_HOST_FILE", "/b/machines");
    free(agent);
    proc_argv_free(env);
}

TEST(parts_of_a_driver)
{
    static const struct {
        const char *shm, *socket, *token;
    } table[] = {
        {NULL, NULL, NULL},         {NULL, NULL, "unused"}, /* no socket, no token */
        {"/dev/shm/x", NULL, NULL}, {NULL, "/s/sock", "0123"}, {"/dev/shm/x", "/s/sock", "0123"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *socket = table[i].socket;
        OWNED_TEXTS char **env = environment_make(&(struct environment){
            .scratch = "/s", .shm = table[i].shm, .socket = socket, .token = table[i].token});
        assert_value(env, PG_ENV_SHM, table[i].shm);
        assert_value(env, PG_ENV_SOCKET, socket);
        assert_value(env, PG_ENV_TOKEN, socket ? table[i].token : NULL);
    }
}

/* A build that looks for mistakes: what sanitizers and the C library are told. */
TEST(looking)
{
    const struct environment usual = {.scratch = "/a"},
                             zeros = {.scratch = "/a", .looking = true, .fill = FILL_ZEROS},
                             filled = {.scratch = "/a",
                                       .looking = true,
                                       .fill = FILL_OTHERS,
                                       .preload = "libasan.so.8"};
    OWNED_TEXTS char **a = environment_make(&usual), **b = environment_make(&zeros),
                     **c = environment_make(&filled);
    assert_value(a, "ASAN_OPTIONS", NULL);
    assert_value(a, "LD_PRELOAD", NULL);
    assert_value(b, "LD_PRELOAD", NULL);
    assert_value(c, "LD_PRELOAD", "libasan.so.8");
    assert_non_null(strstr(value(b, "ASAN_OPTIONS"), "malloc_fill_byte=0:"));
    assert_non_null(strstr(value(c, "ASAN_OPTIONS"), "malloc_fill_byte=254:"));
    assert_non_null(strstr(value(b, "GLIBC_TUNABLES"), "perturb=255"));
    assert_non_null(strstr(value(c, "GLIBC_TUNABLES"), "perturb=1"));
    float of_bytes;
    double of_more;
    memset(&of_bytes, 254, sizeof of_bytes);
    memset(&of_more, 254, sizeof of_more);
    assert_true(of_bytes < -1e30F && of_more < -1e300); /* what is added to a sum is seen */
}

/* In trials only: ranks are told what to note, and what stands in for what. */
TEST(calls)
{
    OWNED_TEXTS char **a = environment_make(&(struct environment){.scratch = "/a"}),
                     **b = environment_make(&(struct environment){.scratch = "/a", .calls = "2 1"});
    assert_value(a, PG_ENV_CALLS, NULL);
    assert_value(b, PG_ENV_CALLS, "2 1");
}

/* Made anew each time: what was made before does not change. */
TEST(a_fresh_vector)
{
    setenv("PATH", "/first", 1);
    OWNED_TEXTS char **a = environment_make(&(struct environment){.scratch = "/a"});
    setenv("PATH", "/second", 1);
    OWNED_TEXTS char **b = environment_make(&(struct environment){.scratch = "/b"});
    assert_value(a, "PATH", "/first");
    assert_value(a, "HOME", "/a");
    assert_value(b, "PATH", "/second");
    assert_value(b, "HOME", "/b");
    assert_string_equal(getenv("PATH"), "/second");
    assert_null(getenv("HOME")); /* ours is left alone */
}

TESTS_WITH(empty, NULL, NULL, NULL)
