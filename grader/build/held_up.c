#include "build/held_up.h"

#include "base/strbuf.h"
#include "supervise/procfs.h"

static uint64_t earlier(const struct held_up *h, pid_t pid)
{
    for (unsigned i = 0; i < h->count; i++)
        if (h->pid[i] == pid)
            return h->ns[i];
    return 0;
}

uint64_t held_up_more(pid_t pid, void *held_up)
{
    struct held_up *before = held_up, now = {.count = 0};
    FREED_BY(pid_list_free) struct pid_list below = {0};
    uint64_t most = 0;
    procfs_descendants(pid, &below);
    for (size_t i = 0; i <= below.count && now.count < HELD_UP_MOST; i++) {
        const pid_t p = i < below.count ? below.pid[i] : pid;
        const uint64_t ns = procfs_held_up(p), old = earlier(before, p);
        now.pid[now.count] = p;
        now.ns[now.count++] = ns;
        most = ns > old && ns - old > most ? ns - old : most;
    }
    *before = now;
    return most;
}
