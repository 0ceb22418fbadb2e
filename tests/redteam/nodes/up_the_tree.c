/* What is above a rank on another node: the launcher's daemon, the proctor there, the step of the
 * job. Read them, write to them, stop them. */
#include "attack.h"
#include <sys/ptrace.h>

static void try_process(int pid)
{
    static const char *const parts[] = {"environ", "mem",  "maps", "fd/0", "fd/3",
                                        "fd/4",    "fd/5", "root", "cwd"};
    char path[64], byte;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", pid, parts[i]);
        const int fd = open(path, O_RDONLY);
        if (fd >= 0 && (read(fd, &byte, 1) == 1 || errno == EISDIR))
            HOLE(path);
        if (fd >= 0)
            close(fd);
    }
    if (raw(SYS_kill, pid, SIGSTOP, 0, 0, 0, 0) == 0)
        HOLE("SIGSTOP");
    if (raw(SYS_ptrace, PTRACE_SEIZE, pid, 0, 0, 0, 0) == 0)
        HOLE("ptrace");
}

static void attack(void)
{
    for (int pid = proctor(); pid > 1; pid = parent_of(pid))
        try_process(pid);
}

ONCE_MPI(attack)
