#include "proctor/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/install.h"
#include "base/strbuf.h"

/* The kernel's interface, spelled out because distribution headers are older than kernels
 * (Documentation/userspace-api/landlock.rst). */
struct ruleset_attr {
    uint64_t handled_access_fs;
    uint64_t handled_access_net; /* version 4 */
    uint64_t scoped;             /* version 6 */
};

struct path_beneath_attr {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

enum { RULE_PATH_BENEATH = 1, CREATE_RULESET_VERSION = 1 };

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

int sandbox_version(void)
{
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return v > 0 ? (int)v : 0;
}

static void allow(int ruleset, const char *path, uint64_t access)
{
    struct stat st;
    struct path_beneath_attr rule = {.allowed_access = access};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return; /* what does not exist needs no rule */
    if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.allowed_access &= FS_EXECUTE | FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE;
    syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* Toolchains outside the system's directories, as environment modules provide them: PATH names
 * PREFIX/bin, and the compiler wants PREFIX/lib and PREFIX/include as well. Never the home
 * directory itself. */
static void allow_toolchains(int ruleset)
{
    const char *home = getenv("HOME");
    for (const char *p = getenv("PATH"); p && *p;) {
        size_t n = strcspn(p, ":");
        char *entry = xasprintf("%.*s", (int)n, p);
        char *slash = strrchr(entry, '/');
        if (entry[0] == '/' && slash != entry && strcmp(slash, "/bin") == 0) {
            *slash = '\0';
            if (!home || strncmp(home, entry, strlen(entry)) != 0)
                allow(ruleset, entry, READ);
            else
                *slash = '/';
        }
        if (entry[0] == '/')
            allow(ruleset, entry, READ);
        free(entry);
        p += n + (p[n] == ':');
    }
}

/* What CUDA opens: one file per GPU, and those of the driver. */
static void allow_gpus(int ruleset)
{
    DIR *dev = opendir("/dev");
    for (struct dirent *d; dev && (d = readdir(dev));) {
        if (strncmp(d->d_name, "nvidia", 6) != 0)
            continue;
        char *path = xasprintf("/dev/%s", d->d_name);
        allow(ruleset, path, DEVICE | FS_READ_DIR);
        free(path);
    }
    if (dev)
        closedir(dev);
}

int sandbox_prepare(const struct sandbox_spec *spec)
{
    static const char *const system[] = {"/usr",   "/bin", "/sbin", "/lib",  "/lib64",
                                         "/lib32", "/etc", "/opt",  "/proc", "/sys"};
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", "/dev/tty"};
    int version = sandbox_version();
    if (version < 1)
        return -1;
    struct ruleset_attr attr = {.handled_access_fs = FS_ALL_V1};
    if (version >= 2)
        attr.handled_access_fs |= FS_REFER;
    if (version >= 3)
        attr.handled_access_fs |= FS_TRUNCATE;
    if (version >= 4 && !spec->network)
        attr.handled_access_net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (version >= 6)
        attr.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    size_t size = version >= 6 ? sizeof attr : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (ruleset < 0)
        return -1;
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        allow(ruleset, system[i], READ);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        allow(ruleset, devices[i], DEVICE | (version >= 3 ? FS_TRUNCATE : 0));
    if (spec->gpu)
        allow_gpus(ruleset);
    allow_toolchains(ruleset);
    char *parts[] = {install_path("libexec/paragrade"), install_path("include/paragrade")};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        allow(ruleset, parts[i], READ);
        free(parts[i]);
    }
    for (size_t i = 0; spec->readable && spec->readable[i]; i++)
        allow(ruleset, spec->readable[i], READ);
    for (size_t i = 0; spec->writable && spec->writable[i]; i++)
        allow(ruleset, spec->writable[i], attr.handled_access_fs);
    return ruleset;
}

int sandbox_enter(int fd, bool gpu)
{
    if (fd < 0)
        return 0;
    if (gpu)
        allow(fd, "/proc/self", READ | DEVICE | (sandbox_version() >= 3 ? FS_TRUNCATE : 0));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_landlock_restrict_self, fd, 0);
}
