/* Where it is quick, a check tries the real thing instead of only looking for its name. */
#include "cmd/machine_check.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/inherited_limits.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cmd/examination.h"
#include "model/launch_kind.h"
#include "model/protection.h"

enum { PROBE_MS = 30000, FILES_LEAST = 1000 };

static void version_of(struct examination *x, const char *command, const char *missing)
{
    OWNED char *line = examination_first_line(command, EXAMINATION_QUICK_MS);
    examination_say(x, line ? EXAMINATION_OK : EXAMINATION_MISSING, line ? line : "not found",
                    missing);
}

static void check_compiler(struct examination *x)
{
    x->topic = "C compiler";
    x->needed = true;
    version_of(x, "gcc --version", "no tier can be compiled. Install gcc");
}

static void check_cxx(struct examination *x)
{
    x->topic = "C++ compiler";
    version_of(x, "g++ --version", "C++ submissions cannot be compiled. Install g++");
    if (x->state == EXAMINATION_MISSING)
        x->state = EXAMINATION_WARN;
}

/* Compile and run a program of a few lines, in a new directory. 0 if it prints "2". Otherwise *why
 * is the first line of what it printed as it ran, NULL if it was not built; the caller frees it. */
static int compile_and_run(const char *compile, const char *source, const char *run, char **why)
{
    *why = NULL;
    char dir[] = "/tmp/paragrade-doctor-XXXXXX";
    if (!mkdtemp(dir))
        return -1;
    OWNED char *file = xasprintf("%s/probe.c", dir),
               *build = xasprintf("%s -o %s/probe %s", compile, dir, file);
    OWNED char *command = xasprintf("%s%s/probe", run, dir);
    int rc = -1;
    if (fs_write_atomic(file, source, strlen(source), NULL) == 0) {
        OWNED char *built = examination_first_line(build, PROBE_MS);
        bool ended = false;
        char *ran = built ? examination_run(command, PROBE_MS, &ended) : NULL;
        rc = ran && ended && strcmp(ran, "2") == 0 ? 0 : -1;
        if (rc != 0)
            *why = ran;
        else
            free(ran);
    }
    fs_remove_tree(dir, NULL);
    return rc;
}

static void check_openmp(struct examination *x)
{
    static const char source[] = "#include <stdio.h>\n#include <omp.h>\nint main(void)\n{\n"
                                 "    int n = 0;\n#pragma omp parallel num_threads(2)\n"
                                 "#pragma omp atomic\n    n++;\n    printf(\"%d\\n\", n);\n}\n";
    x->topic = "OpenMP";
    OWNED char *why = NULL;
    const int rc = compile_and_run("gcc -fopenmp", source, "", &why);
    examination_say(x, rc == 0 ? EXAMINATION_OK : EXAMINATION_MISSING,
                    rc == 0 ? "two threads ran"
                            : "a program with two threads does not build or run",
                    "the openmp tier cannot be graded. Install gcc with OpenMP (libgomp)");
}

/* Is there an interface with an address? Open MPI starts nothing without one. */
static bool interface_is_up(void)
{
    struct ifaddrs *list = NULL;
    bool up = false;
    if (getifaddrs(&list) != 0)
        return true; /* not known */
    for (const struct ifaddrs *i = list; i; i = i->ifa_next)
        up = up || (i->ifa_addr && (i->ifa_flags & IFF_UP) &&
                    (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6));
    freeifaddrs(list);
    return up;
}

