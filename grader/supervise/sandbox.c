#include "supervise/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "model/protection.h"
#include "supervise/readable.h"
#include "supervise/visible_gpu.h"

/* The kernel's interface. It is repeated here because a distribution's headers may be older than
 * its kernel (Documentation/userspace-api/landlock.rst). */
struct ruleset_attr {
    uint64_t handled_access_fs;
    uint64_t handled_access_net; /* version 4 */
    uint64_t scoped;             /* version 6 */
};

struct path_beneath_attr {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

enum { RULE_PATH_BENEATH = 1 };

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_ALL_V1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,    /* version 2 */
    FS_TRUNCATE = 1 << 14, /* version 3 */
    NET_BIND_TCP = 1 << 0,
    NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0,
    SCOPE_SIGNAL = 1 << 1,
};

enum { READ = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR, DEVICE = FS_READ_FILE | FS_WRITE_FILE };

unsigned sandbox_protections(int domain)
{
    return protection_of_process() |
           (domain < 0 ? 0 : protection_of_landlock(protection_landlock_version()));
}

int sandbox_check(const struct sandbox_policy *p, unsigned which, unsigned have, struct err *e)
{
    OWNED char *who = xasprintf("the node %s", p->node ? p->node : "");
    return protection_check(p->required & which, have, who, e);
}

/* `fd`: opened with O_PATH. */
static void allow_opened(int ruleset, int fd, bool is_dir, uint64_t access)
{
    struct path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    if (!is_dir)
        rule.allowed_access &= FS_EXECUTE | FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE;
    syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
}

static void allow(int ruleset, const char *path, uint64_t access)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return; /* a path that does not exist needs no rule */
    if (fstat(fd, &st) == 0)
        allow_opened(ruleset, fd, S_ISDIR(st.st_mode), access);
    close(fd);
}

void sandbox_withhold(struct sandbox_policy *p, const char *path)
{
    char *real = realpath(path, NULL);
    readable_close(p->readable);
    p->readable = NULL;
    if (!real || readable_withheld(p, real)) {
        free(real);
        return;
    }
    p->withheld = xrealloc_array(p->withheld, p->withheld_count + 1, sizeof *p->withheld);
    p->withheld[p->withheld_count++] = real;
}

void sandbox_policy_keep(struct sandbox_policy *p)
{
    readable_close(p->readable);
    p->readable = readable_open(p);
}

void sandbox_policy_free(struct sandbox_policy *p)
{
    for (size_t i = 0; i < p->withheld_count; i++)
        free(p->withheld[i]);
    free(p->withheld);
    readable_close(p->readable);
    *p = (struct sandbox_policy){0};
}

static void allow_reading(void *ruleset, int fd, bool is_dir)
{
    allow_opened(*(int *)ruleset, fd, is_dir, READ);
}

/* Of the files nvidia*, without that prefix, CUDA needs those of the driver, of its memory, of
 * parts of GPUs, and of the GPU. Others (nvidia-uvm-tools, nvidia-modeset) observe, or drive
 * screens. */
static bool cuda_needs(const char *file, const struct visible_gpus *gpus)
{
    static const char *const names[] = {"ctl", "-uvm", "-caps"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(file, names[i]) == 0)
            return true;
    char *end;
    const long number = strtol(file, &end, 10);
    return end != file && *end == '\0' && visible_gpus_have(gpus, (int)number);
}

/* The device files that CUDA opens: those of the NVIDIA driver, and of the GPUs those that are to
 * be used, or all where these are not known. */
static void allow_gpus(int ruleset, int count)
{
    static const char prefix[] = "nvidia";
    FREED_BY(visible_gpus_free) struct visible_gpus gpus = visible_gpus_find(count);
    DIR *dev = opendir("/dev");
    for (struct dirent *d; dev && (d = readdir(dev));) {
        if (strncmp(d->d_name, prefix, sizeof prefix - 1) != 0 ||
            !cuda_needs(d->d_name + sizeof prefix - 1, &gpus))
            continue;
        OWNED char *path = xasprintf("/dev/%s", d->d_name);
        allow(ruleset, path, DEVICE | FS_READ_DIR);
    }
    if (dev)
        closedir(dev);
}

static uint64_t handled_access(int version)
{
    return FS_ALL_V1 | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0);
}

int sandbox_prepare(const struct sandbox_spec *spec)
{
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", "/dev/tty"};
    int version = protection_landlock_version();
    if (version < 1)
        return -1;
    struct ruleset_attr attr = {.handled_access_fs = handled_access(version)};
    if (version >= 4 && !spec->network)
        attr.handled_access_net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (version >= 6)
        attr.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    size_t size = version >= 6 ? sizeof attr : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (ruleset < 0)
        return -1;
    readable_each(spec->policy, allow_reading, &ruleset);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        allow(ruleset, devices[i], DEVICE | (version >= 3 ? FS_TRUNCATE : 0));
    if (spec->gpus)
        allow_gpus(ruleset, spec->gpus);
    for (size_t i = 0; spec->readable && spec->readable[i]; i++)
        allow(ruleset, spec->readable[i], READ);
    for (size_t i = 0; spec->writable && spec->writable[i]; i++)
        allow(ruleset, spec->writable[i], attr.handled_access_fs);
    return ruleset;
}

/* Where the grader is root, student code keeps the user but loses all privileges. */
static int drop_privileges(void)
{
    struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    for (unsigned long c = 0; c < 64; c++)
        prctl(PR_CAPBSET_DROP, c, 0, 0, 0); /* fails without privileges, which is fine */
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return (int)syscall(SYS_capset, &h, none);
}

/* When memory runs out, the kernel kills this process first and not the grader. */
static void prefer_for_oom_kill(bool of_grader)
{
    /* The proctor's own files in /proc belong to root, and so do those of a child until exec(). */
    prctl(PR_SET_DUMPABLE, 1);
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t ignored = of_grader ? write(fd, "500", 3) : write(fd, "1000", 4);
    (void)ignored;
    close(fd);
}

void sandbox_allow_writing(int domain, const char *dir)
{
    if (domain >= 0)
        allow(domain, dir, handled_access(protection_landlock_version()));
}

int sandbox_enter(int domain, unsigned how)
{
    prefer_for_oom_kill(how & SANDBOX_OF_GRADER);
    if (how & SANDBOX_GPU && domain >= 0)
        allow(domain, "/proc/self",
              READ | DEVICE | (protection_landlock_version() >= 3 ? FS_TRUNCATE : 0));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_privileges() != 0)
        return -1;
    return domain < 0 ? 0 : (int)syscall(SYS_landlock_restrict_self, domain, 0);
}
