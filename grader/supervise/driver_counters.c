#include "supervise/driver_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static const struct {
    uint32_t type;
    uint64_t config;
    double unit; /* of what the kernel counts */
} events[COUNTER_COUNT] = {
    [COUNTER_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1},
    [COUNTER_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1},
    [COUNTER_CACHE_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 1},
    [COUNTER_BRANCH_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 1},
    [COUNTER_PAGE_FAULTS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1},
    [COUNTER_TASK_CLOCK] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1e-9},
};

void driver_counters_reason(int error, int paranoid, char *out, size_t cap)
{
    switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        snprintf(
            out, cap,
            "this machine gives no hardware counters, as most virtual machines and containers");
        break;
    case EACCES:
    case EPERM:
        snprintf(out, cap, "counting is not allowed here (kernel.perf_event_paranoid is %d)",
                 paranoid);
        break;
    case EMFILE:
    case ENFILE:
        snprintf(out, cap, "too many threads to count");
        break;
    case ENOSYS:
        snprintf(out, cap, "this system has no counters");
        break;
    default:
        snprintf(out, cap, "perf_event_open: %.100s", strerror(error));
    }
}

static int paranoid(void)
{
    OWNED char *text = NULL;
    long long v = -1;
    if (fs_read(PARANOID, 64, &text, NULL, NULL) != 0)
        return -1;
    text[strcspn(text, "\n")] = '\0';
    parse_int(text, -1, 100, &v, NULL);
    return (int)v;
}

static int open_event(enum counter event, pid_t tid)
{
    struct perf_event_attr a = {.type = events[event].type,
                                .size = sizeof a,
                                .config = events[event].config,
                                .disabled = 1,
                                .inherit = 1,
                                .exclude_kernel = 1,
                                .exclude_hv = 1,
                                .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                               PERF_FORMAT_TOTAL_TIME_RUNNING};
    return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void add_thread(struct driver_counters *c, pid_t tid)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        const int fd = c->missing[i] ? -1 : open_event((enum counter)i, tid), error = errno;
        if (fd >= 0) {
            c->fd = xrealloc_array(c->fd, c->count + 1, sizeof *c->fd);
            c->event = xrealloc_array(c->event, c->count + 1, sizeof *c->event);
            c->fd[c->count] = fd;
            c->event[c->count++] = (enum counter)i;
        } else if (!c->missing[i] && error != ESRCH) { /* a thread may have ended */
            c->missing[i] = true;
            if (!c->reason[0])
                driver_counters_reason(error, paranoid(), c->reason, sizeof c->reason);
        }
    }
}

static void add_process(struct driver_counters *c, pid_t pid)
{
    OWNED char *dir = xasprintf("/proc/%d/task", (int)pid);
    OWNED_TEXTS char **names = NULL;
    size_t n;
    long long tid;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++)
            if (parse_int(names[i], 1, INT32_MAX, &tid, NULL) == 0)
                add_thread(c, (pid_t)tid);
    }
}

void driver_counters_open(struct driver_counters *c, const struct driver_process *d)
{
    *c = (struct driver_counters){.count = 0};
    for (size_t i = 0; i < d->ranks.count; i++)
        add_process(c, d->ranks.pid[i]);
    if (!d->ranks.count)
        add_process(c, d->leader);
}

void driver_counters_start(const struct driver_counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        ioctl(c->fd[i], PERF_EVENT_IOC_ENABLE, 0);
}

void driver_counters_stop(const struct driver_counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        ioctl(c->fd[i], PERF_EVENT_IOC_DISABLE, 0);
}

void driver_counters_read(struct driver_counters *c, double sum[COUNTER_COUNT])
{
    if (!c->count && !c->reason[0])
        snprintf(c->reason, sizeof c->reason, "there was no thread to count");
    for (int i = 0; i < COUNTER_COUNT; i++)
        sum[i] = c->missing[i] || !c->count ? (double)NAN : 0;
    for (size_t i = 0; i < c->count; i++) {
        struct {
            uint64_t value, enabled, running;
        } r;
        const enum counter event = c->event[i];
        if (read(c->fd[i], &r, sizeof r) != (ssize_t)sizeof r || (r.enabled && !r.running)) {
            sum[event] = (double)NAN;
            if (!c->reason[0])
                snprintf(c->reason, sizeof c->reason, "the hardware counters were in use");
        } else if (r.running) {
            /* With more events than hardware counters, each one counts for a part of the time. */
            sum[event] +=
                (double)r.value * events[event].unit * (double)r.enabled / (double)r.running;
        }
    }
}

void driver_counters_close(struct driver_counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        close(c->fd[i]);
    free(c->fd);
    free(c->event);
    *c = (struct driver_counters){.count = 0};
}