static void check_mpi(struct examination *x)
{
    static const char source[] =
        "#include <stdio.h>\n#include <mpi.h>\nint main(int c, char **v)\n{\n"
        "    int r, n;\n    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
        "    MPI_Comm_size(MPI_COMM_WORLD, &n);\n    if (!r)\n        printf(\"%d\\n\", n);\n"
        "    MPI_Finalize();\n}\n";
    x->topic = "MPI";
    if (geteuid() == 0) { /* Open MPI wants both variables */
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    /* Inside a job, mpirun would start ranks through Slurm. The proctor does without, too. */
    OWNED char *why = NULL;
    int rc =
        compile_and_run("mpicc", source, "env -u SLURM_JOBID mpirun --oversubscribe -n 2 ", &why);
    if (rc == 0)
        examination_say(x, EXAMINATION_OK, "two ranks ran", "");
    else if (why && !interface_is_up())
        examination_say(x, EXAMINATION_WARN, "no network interface is up",
                        "the mpi tier will fail: Open MPI needs an interface even inside one node. "
                        "Bring one up (ip link set lo up)");
    else
        examination_say(x, EXAMINATION_WARN,
                        why && *why ? why : "a program with two ranks does not build or run",
                        "the mpi tier will be skipped. Install libopenmpi-dev and openmpi-bin");
}

static void check_drivers(struct examination *x)
{
    FREED_BY(strbuf_free) struct strbuf have = STRBUF_INIT;
    bool complete = true;
    x->topic = "drivers";
    x->needed = true;
    for (unsigned k = 0; k < LAUNCH_KIND_COUNT; k++) {
        const struct launch_kind_info *kind = launch_kind_info((enum launch_kind)k);
        OWNED char *path = install_path(kind->program);
        if (fs_exists(path))
            strbuf_addf(&have, "%s%s", have.len ? ", " : "", kind->name);
        else if (!kind->hint) /* every build has it */
            complete = false;
    }
    examination_say(x, complete ? EXAMINATION_OK : EXAMINATION_MISSING, have.len ? have.s : "none",
                    "no student code can be run. Build Paragrade with make, or install it again");
}

static void check_cuda(struct examination *x)
{
    x->topic = "CUDA";
    OWNED char *line = examination_first_line("nvidia-smi --query-gpu=name --format=csv,noheader",
                                              EXAMINATION_QUICK_MS);
    OWNED char *nvcc = proc_which("nvcc");
    if (line && nvcc)
        examination_say(x, EXAMINATION_OK, line, "");
    else
        examination_say(
            x, EXAMINATION_WARN,
            nvcc   ? "nvcc, but no GPU"
            : line ? "a GPU, but no nvcc"
                   : "neither nvcc nor a GPU",
            nvcc ? "the cuda tier will be skipped. Grade it on a node with an NVIDIA GPU and its "
                   "driver"
                 : "the cuda tier will be skipped. Install the CUDA toolkit, and grade on a node "
                   "with an "
                   "NVIDIA GPU");
}

static void check_vectors(struct examination *x)
{
    x->topic = "vectors";
#if defined(__x86_64__)
    bool wide = __builtin_cpu_supports("avx512f"), avx2 = __builtin_cpu_supports("avx2");
    examination_say(
        x, avx2 ? EXAMINATION_OK : EXAMINATION_WARN,
        wide   ? "AVX-512"
        : avx2 ? "AVX2"
               : "neither AVX2 nor AVX-512",
        "programs that were compiled for AVX2 crash here (illegal instruction). Grade on another "
        "machine, or change the compile commands in the assignment");
#else
    examination_say(x, EXAMINATION_WARN, "not an x86-64 processor",
                    "compile commands in the assignment must not ask for AVX2");
#endif
}

static void check_cores(struct examination *x)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    int n = CPU_COUNT(&set);
    OWNED char *text = xasprintf("%d usable", n);
    x->topic = "cores";
    examination_say(
        x, n > 1 ? EXAMINATION_OK : EXAMINATION_WARN, text,
        "launches with more threads or ranks than cores are checked, but not timed. Grade on a "
        "machine with more cores, or allocate more");
}

