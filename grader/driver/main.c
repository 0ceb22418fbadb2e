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
#include <ucontext.h>
#include <unistd.h>

#include "driver/channel.h"
#include "driver/driver.h"

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
    if (!channel_try(&f, sizeof f))
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

static void send_row(const struct pg_profile_row *r)
{
    channel_send(r, sizeof *r);
}

static void send_rank(const struct pg_rank *r)
{
    channel_send(r, sizeof *r);
}

/* Tell the proctor if the device has failed. Returns whether it has. */
static bool report_failure(const char *when)
{
    struct pg_error e = {.type = PG_ERROR};
    if (!device_failed(&e))
        return false;
    snprintf(e.when, sizeof e.when, "%s", when);
    channel_send(&e, sizeof e);
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
    p->pairing = go->pairing;
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
        if (go->steps & PG_DOWNLOAD)
            channel_send(done, sizeof *done);
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
    channel_send(&e, sizeof e);
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
    return !ok || channel_try(&done, sizeof done);
}

static void describe(void)
{
    struct pg_device d = {.type = PG_DEVICE};
    if (device_describe(&d) != 0)
        channel_status(PG_FAILED, "this driver has no device");
    else
        channel_send(&d, sizeof d);
}

static void confine(void)
{
    struct pg_confined c = {.type = PG_CONFINED, .filtered = launch_confine()};
    launch_list_ranks(&c);
    channel_send(&c, sizeof c);
}

static void lay_out(const struct pg_case *c, const int *fds, unsigned fd_count, struct problem *p)
{
    char text[512] = "descriptors are missing";
    bool ok = fd_count == c->form.inputs + 1 && arena_map(c, fds, p, text, sizeof text) == 0 &&
              device_mirror(p, text, sizeof text) == 0;
    if (c->spread)
        ok = launch_map_ranks(ok, text, sizeof text);
    channel_status(ok ? PG_READY : PG_FAILED, ok ? "" : text);
}

static void obey(void)
{
    union channel_message m;
    struct problem p = {0};
    int fds[PG_MAX_INPUTS + 1];
    unsigned fd_count;
    char text[512];
    bool at_once = false;
    while (channel_receive(&m, fds, &fd_count, at_once) > 0) {
        at_once = m.type == PG_GO && m.go.steps == PG_UNMASK; /* the GO that computes follows */
        switch (m.type) {
        case PG_CONFINE:
            confine();
            break;
        case PG_LOAD:
            text[0] = '\0';
            if (launch_load(m.load.library, m.load.symbol, text, sizeof text) == 0)
                channel_status(PG_READY, text);
            else
                channel_status(PG_FAILED, text);
            break;
        case PG_DESCRIBE:
            describe();
            break;
        case PG_CASE:
            device_release();
            lay_out(&m.problem, fds, fd_count, &p);
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
    channel_join(0);
    obey();
    launch_end();
    return 0;
}
