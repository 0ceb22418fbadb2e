#include "supervise/environment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/protocol.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "supervise/visible_gpu.h"

/* Variables of the proctor that are passed on. Compilers and MPI need them to find their own parts;
 * environment modules set them. Slurm's variables are left out on purpose: with them, mpirun would
 * start ranks through srun. */
static const char *const passed[] = {
    "PATH",      "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH",
    "MANPATH",   "OPAL_PREFIX",     "MPI_HOME",     "CUDA_HOME",
    "CUDA_PATH", "ACC_DEVICE_TYPE", "NVHPC_ROOT",   "LM_LICENSE_FILE"};

/* Other bytes, those of -ftrivial-auto-var-init=pattern: floats and doubles are large, addresses
 * are none, and integers do not overflow in the first sum, which would be another mistake. */
static int fill_byte(enum memory_fill fill)
{
    return fill == FILL_OTHERS ? PG_FILLED : 0;
}

/* For a build that looks for mistakes. AddressSanitizer ends the program at the first one, fills
 * fresh memory, and reports addresses: a filter keeps it from starting a program that knows lines.
 * It must not judge what is no mistake here: leaks, mixed allocators, libraries without it. Faults
 * are reported by the driver. */
static void add_looking(struct proc_argv *v, enum memory_fill fill)
{
    proc_argv_push(v,
                   xasprintf("ASAN_OPTIONS=symbolize=0:color=never:print_legend=0:detect_leaks=0:"
                             "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:"
                             "handle_sigill=0:use_sigaltstack=0:detect_odr_violation=0:"
                             "alloc_dealloc_mismatch=0:detect_container_overflow=0:"
                             "detect_stack_use_after_return=0:allocator_may_return_null=1:"
                             "max_malloc_fill_size=1073741824:malloc_fill_byte=%d:"
                             "malloc_context_size=4:quarantine_size_mb=16",
                             fill_byte(fill)));
    proc_argv_push(v, xstrdup("UBSAN_OPTIONS=color=never:print_stacktrace=0:halt_on_error=0"));
}

/* mpirun starts its daemons through the proctors, and one network connects all nodes: that of the
 * proctors. Each launcher reads its own variables. */
static void add_other_nodes(struct proc_argv *v, const struct environment *spec)
{
    FREED_BY(strbuf_free) struct strbuf nets = STRBUF_INIT;
    OWNED char *agent = install_path("libexec/paragrade/agent");
    OWNED char *hosts = xasprintf("%s/hosts", spec->base);
    OWNED char *machines = xasprintf("%s/machines", spec->base);
    strbuf_addf(&nets, "%s/%d", spec->others->head_address, spec->others->network_bits);
    for (int i = 0; i + 1 < spec->launch.nodes; i++)
        strbuf_addf(&nets, ",%s/%d", spec->others->node[i].address, spec->others->network_bits);
    const struct {
        const char *name, *value;
    } variables[] = {
        {"OMPI_MCA_btl_tcp_if_include", nets.s}, /* Open MPI */
        {"OMPI_MCA_oob_tcp_if_include", nets.s}, /* ORTE, the launcher of Open MPI 4 */
        {"OMPI_MCA_plm", "rsh"},
        {"OMPI_MCA_plm_rsh_agent", agent},
        {"OMPI_MCA_plm_rsh_no_tree_spawn", "1"},
        {"OMPI_MCA_orte_default_hostfile", hosts},
        {"OMPI_MCA_orte_leave_session_attached", "1"},
        {"PRTE_MCA_prte_if_include", nets.s}, /* PRRTE, that of Open MPI 5 */
        {"PRTE_MCA_plm", "ssh"},
        {"PRTE_MCA_plm_ssh_agent", agent},
        {"PRTE_MCA_plm_ssh_no_tree_spawn", "1"},
        {"PRTE_MCA_prte_default_hostfile", hosts},
        {"PRTE_MCA_prte_leave_session_attached", "1"},
        {"HYDRA_LAUNCHER", "ssh"}, /* Hydra, that of MPICH */
        {"HYDRA_LAUNCHER_EXEC", agent},
        {"HYDRA_HOST_FILE", machines},
        {"HYDRA_ENV", "none"}, /* else ranks there get variables of this node */
    };
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        proc_argv_push(v, xasprintf("%s=%s", variables[i].name, variables[i].value));
    proc_argv_push(v, xasprintf("%s=%s/agent", PG_ENV_AGENT, spec->base));
}

/* The GPUs that it sees. A driver checks that these are so many. */
static void add_gpus(struct proc_argv *v, int gpus)
{
    static const char *const nccl[] = {"NCCL_NVLS_ENABLE=0", "NCCL_CUMEM_ENABLE=0",
                                       "NCCL_SHM_DISABLE=1"};
    FREED_BY(visible_gpus_free) struct visible_gpus all = visible_gpus_find(gpus > 1 ? gpus : 1);
    proc_argv_push(v, xasprintf("CUDA_VISIBLE_DEVICES=%s", all.names));
    proc_argv_push(v, xstrdup("CUDA_DEVICE_ORDER=PCI_BUS_ID")); /* as nvidia-smi counts */
    if (all.count > 1)
        proc_argv_push(v, xasprintf("%s=%d", PG_ENV_GPUS, all.count));
    /* NCCL: no multicast of NVLink, which can hurt other programs of the host; and what it would
     * use Unix sockets and /dev/shm for, which nothing in the sandbox can. */
    if (gpus)
        for (size_t i = 0; i < sizeof nccl / sizeof nccl[0]; i++)
            proc_argv_push(v, xstrdup(nccl[i]));
}