static void check_seals(struct examination *x)
{
    x->topic = "sealed memory";
    x->needed = true;
    int fd = memfd_create("probe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int rc = fd < 0 ? -1 : fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    if (fd >= 0)
        close(fd);
    examination_say(
        x, rc == 0 ? EXAMINATION_OK : EXAMINATION_MISSING, rc == 0 ? "works" : strerror(errno),
        "student code could change its inputs, so nothing can be graded here. Use Linux 5.1 or "
        "newer");
}

/* A protection that assignments can require. The topic is its name. */
static void check_protection(enum protection p, struct examination *x)
{
    bool there = protection_of_machine() & PROTECTION_BIT(p);
    OWNED char *text = there && p == PROTECTION_LANDLOCK
                           ? xasprintf("version %d", protection_landlock_version())
                           : xstrdup(there ? "yes" : "no");
    x->topic = protection_name(p);
    examination_say(x, there ? EXAMINATION_OK : EXAMINATION_WARN, text, protection_lack(p));
}

static void check_limits(struct examination *x)
{
    static const int needed[] = {RLIMIT_AS, RLIMIT_CORE, RLIMIT_FSIZE};
    bool works = true;
    x->topic = "limits";
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        struct rlimit r;
        works = works && getrlimit((__rlimit_resource_t)needed[i], &r) == 0 &&
                setrlimit((__rlimit_resource_t)needed[i], &r) == 0;
    }
    examination_say(
        x, works ? EXAMINATION_OK : EXAMINATION_WARN,
        works ? "memory, files and cores" : strerror(errno),
        "compilers and student code can fill the disk and the memory. Ask the administrator why "
        "resource limits (setrlimit) cannot be set");
}

/* They are raised as far as possible when a command starts: main.c. */
static void check_inherited_limits(struct examination *x)
{
    FREED_BY(strbuf_free) struct strbuf found = STRBUF_INIT;
    x->topic = "ulimit";
    const bool low = inherited_limits_describe(&found);
    examination_say(
        x, low ? EXAMINATION_WARN : EXAMINATION_OK, found.len ? found.s : "no limits",
        "the login shell or the site limits programs (ulimit -H -a), and Slurm passes this on to "
        "jobs. Honest submissions can fail. Lift the limits of processor time (cpu) and memory "
        "(as, "
        "data); allow 1024 processes (nproc) and files (nofile), and a stack of 8 MiB");
}

/* Attackers reach many bugs of Linux through user namespaces, so the filter of the drivers forbids
 * them. Paragrade itself puts drivers into them. */
static void check_user_namespaces(struct examination *x)
{
    static const char path[] = "/proc/sys/user/max_user_namespaces";
    OWNED char *text = NULL;
    x->topic = "user namespaces";
    bool closed = fs_read(path, 64, &text, NULL, NULL) != 0 || atoi(text) == 0;
    examination_say(x, EXAMINATION_OK, closed ? "none" : "allowed, but not to student code", "");
}

/* Is the beginning of `at` one of "/a, /b, "? */
static bool is_listed(const char *list, const char *at, size_t length)
{
    for (const char *next = list; *next; next += strcspn(next, ",") + 2)
        if (strcspn(next, ",") == length && strncmp(next, at, length) == 0)
            return true;
    return false;
}

/* The sandbox opens the directories of the system, and what belongs to the programs on PATH
 * (supervise/sandbox.c). A course that lies beside them is readable as far as no plan names it. */
static void check_readable(struct examination *x)
{
    static const char *const system[] = {"/usr/", "/bin", "/sbin", "/opt/"};
    FREED_BY(strbuf_free) struct strbuf beside = STRBUF_INIT;
    for (const char *at = getenv("PATH"); at && *at;) {
        const size_t n = strcspn(at, ":");
        bool known = at[0] != '/' || is_listed(beside.s, at, n);
        for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
            known = known || strncmp(at, system[i], strlen(system[i])) == 0;
        if (!known)
            strbuf_addf(&beside, "%.*s, ", (int)n, at);
        at += n + (at[n] == ':');
    }
    OWNED char *text = xasprintf("/usr, /opt, /proc, /sys, the public part of /etc%s%.*s",
                                 beside.len ? "; of PATH, with what is beside them: " : "",
                                 beside.len ? (int)beside.len - 2 : 0, beside.s);
    x->topic = "readable";
    examination_say(x, EXAMINATION_OK, text, "");
}

