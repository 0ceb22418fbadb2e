/*
 * lacking landlock|seccomp|namespaces COMMAND...
 *
 * Runs a command as on a kernel without one of these: a filter of its own lets the calls that ask
 * for it fail as they do there (ENOSYS; PR_SET_SECCOMP: EINVAL; namespaces: EPERM), for the command
 * and all that it starts. What the programs then do is what they do on such a kernel; the filter
 * itself refuses nothing else.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)

static struct sock_filter no_landlock[] = {
    LOAD(nr),
    UNLESS(SYS_landlock_create_ruleset, 1),
    RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter no_seccomp[] = {
    LOAD(nr),
    UNLESS(SYS_seccomp, 1),
    RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    UNLESS(SYS_prctl, 3),
    LOAD(args[0]),
    UNLESS(PR_SET_SECCOMP, 1),
    RETURN(SECCOMP_RET_ERRNO | EINVAL),
    RETURN(SECCOMP_RET_ALLOW),
};

static struct sock_filter no_namespaces[] = {
    LOAD(nr),
    UNLESS(SYS_unshare, 1),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
    RETURN(SECCOMP_RET_ALLOW),
};

static const struct {
    const char *name;
    struct sock_fprog filter;
} kernels[] = {
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
    {"landlock", {LENGTH(no_landlock), no_landlock}},
    {"seccomp", {LENGTH(no_seccomp), no_seccomp}},
    {"namespaces", {LENGTH(no_namespaces), no_namespaces}},
};

int main(int argc, char **argv)
{
    const struct sock_fprog *f = NULL;
    for (size_t i = 0; argc > 2 && i < LENGTH(kernels); i++)
        if (strcmp(argv[1], kernels[i].name) == 0)
            f = &kernels[i].filter;
    if (!f)
        return 2;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, f, 0, 0) != 0) {
        perror("lacking");
        return 2;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
