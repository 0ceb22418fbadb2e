/* expect: mpi pass */
/* mpirun by the numbers of its threads, which name the same memory as its own. */
#include "attack.h"
#include <dirent.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static void try_thread(int tid, unsigned long address)
{
    char byte = 0;
    struct iovec mine = {&byte, 1}, theirs = {(void *)address, 1};
    if (raw(SYS_process_vm_readv, tid, (long)&mine, 1, (long)&theirs, 1, 0) == 1)
        HOLE("process_vm_readv of a thread of mpirun");
    if (raw(SYS_process_vm_writev, tid, (long)&mine, 1, (long)&theirs, 1, 0) >= 0)
        HOLE("process_vm_writev of a thread of mpirun");
    if (raw(SYS_ptrace, PTRACE_SEIZE, tid, 0, 0, 0, 0) == 0)
        HOLE("ptrace of a thread of mpirun");
    if (raw(SYS_tgkill, getppid(), tid, 0, 0, 0, 0) == 0)
        HOLE("tgkill of a thread of mpirun");
}

static void attack(void)
{
    char path[64];
    unsigned long address = 0;
    struct dirent *e;
    DIR *d;
    FILE *maps;
    snprintf(path, sizeof path, "/proc/%d/maps", getppid());
    maps = fopen(path, "r");
    if (!maps || fscanf(maps, "%lx", &address) != 1)
        address = (unsigned long)attack;
    snprintf(path, sizeof path, "/proc/%d/task", getppid());
    d = opendir(path);
    while (d && (e = readdir(d)))
        if (atoi(e->d_name) > 1)
            try_thread(atoi(e->d_name), address);
}

ONCE_MPI(attack)
