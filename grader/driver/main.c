/*
 * The driver connects to the proctor, says hello, and then obeys CONFINE, LOAD, CASE and GO until
 * the proctor closes the connection.
 */
#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>

#include "driver/driver.h"

static int proctor = -1;

static void fail(const char *what)
{
    fprintf(stderr, "paragrade driver: %s: %s\n", what, strerror(errno));
    exit(70);
}

static void send_status(enum pg_type type, const char *text)
{
    struct pg_status s = {.type = type};
    snprintf(s.text, sizeof s.text, "%s", text);
    if (send(proctor, &s, sizeof s, MSG_NOSIGNAL) < 0)
        fail("send");
}

/* What a stack without more room touches: at most this much below the stack pointer (a call), and
 * above it (a large local array). */
enum { STACK_BELOW = 4096, STACK_ABOVE = 8 << 20 };

/* The stack of the first thread: its end, and how large it may become. A stack pointer that is
 * farther away is on no stack. */
static uint64_t stack_end, stack_most;
#define STACK_NEEDED_MOST (UINT64_C(1) << 40)

static void know_stack(const void *on_it)
{
    struct rlimit r;
    stack_end = (uint64_t)(uintptr_t)on_it;
    if (getrlimit(RLIMIT_STACK, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
        stack_most = r.rlim_cur;
}

/* Did a stack pointer leave its stack? A large local array moves it far away. */
static void locate_stack(uint64_t sp, struct pg_fault *f)
{
    f->stack = f->address >= sp - STACK_BELOW && f->address < sp + STACK_ABOVE;
    if (syscall(SYS_gettid) != getpid() || sp >= stack_end || stack_end - sp > STACK_NEEDED_MOST ||
        !stack_most)
        return;
    f->stack = f->stack || (f->address >= sp && f->address < stack_end);
    f->stack_needed = stack_end - sp;
    f->stack_most = stack_most;
}

/* Without a connection to the proctor. Async-signal-safe. */
static void print_fault(const struct pg_fault *f)
{
    static const char begin[] = PG_RANK_FAULT, digits[] = "0123456789abcdef";
    static char line[sizeof begin + 2 * sizeof *f + 1];
    const unsigned char *bytes = (const unsigned char *)f;
    size_t n = sizeof begin - 1;
    memcpy(line, begin, n);
    for (size_t i = 0; i < sizeof *f; i++) {
        line[n++] = digits[bytes[i] >> 4];
        line[n++] = digits[bytes[i] & 15];
    }
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0)
        return; /* nobody reads it any more */
}

/* Tell the proctor where the kernel touched memory that it must not touch, then die. This happens
 * once, even if several threads fault. The handler is not removed, because the filter may forbid
 * that. Instead its signal stays blocked after return: the fault happens again, and a fault whose
 * signal is blocked ends the process. */
static void on_fault(int signo, siginfo_t *info, void *context)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    ucontext_t *uc = context;
    while (atomic_flag_test_and_set(&told))
        pause(); /* another thread is about to end the process */
    struct pg_fault f = {.type = PG_FAULT, .signal = signo, .write = -1};
    memset(f.place, 0xff, sizeof f.place);
    /* A misaligned vector access or an impossible address faults without an address (SI_KERNEL). */
    bool placed = (signo == SIGSEGV || signo == SIGBUS) && info->si_code != SI_KERNEL;
    f.address = placed ? (uint64_t)(uintptr_t)info->si_addr : UINT64_MAX;
    arena_locate(f.address, &f);
#if defined(__x86_64__)
    const uint64_t sp = (uint64_t)uc->uc_mcontext.gregs[REG_RSP];
    if (signo == SIGSEGV && info->si_code == SI_KERNEL)
        f.aligned =
            alignment_needed((const unsigned char *)(uintptr_t)uc->uc_mcontext.gregs[REG_RIP]);
    if (placed && signo == SIGSEGV)
        f.write = (uc->uc_mcontext.gregs[REG_ERR] & 2) != 0;
    library_places((uint64_t)uc->uc_mcontext.gregs[REG_RIP], sp, f.place);
    if (placed)
        locate_stack(sp, &f);
#endif
    if (proctor >= 0)
        send(proctor, &f, sizeof f, MSG_NOSIGNAL);
    else
        print_fault(&f);
    if (info->si_code <= 0) /* abort() or raise() sent it: it would not happen again */
        _exit(128 + signo);
    sigaddset(&uc->uc_sigmask, signo);
}

