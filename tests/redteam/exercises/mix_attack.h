/*
 * mix_attack.h - what the attacks on the exercise of tests/fixtures/spread share: those of
 * attack.h, and its reference as honest().
 */
#ifndef MIX_ATTACK_H
#define MIX_ATTACK_H

#include <stdbool.h>

#include "attack.h" /* its gemm.h is mix.h here */

#define OPERANDS                                                                                   \
    int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w, int16_t *y,     \
        int32_t *z, int64_t *sum, int32_t *hist
#ifdef PARAGRADE_MPI
#define KERNEL int64_t mix_mpi(OPERANDS, MPI_Comm comm)
#define HONEST honest(n, m, k, x, c, w, y, z, sum, hist, comm)
#define mix_mpi honest
#include "reference_mpi.h"
#undef mix_mpi
#else
#define KERNEL int64_t mix(OPERANDS)
#define HONEST honest(n, m, k, x, c, w, y, z, sum, hist)
#define mix honest
#include "reference_naive.h"
#undef mix
#endif

/* Look at another process, stop it, or slow it down. Its cores can be changed: clock/bind_others.c.
 */
static inline void try_process(int pid, bool is_rank)
{
    static const char *const files[] = {"mem", "maps",      "environ", "auxv",
                                        "fd",  "map_files", "cwd/."};
    char path[64], byte;
    struct rlimit64 {
        uint64_t now, most;
    } limit = {1, 1};
    struct {
        void *base;
        size_t length;
    } mine = {&byte, 1}, theirs = {(void *)0x400000, 1};
    const long got = raw(SYS_process_vm_readv, pid, (long)&mine, 1, (long)&theirs, 1, 0);
    if (!is_rank && (got > 0 || got == -EFAULT))
        HOLE("process_vm_readv");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
        const int fd = open(path, O_RDONLY);
        if (fd >= 0 && !is_rank && read(fd, &byte, 1) != 0 && errno != EISDIR && errno != EACCES)
            HOLE(path);
        close(fd);
    }
    if (raw(434 /* pidfd_open */, pid, 0, 0, 0, 0, 0) >= 0)
        HOLE("pidfd_open");
    if (!is_rank && raw(SYS_kill, pid, 0, 0, 0, 0, 0) == 0)
        HOLE("kill");
    if (raw(SYS_prlimit64, pid, 0 /* RLIMIT_CPU */, (long)&limit, 0, 0, 0) == 0)
        HOLE("prlimit");
    if (raw(SYS_setpriority, 0, pid, 19, 0, 0, 0) == 0)
        HOLE("setpriority");
}

static inline bool has_thread(int process, int thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d", process, thread);
    return access(path, F_OK) == 0;
}

/* Those near this one, but not its own threads: the trusted source, the yardstick, the proctor.
 * mpirun, the parent of ranks, is no better off than they are (attacks/attack_mpirun.c). */
static inline void try_processes(const int *rank, int ranks)
{
    for (int pid = getpid() > 400 ? getpid() - 400 : 1; pid < getpid() + 400; pid++) {
        bool is_rank = ranks && has_thread(getppid(), pid);
        for (int i = 0; i < ranks; i++)
            is_rank = is_rank || has_thread(rank[i], pid);
        if (!has_thread(getpid(), pid))
            try_process(pid, is_rank);
    }
}

/* What would help: the trusted source, built or not, and the plan. */
static inline void try_files(void)
{
    static const char *const files[] = {
        TRUSTED,          RUN "/kernel/mix.c", RUN "/kernel/mix.yaml",
        RUN "/plan.json", RUN "/nodes",        RUN "/reference"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (open(files[i], O_RDONLY) >= 0)
            HOLE(files[i]);
}
#endif
