#include "supervise/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"

/* In a status file, a long list of groups may come before the line that is looked for. */
enum { STATUS_MOST = 16384 };

/* Read a short /proc file. Returns the length; 0 when the file is gone. */
static size_t slurp(const char *path, char *buf, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, buf, cap - 1);
    close(fd);
    if (n < 0)
        n = 0;
    buf[n] = '\0';
    return (size_t)n;
}

/* State letter and parent from a stat file. The command name may contain any character, also ')'.
 * So the other fields start after the last ')'. */
static bool parse_stat(const char *path, char *state, pid_t *parent)
{
    char buf[1024];
    if (!slurp(path, buf, sizeof buf))
        return false;
    char *end = strrchr(buf, ')');
    int ppid;
    if (!end || sscanf(end + 1, " %c %d", state, &ppid) != 2)
        return false;
    if (parent)
        *parent = ppid;
    return true;
}

/* Call f for each thread until f returns false. True when f never did. */
static bool each_thread(pid_t pid, bool (*f)(const char *task, pid_t tid, void *arg), void *arg)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    bool all = true;
    struct dirent *de;
    while (d && all && (de = readdir(d)))
        if (isdigit((unsigned char)de->d_name[0]))
            all = f(path, (pid_t)atoi(de->d_name), arg);
    if (d)
        closedir(d);
    return all;
}

static bool is_dead(const char *task, pid_t tid, void *arg)
{
    (void)arg;
    char path[128], state;
    snprintf(path, sizeof path, "%s/%d/stat", task, (int)tid);
    return !parse_stat(path, &state, NULL) || state == 'Z' || state == 'X';
}

/* A process whose main thread has ended looks like a zombie while other threads live. */
static bool lives(pid_t pid, pid_t *parent)
{
    char path[64], state;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    return parse_stat(path, &state, parent) &&
           ((state != 'Z' && state != 'X') || !each_thread(pid, is_dead, NULL));
}

bool pid_list_has(const struct pid_list *l, pid_t pid)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->pid[i] == pid)
            return true;
    return false;
}

static void add(struct pid_list *l, pid_t pid)
{
    l->pid = xrealloc_array(l->pid, l->count + 1, sizeof *l->pid);
    l->pid[l->count++] = pid;
}

/* Append the living children of a thread that are not in the list. */
static bool add_children(const char *task, pid_t tid, void *list)
{
    char path[128];
    int pid;
    snprintf(path, sizeof path, "%s/%d/children", task, (int)tid);
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%d", &pid) == 1)
        if (lives(pid, NULL) && !pid_list_has(list, pid))
            add(list, pid);
    if (f)
        fclose(f);
    return true;
}

struct relation {
    pid_t pid, parent;
};

static size_t all_processes(struct relation **out)
{
    DIR *d = opendir("/proc");
    struct relation *r = NULL;
    size_t n = 0;
    struct dirent *de;
    while (d && (de = readdir(d))) {
        struct relation one = {.pid = (pid_t)atoi(de->d_name)};
        if (!isdigit((unsigned char)de->d_name[0]) || !lives(one.pid, &one.parent))
            continue;
        r = xrealloc_array(r, n + 1, sizeof *r);
        r[n++] = one;
    }
    if (d)
        closedir(d);
    *out = r;
    return n;
}

/* The same as add_children() for all threads, where the kernel has no lists of children. */
static void search_children(pid_t parent, struct pid_list *list)
{
    OWNED struct relation *r = NULL;
    size_t n = all_processes(&r);
    for (size_t i = 0; i < n; i++)
        if (r[i].parent == parent && !pid_list_has(list, r[i].pid))
            add(list, r[i].pid);
}

static void append_children(pid_t parent, struct pid_list *list)
{
    /* A node has hundreds of processes, most of them the kernel's. So all of them are only read
     * where it must be. */
    if (access("/proc/thread-self/children", R_OK) == 0)
        each_thread(parent, add_children, list);
    else
        search_children(parent, list);
}

void procfs_children(pid_t parent, struct pid_list *out)
{
    *out = (struct pid_list){0};
    append_children(parent, out);
}

void procfs_descendants(pid_t root, struct pid_list *out)
{
    procfs_children(root, out);
    for (size_t i = 0; i < out->count; i++)
        append_children(out->pid[i], out);
}

uint64_t procfs_reaped_faults(pid_t pid)
{
    char path[64], buf[1024];
    unsigned long long faults;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const char *end = slurp(path, buf, sizeof buf) ? strrchr(buf, ')') : NULL;
    /* state, ppid, pgrp, session, tty_nr, tpgid, flags, minflt, cminflt: proc(5) */
    return end && sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %llu", &faults) == 1 ? faults
                                                                                         : 0;
}

void pid_list_free(struct pid_list *l)
{
    free(l->pid);
    *l = (struct pid_list){0};
}

/* The kernel counts pages on each core and adds them up now and then: /proc/PID/statm may say
 * nothing of so many bytes. smaps_rollup is exact, but looks at all pages. */
enum { COUNTED_LATE = 1 << 20 };

static uint64_t anonymous_memory(const char *task, pid_t tid)
{
    char path[128], buf[STATUS_MOST];
    unsigned long long kib;
    snprintf(path, sizeof path, "%s/%d/smaps_rollup", task, (int)tid);
    const char *line = slurp(path, buf, sizeof buf) ? strstr(buf, "\nAnonymous:") : NULL;
    return line && sscanf(line, "\nAnonymous: %18llu", &kib) == 1 ? (uint64_t)kib << 10 : 0;
}