static void catch_faults(void)
{
    static unsigned char stack[65536];
    stack_t ss = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&ss, NULL); /* so that a stack overflow can be reported as well */
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &sa, NULL);
}

static void join_proctor(void)
{
    const char *path = getenv(PG_ENV_SOCKET), *token = getenv(PG_ENV_TOKEN);
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (!path || !token || strlen(path) >= sizeof addr.sun_path) {
        fputs("paragrade driver: only the proctor starts this program\n", stderr);
        exit(64);
    }
    memcpy(addr.sun_path, path, strlen(path) + 1);
    proctor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (proctor < 0 || connect(proctor, (struct sockaddr *)&addr, sizeof addr) != 0)
        fail("connect");
    struct pg_hello h = {.type = PG_HELLO, .version = PG_VERSION};
    snprintf(h.token, sizeof h.token, "%s", token);
    if (send(proctor, &h, sizeof h, MSG_NOSIGNAL) < 0)
        fail("send");
    unsetenv(PG_ENV_SOCKET);
    unsetenv(PG_ENV_TOKEN);
}

union message {
    uint32_t type;
    struct pg_load load;
    struct pg_case problem;
    struct pg_go go;
    struct pg_describe describe;
};

/* How often a message is looked for that comes at once: some milliseconds. To sleep and wake up
 * takes longer than some kernels. */
enum { LOOKS = 20000 };

/* Receive one message and the descriptors that came with it. 0 at the end of the connection.
 * at_once: it is under way. */
static ssize_t receive(union message *m, int *fds, unsigned *fd_count, bool at_once)
{
    int looks = at_once ? LOOKS : 0;
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int) * (PG_MAX_INPUTS + 1))];
    } control;
    struct iovec io = {m, sizeof *m};
    struct msghdr h = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    do
        n = recvmsg(proctor, &h, MSG_CMSG_CLOEXEC | (looks > 0 ? MSG_DONTWAIT : 0));
    while (n < 0 && (errno == EINTR || (errno == EAGAIN && looks-- > 0)));
    *fd_count = 0;
    if (n <= 0)
        return 0;
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    if (c && c->cmsg_type == SCM_RIGHTS) {
        *fd_count = (unsigned)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(c), *fd_count * sizeof(int));
    }
    return n;
}

static void send_row(const struct pg_profile_row *r)
{
    if (send(proctor, r, sizeof *r, MSG_NOSIGNAL) < 0)
        fail("send");
}

static void send_rank(const struct pg_rank *r)
{
    if (send(proctor, r, sizeof *r, MSG_NOSIGNAL) < 0)
        fail("send");
}

/* Tell the proctor if the device has failed. Returns whether it has. */
static bool report_failure(const char *when)
{
    struct pg_error e = {.type = PG_ERROR};
    if (!device_failed(&e))
        return false;
    snprintf(e.when, sizeof e.when, "%s", when);
    if (send(proctor, &e, sizeof e, MSG_NOSIGNAL) < 0)
        fail("send");
    return true;
}

/* The driver's own kernel is not part of a profile. */
static void unmask(const struct problem *p, const struct pg_go *go, bool profiled)
{
    if (profiled)
        profile_pause();
    device_unmask(p, go->reps, !(go->steps & PG_COMPUTE));
    if (profiled)
        profile_resume();
}

/* Do the steps before computing. False if the device failed: the proctor knows then. */
static bool prepare(const struct problem *p, const struct pg_go *go, bool profiled)
{
    if (go->steps & PG_WAKE)
        device_wake();
    if (go->steps & PG_POISON)
        device_copy(p, PG_POISON);
    if (go->steps & PG_UPLOAD) /* after the poison: so caches hold the same as for the yardstick */
        device_copy(p, PG_UPLOAD);
    if (go->steps & (PG_POISON | PG_UPLOAD) && report_failure("copying to the device"))
        return false;
    if (go->steps & PG_UNMASK)
        unmask(p, go, profiled);
    return true;
}

static void round_in(uint32_t direction)
{
    static uint32_t now = PG_NEAREST;
    if (direction != now)
        fesetround(direction == PG_UPWARD     ? FE_UPWARD
                   : direction == PG_DOWNWARD ? FE_DOWNWARD
                                              : FE_TONEAREST);
    now = direction;
}

