/* expect: naive pass */
/* Calls that have been doors before. */
#include "attack.h"

static void attack(void)
{
    char params[256] = {0}, attr[128] = {0};
    attr[4] = sizeof attr;
    if (raw(SYS_io_uring_setup, 8, (long)params, 0, 0, 0, 0) >= 0)
        HOLE("io_uring_setup");
    if (raw(SYS_userfaultfd, 1, 0, 0, 0, 0, 0) >= 0)
        HOLE("userfaultfd");
    if (raw(SYS_bpf, 0, (long)attr, sizeof attr, 0, 0, 0) >= 0)
        HOLE("bpf");
    if (raw(SYS_perf_event_open, (long)attr, 0, -1, -1, 0, 0) >= 0)
        HOLE("perf_event_open");
    if (raw(SYS_unshare, 0x10000000, 0, 0, 0, 0, 0) == 0)
        HOLE("unshare");
    if (raw(SYS_mount, (long)"none", (long)"/tmp", (long)"tmpfs", 0, 0, 0) == 0)
        HOLE("mount");
    if (raw(SYS_personality, 0x0040000, 0, 0, 0, 0, 0) >= 0)
        HOLE("personality");
    if (raw(SYS_acct, 0, 0, 0, 0, 0, 0) == 0 || raw(SYS_swapoff, (long)"x", 0, 0, 0, 0, 0) == 0)
        HOLE("acct");
    if (raw(SYS_sethostname, (long)"x", 1, 0, 0, 0, 0) == 0)
        HOLE("sethostname");
    if (raw(SYS_open_by_handle_at, -100, (long)params, 0, 0, 0, 0) >= 0)
        HOLE("open_by_handle_at");
    if (raw(SYS_clock_settime, 0, (long)params, 0, 0, 0, 0) == 0)
        HOLE("clock_settime");
}

ONCE(attack)