/* All threads share their memory, so one that lives is enough. The main thread may have ended. */
static bool none_counted(const char *task, pid_t tid, void *arg)
{
    char path[128], buf[256];
    unsigned long long size, resident, shared;
    snprintf(path, sizeof path, "%s/%d/statm", task, (int)tid);
    if (!slurp(path, buf, sizeof buf) ||
        sscanf(buf, "%llu %llu %llu", &size, &resident, &shared) != 3 || size == 0)
        return true;
    *(uint64_t *)arg =
        resident < shared ? 0 : (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
    return false;
}

static bool no_memory(const char *task, pid_t tid, void *arg)
{
    uint64_t *bytes = arg;
    if (none_counted(task, tid, bytes))
        return true;
    if (*bytes < COUNTED_LATE) {
        const uint64_t exact = anonymous_memory(task, tid);
        *bytes = exact > *bytes ? exact : *bytes;
    }
    return false;
}

uint64_t procfs_counted_memory(pid_t pid)
{
    uint64_t bytes = 0;
    each_thread(pid, none_counted, &bytes);
    return bytes;
}

uint64_t procfs_private_memory(pid_t pid)
{
    uint64_t bytes = 0;
    each_thread(pid, no_memory, &bytes);
    return bytes;
}

uint64_t procfs_parse_unseen_memory(const char *status)
{
    /* The first line is the process's name, where a line feed is escaped; so no name can contain
     * such a key at the start of a line. */
    static const char *const keys[] = {"\nVmPTE:", "\nVmSwap:", "\nHugetlbPages:"};
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *line = strstr(status, keys[i]);
        unsigned long long kib;
        char unit[3];
        if (line && sscanf(line + strlen(keys[i]), "%18llu %2s", &kib, unit) == 2 &&
            strcmp(unit, "kB") == 0)
            bytes += (uint64_t)kib << 10;
    }
    return bytes;
}

static bool none_unseen(const char *task, pid_t tid, void *arg)
{
    char path[128], buf[STATUS_MOST];
    snprintf(path, sizeof path, "%s/%d/status", task, (int)tid);
    if (slurp(path, buf, sizeof buf))
        *(uint64_t *)arg = procfs_parse_unseen_memory(buf);
    return *(uint64_t *)arg == 0;
}

uint64_t procfs_unseen_memory(pid_t pid)
{
    uint64_t bytes = 0;
    each_thread(pid, none_unseen, &bytes);
    return bytes;
}

uint64_t procfs_written(pid_t pid)
{
    char path[64], text[1024];
    unsigned long long bytes;
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    const char *line = slurp(path, text, sizeof text) ? strstr(text, "\nwchar:") : NULL;
    return line && sscanf(line, "\nwchar: %19llu", &bytes) == 1 ? bytes : 0;
}

static bool count_one(const char *task, pid_t tid, void *arg)
{
    (void)task;
    (void)tid;
    ++*(int *)arg;
    return true;
}

int procfs_threads(pid_t pid)
{
    int n = 0;
    each_thread(pid, count_one, &n);
    return n;
}

static bool add_thread(const char *task, pid_t tid, void *list)
{
    (void)task;
    add(list, tid);
    return true;
}

void procfs_thread_list(pid_t pid, struct pid_list *out)
{
    *out = (struct pid_list){0};
    each_thread(pid, add_thread, out);
}

uint64_t procfs_cpu_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static bool in_states(const char *task, pid_t tid, void *states)
{
    char path[128], state;
    snprintf(path, sizeof path, "%s/%d/stat", task, (int)tid);
    return !parse_stat(path, &state, NULL) || strchr(states, state) != NULL;
}

bool procfs_stopped(pid_t pid)
{
    char states[] = "TtZXx";
    return each_thread(pid, in_states, states);
}

bool procfs_stuck(pid_t pid)
{
    char states[] = "TtZXxD";
    return each_thread(pid, in_states, states);
}

struct thread_times {
    unsigned long long ran, waited;
};

static struct thread_times parse_schedstat(const char *task, pid_t tid)
{
    char path[128], buf[128];
    struct thread_times t = {0};
    snprintf(path, sizeof path, "%s/%d/schedstat", task, (int)tid);
    if (!slurp(path, buf, sizeof buf) || sscanf(buf, "%llu %llu", &t.ran, &t.waited) != 2)
        t.ran = t.waited = 0;
    return t;
}

static bool add_wait(const char *task, pid_t tid, void *arg)
{
    struct wait_times *w = arg;
    const struct thread_times t = parse_schedstat(task, tid);
    w->tid[w->count] = tid;
    w->ran[w->count] = t.ran;
    w->ns[w->count++] = t.waited;
    return w->count < sizeof w->tid / sizeof w->tid[0];
}

void procfs_wait(pid_t pid, struct wait_times *w)
{
    w->count = 0;
    each_thread(pid, add_wait, w);
}

uint64_t procfs_held_up(pid_t pid)
{
    struct wait_times w;
    uint64_t most = 0;
    procfs_wait(pid, &w);
    for (size_t i = 0; i < w.count; i++)
        most = w.ns[i] > most ? w.ns[i] : most;
    return most;
}