/* Do all steps. False as in prepare(). */
static bool do_steps(struct problem *p, const struct pg_go *go, bool profiled, struct pg_done *done)
{
    p->sets = go->sets;
    p->shift = go->shift;
    p->profiled = profiled;
    if (go->steps & PG_UNMASK)
        p->key = go->key;
    if (!prepare(p, go, profiled))
        return false;
    if (go->steps & PG_COMPUTE) {
        round_in(go->rounding);
        for (uint32_t r = 0; r < go->rounds; r++)
            done->device_seconds = launch_run(p, go->reps);
        round_in(PG_NEAREST);
        if (report_failure("computing"))
            return false;
        done->type = PG_COMPUTED;
        if (go->steps & PG_DOWNLOAD && send(proctor, done, sizeof *done, MSG_NOSIGNAL) < 0)
            fail("send");
        done->type = PG_DONE;
        fflush(stdout); /* the proctor may end this process while it is halted */
    }
    if (go->steps & PG_DOWNLOAD) {
        device_copy(p, PG_DOWNLOAD);
        done->unordered = device_unordered();
        if (report_failure("copying from the device"))
            return false;
    }
    if (go->steps & PG_RANKS)
        launch_tell_ranks(send_rank);
    return true;
}

/* The memory of the device is allocated once more, so that the profile has its calls. */
static bool allocate_again(const struct problem *p)
{
    struct pg_error e = {.type = PG_ERROR, .name = "allocation", .when = "allocating memory again"};
    device_release();
    if (device_mirror(p, e.text, sizeof e.text) == 0)
        return true;
    if (send(proctor, &e, sizeof e, MSG_NOSIGNAL) < 0)
        fail("send");
    return false;
}

/* False if the connection is gone. */
static bool go(struct problem *p, const struct pg_go *g)
{
    struct pg_done done = {.type = PG_DONE, .sequence = g->sequence, .device_seconds = -1};
    bool profiled = g->steps & PG_PROFILE && profile_start() == 0;
    bool ok = (!profiled || allocate_again(p)) && do_steps(p, g, profiled, &done);
    if (profiled)
        profile_stop(send_row);
    return !ok || send(proctor, &done, sizeof done, MSG_NOSIGNAL) >= 0;
}

static void describe(void)
{
    struct pg_device d = {.type = PG_DEVICE};
    if (device_describe(&d) != 0)
        send_status(PG_FAILED, "this driver has no device");
    else if (send(proctor, &d, sizeof d, MSG_NOSIGNAL) < 0)
        fail("send");
}

static void confine(void)
{
    struct pg_confined c = {.type = PG_CONFINED, .filtered = launch_confine()};
    launch_list_ranks(&c);
    if (send(proctor, &c, sizeof c, MSG_NOSIGNAL) < 0)
        fail("send");
}

static void obey(void)
{
    union message m;
    struct problem p = {0};
    int fds[PG_MAX_INPUTS + 1];
    unsigned fd_count;
    char text[512];
    bool at_once = false;
    while (receive(&m, fds, &fd_count, at_once) > 0) {
        at_once = m.type == PG_GO && m.go.steps == PG_UNMASK; /* the GO that computes follows */
        switch (m.type) {
        case PG_CONFINE:
            confine();
            break;
        case PG_LOAD:
            text[0] = '\0';
            if (launch_load(m.load.library, m.load.symbol, text, sizeof text) == 0)
                send_status(PG_READY, text);
            else
                send_status(PG_FAILED, text);
            break;
        case PG_DESCRIBE:
            describe();
            break;
        case PG_CASE:
            device_release();
            if (fd_count == m.problem.form.inputs + 1 &&
                arena_map(&m.problem, fds, &p, text, sizeof text) == 0 &&
                device_mirror(&p, text, sizeof text) == 0)
                send_status(PG_READY, "");
            else
                send_status(PG_FAILED, text);
            break;
        case PG_GO:
            if (!go(&p, &m.go))
                return;
            break;
        default:
            return;
        }
    }
}

int main(int argc, char **argv)
{
    prctl(PR_SET_PDEATHSIG,
          SIGKILL); /* a driver must end with its parent, even while it is halted */
    int leader = launch_init(&argc, &argv);
    if (leader < 0)
        return 70;
    know_stack(&leader);
    catch_faults();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* as on a terminal: lines before a crash are not lost */
    if (!leader) {
        launch_follow();
        return 0;
    }
    join_proctor();
    obey();
    launch_end();
    return 0;
}
