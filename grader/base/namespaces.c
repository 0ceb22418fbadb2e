#include "base/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void namespaces_prepare(struct namespaces *n)
{
    snprintf(n->user, sizeof n->user, "%ld %ld 1", (long)geteuid(), (long)geteuid());
    snprintf(n->group, sizeof n->group, "%ld %ld 1", (long)getegid(), (long)getegid());
}

static int write_file(const char *path, const char *text)
{
    const size_t n = strlen(text);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    const ssize_t written = write(fd, text, n);
    const int why = errno;
    close(fd);
    errno = why;
    return written == (ssize_t)n ? 0 : -1;
}

/* The process must be dumpable, or its files in /proc belong to root. exec() makes it so in any
 * case. */
static int map_account(const struct namespaces *n)
{
    prctl(PR_SET_DUMPABLE, 1);
    return write_file("/proc/self/setgroups", "deny") == 0 &&
                   write_file("/proc/self/uid_map", n->user) == 0 &&
                   write_file("/proc/self/gid_map", n->group) == 0
               ? 0
               : -1;
}

static int set_up_loopback(void)
{
    struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return -1;
    const int rc = ioctl(s, SIOCSIFFLAGS, &r), why = errno;
    close(s);
    errno = why;
    return rc;
}

int namespaces_enter(const struct namespaces *n, bool network)
{
    const int own = CLONE_NEWNS | (network ? CLONE_NEWNET : 0);
    if (unshare(own) != 0 && (unshare(own | CLONE_NEWUSER) != 0 || map_account(n) != 0))
        return -1;
    if (mount("none", "/", "none", MS_REC | MS_SLAVE, NULL) != 0) /* no mount may be seen outside */
        return -1;
    return network ? set_up_loopback() : 0;
}

void namespaces_size(char out[NAMESPACES_OPTIONS], uint64_t bytes, uint64_t files)
{
    snprintf(out, NAMESPACES_OPTIONS, "mode=0700,size=%llu,nr_inodes=%llu",
             (unsigned long long)bytes, (unsigned long long)files);
}

int namespaces_mount(const char *dir, const char *options)
{
    return mount("paragrade", dir, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

int namespaces_show(const char *dir, const char *at)
{
    return mount(dir, at, "none", MS_BIND, NULL);
}

static bool try_namespaces(void)
{
    struct namespaces n;
    int status = 0;
    namespaces_prepare(&n);
    pid_t pid = fork();
    if (pid == 0)
        _exit(namespaces_enter(&n, true) == 0 && namespaces_mount("/", "size=4096") == 0 ? 0 : 1);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool namespaces_possible(void)
{
    static int known = -1; /* only one thread asks */
    if (known < 0)
        known = try_namespaces();
    return known;
}