char **environment_make(const struct environment *spec)
{
    struct proc_argv v = {0};
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
        const char *value = getenv(passed[i]);
        if (value)
            proc_argv_push(&v, xasprintf("%s=%s", passed[i], value));
    }
    add_gpus(&v, spec->gpus);
    proc_argv_push(&v, xstrdup("LC_ALL=C.UTF-8"));
    proc_argv_push(&v, xasprintf("HOME=%s", spec->scratch));
    proc_argv_push(&v, xasprintf("TMPDIR=%s", spec->scratch));
    int threads = spec->launch.threads > 0 ? spec->launch.threads : 1;
    proc_argv_push(&v, xasprintf("OMP_NUM_THREADS=%d", threads));
    proc_argv_push(&v, xstrdup("OMP_DYNAMIC=false"));
    /* Bind threads if each has a core, so that they do not move between runs. If there are more
     * threads than cores, the scheduler places them. It also does so if the program starts threads
     * itself: the runtime binds the first thread as soon as it is loaded, and all threads that this
     * one starts would have its core. */
    if (spec->launch.ranks == 1 && spec->cores >= threads && threads > 1 && !spec->own_threads) {
        proc_argv_push(&v, xstrdup("OMP_PROC_BIND=close"));
        proc_argv_push(&v, xstrdup("OMP_PLACES=cores"));
    }
    /* Threads that wait must not spin if others need their core. A runtime knows its own threads,
     * but not those of other ranks: a small case of two ranks with two threads took 33 ms on two
     * cores. */
    if (threads > 1 && spec->cores > 0 &&
        launch_workers(launch_on_node(spec->launch)) > spec->cores)
        proc_argv_push(&v, xstrdup("OMP_WAIT_POLICY=passive"));
    /* Of the C library: fresh memory has the complement. Its caches of threads do not fill. */
    if (spec->fill != FILL_NONE)
        proc_argv_push(&v, xasprintf("GLIBC_TUNABLES=glibc.malloc.tcache_count=0:"
                                     "glibc.malloc.perturb=%d",
                                     UINT8_MAX - fill_byte(spec->fill)));
    /* These are runs that look for the cause of a failure, and nobody times them. */
    if (spec->fill != FILL_NONE && spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup(PG_ENV_WATCH "=1"));
    if (spec->calls)
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_CALLS, spec->calls));
    if (spec->late)
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_LATE, spec->late));
    if (spec->shm)
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_SHM, spec->shm));
    if (spec->others)
        add_other_nodes(&v, spec);
    /* If all ranks run on this node, mpirun needs no ssh. But it does not start without one. */
    else if (spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup("OMPI_MCA_plm_rsh_agent=false"));
    /* For the same reason, Open MPI need not look for networks. This takes two thirds of a start. A
     * launcher with `--mca pml` takes precedence. */
    if (spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup("OMPI_MCA_pml=ob1"));
    /* UCX, which MPICH of Debian uses, knows three ways to share memory. That of System V is kept
     * from ranks. */
    if (spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup("UCX_TLS=^sysv"));
    /* Nor need mpirun look for displays and accelerators, which load dozens of libraries, nor need
     * ranks put what they tell each other into files: together a quarter of a start. */
    if (spec->launch.ranks > 0) {
        proc_argv_push(&v, xstrdup("HWLOC_PLUGINS_PATH="));
        proc_argv_push(&v, xstrdup("PMIX_MCA_gds=hash"));
    }
    /* Where all ranks are on this node, nor need it know to which socket each network card is
     * attached: to read this from the cards takes another quarter. */
    if (spec->launch.ranks > 0 && !spec->others)
        proc_argv_push(&v, xstrdup("HWLOC_COMPONENTS=-linuxio"));
    /* When one rank has ended, mpirun must not wait for a second before it kills the others. */
    if (spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup("OMPI_MCA_odls_base_sigkill_timeout=0"));
    /* Windows (MPI_Win_create): UCX needs calls that are forbidden to ranks, and ends them. One
     * rank alone and ranks on several nodes need the component pt2pt. Debian's settings leave it
     * out; the others want a second rank, and shared memory. */
    if (spec->launch.ranks > 0)
        proc_argv_push(&v, xasprintf("OMPI_MCA_osc=^ucx%s",
                                     spec->launch.ranks > 1 && !spec->others ? ",pt2pt" : ""));
    /* A rank prints its errors itself. Mpirun, which would print them once for all ranks, loses
     * more of them: the rank ends meanwhile. */
    if (spec->launch.ranks > 0)
        proc_argv_push(&v, xstrdup("OMPI_MCA_orte_base_help_aggregate=0"));
    if (spec->launch.ranks > 0 && geteuid() == 0) {
        proc_argv_push(&v, xstrdup("OMPI_ALLOW_RUN_AS_ROOT=1"));
        proc_argv_push(&v, xstrdup("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"));
    }
    if (spec->launch.nodes > 1)
        proc_argv_push(&v, xasprintf("%s=%d", PG_ENV_NODES, spec->launch.nodes));
    if (spec->spread)
        proc_argv_push(&v, xstrdup(PG_ENV_SPREAD "=1"));
    if (spec->library)
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_LIBRARY, spec->library));
    if (spec->looking)
        add_looking(&v, spec->fill);
    if (spec->preload)
        proc_argv_push(&v, xasprintf("LD_PRELOAD=%s", spec->preload));
    if (spec->socket) {
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_SOCKET, spec->socket));
        proc_argv_push(&v, xasprintf("%s=%s", PG_ENV_TOKEN, spec->token));
    }
    return v.word;
}