static void check_priority(struct examination *x)
{
    x->topic = "priority";
    struct rlimit r;
    bool may = geteuid() == 0 || (getrlimit(RLIMIT_NICE, &r) == 0 && r.rlim_cur > 20);
    examination_say(
        x, may ? EXAMINATION_OK : EXAMINATION_WARN, may ? "can be raised" : "cannot be raised",
        "other processes can take cores away while runs are timed. Such runs are marked; for "
        "better times, use a node without other work, or raise the limit of `ulimit -e`");
}

static void check_schedstat(struct examination *x)
{
    x->topic = "disturbance";
    bool there = access("/proc/self/schedstat", R_OK) == 0;
    examination_say(
        x, there ? EXAMINATION_OK : EXAMINATION_WARN,
        there ? "can be seen" : "no /proc/self/schedstat",
        "runs that other processes disturb are not noticed. Use a node without other work, or a "
        "Linux kernel with CONFIG_SCHED_INFO");
}

static void check_space(struct examination *x)
{
    struct statvfs s;
    x->topic = "scratch";
    const char *dir = fs_scratch_parent(), *wanted = fs_tmpdir();
    const bool usable = statvfs(dir, &s) == 0 && access(dir, W_OK | X_OK) == 0;
    const double gib = usable ? (double)s.f_bavail * (double)s.f_frsize / 1073741824.0 : 0;
    if (usable && !fs_may_execute(dir)) {
        examination_say(x, EXAMINATION_MISSING, dir, FS_NO_EXECUTION);
        return;
    }
    if (usable && strcmp(dir, wanted) != 0) {
        OWNED char *why = xasprintf("%s: %s", wanted,
                                    access(wanted, W_OK) != 0 ? strerror(errno)
                                    : wanted[0] != '/'        ? "is not an absolute path"
                                                              : "is too long a path");
        OWNED char *hint = xasprintf("builds are made in %s instead. Set TMPDIR, or scratch in the "
                                     "configuration (paragrade config), to a directory that may be "
                                     "written, with at most %d characters",
                                     dir, FS_SCRATCH_LONGEST);
        examination_say(x, EXAMINATION_WARN, why, hint);
        return;
    }
    const bool few = usable && s.f_files && s.f_favail < FILES_LEAST; /* btrfs has no limit: 0 */
    OWNED char *text = usable ? xasprintf("%s: %.1f GiB free%s", dir, gib,
                                          few ? ", but hardly an inode for a file" : "")
                              : xasprintf("%s: %s", dir, strerror(errno));
    examination_say(
        x, gib >= 1 && !few ? EXAMINATION_OK : EXAMINATION_WARN, text,
        usable ? "builds may fail because the disk is full. Delete files there, or set TMPDIR, or "
                 "scratch in the configuration (paragrade config), to another directory"
               : "nothing can be built. Set TMPDIR, or scratch in the configuration (paragrade "
                 "config), to a directory that may be written");
}

typedef void check_function(struct examination *x);

static check_function *const checks_of_basics[] = {
    check_compiler, check_cxx,     check_openmp, check_mpi,   check_cuda,
    check_drivers,  check_vectors, check_cores,  check_seals,
};

/* The protections are checked between the two tables. */
static check_function *const checks_of_surroundings[] = {
    check_limits,   check_inherited_limits, check_readable, check_user_namespaces,
    check_priority, check_schedstat,        check_space,    check_modules,
    check_slurm,    check_accounting,       check_clock,    check_spool,
};

enum {
    BASICS = sizeof checks_of_basics / sizeof checks_of_basics[0],
    SURROUNDINGS = sizeof checks_of_surroundings / sizeof checks_of_surroundings[0],
};

bool doctor_examine(unsigned i, struct examination *x)
{
    *x = (struct examination){0};
    if (i < BASICS) {
        checks_of_basics[i](x);
        return true;
    }
    i -= BASICS;
    if (i < PROTECTION_COUNT) {
        check_protection((enum protection)i, x);
        return true;
    }
    i -= PROTECTION_COUNT;
    if (i < SURROUNDINGS) {
        checks_of_surroundings[i](x);
        return true;
    }
    return false;
}
