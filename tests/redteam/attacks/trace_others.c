/* expect: naive pass */
/* Trace the proctor; read and write its memory. */
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>

static void attack(void)
{
    const int pids[] = {proctor(), NEIGHBOUR, FRONT_END};
    char path[64], buf[8];
    for (unsigned i = 0; i < 3; i++) {
        struct iovec mine = {buf, 1}, theirs = {(void *)0x400000, 1};
        long fd = raw(SYS_pidfd_open, pids[i], 0, 0, 0, 0, 0);
        if (raw(SYS_ptrace, PTRACE_SEIZE, pids[i], 0, 0, 0, 0) == 0 ||
            raw(SYS_ptrace, PTRACE_ATTACH, pids[i], 0, 0, 0, 0) == 0)
            HOLE("ptrace");
        long got = raw(SYS_process_vm_readv, pids[i], (long)&mine, 1, (long)&theirs, 1, 0);
        if (got != -EPERM && got != -ENOSYS)
            HOLE("process_vm_readv");
        if (fd >= 0)
            HOLE("pidfd_open");
        snprintf(path, sizeof path, "/proc/%d/mem", pids[i]);
        if (open(path, O_RDWR) >= 0 || open(path, O_RDONLY) >= 0)
            HOLE(path);
    }
    if (raw(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0, 0, 0) == 0)
        HOLE("PTRACE_TRACEME");
}

ONCE(attack)
