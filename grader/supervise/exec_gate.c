#include "supervise/exec_gate.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if defined SECCOMP_USER_NOTIF_FLAG_CONTINUE && defined ARCHITECTURE

/* Calls of other kinds of programs, which no launcher makes: 32 bits, x32 */
#define OTHER_CALLS 0x40000000

int exec_gate_make(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_CALLS, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

/* False: the kernel does not know how to let a call go on. */
static bool answer(int gate)
{
    struct seccomp_notif asked = {0};
    if (ioctl(gate, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
        return errno != EINVAL; /* who waited has ended meanwhile */
    struct seccomp_notif_resp r = {.id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    return ioctl(gate, SECCOMP_IOCTL_NOTIF_SEND, &r) == 0 || errno != EINVAL;
}

#else

int exec_gate_make(void)
{
    errno = ENOSYS;
    return -1;
}

static bool answer(int gate)
{
    (void)gate;
    return false;
}

#endif

void exec_gate_answer(int gate)
{
    answer(gate);
}

union control {
    struct cmsghdr align;
    char space[CMSG_SPACE(sizeof(int))];
};

int exec_gate_send(int socket, int gate)
{
    int none = 0;
    union control control;
    struct iovec io = {&none, sizeof none};
    struct msghdr h = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = CMSG_SPACE(sizeof(int))};
    memset(&control, 0, sizeof control);
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &gate, sizeof gate);
    const ssize_t sent = sendmsg(socket, &h, MSG_NOSIGNAL);
    close(gate); /* else it would stay open as long as its own process waits for it */
    return sent == sizeof none ? 0 : -1;
}

int exec_gate_receive(int socket, int *why)
{
    int gate = -1;
    union control control;
    struct iovec io = {why, sizeof *why};
    struct msghdr h = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *why = 0;
    const ssize_t n = recvmsg(socket, &h, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&h) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(&gate, CMSG_DATA(c), sizeof gate);
    return gate;
}

/* Tell the parent of the gate, and try to execute something that is no program. */
static void go_through(int socket)
{
    char *const none[] = {NULL};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const int gate = exec_gate_make();
    if (gate >= 0 && exec_gate_send(socket, gate) == 0)
        execve("/", none, none);
    _exit(errno == EACCES ? 0 : 1);
}

static bool try_gate(void)
{
    int pair[2], status = 0, why;
    bool works = false;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    const pid_t pid = fork();
    if (pid == 0)
        go_through(pair[1]);
    close(pair[1]);
    const int gate = pid > 0 ? exec_gate_receive(pair[0], &why) : -1;
    if (gate >= 0) {
        works = answer(gate);
        close(gate);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(pair[0]);
    return works && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool exec_gate_possible(void)
{
    static int known = -1; /* only one thread asks */
    if (known < 0)
        known = try_gate();
    return known;
}
