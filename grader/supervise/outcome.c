#include "supervise/outcome.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "kernel/outputs.h"
#include "supervise/device_errors.h"

/* A stack pointer that is so far below its stack was not moved there by recursion. */
enum { ARRAY_LEAST = 65536 };

void outcome_set(struct outcome *o, enum outcome_kind kind, const char *fmt, ...)
{
    va_list ap;
    o->kind = kind;
    va_start(ap, fmt);
    vsnprintf(o->text, sizeof o->text, fmt, ap);
    va_end(ap);
}

void outcome_set_device(struct outcome *o, const char *name, const char *text, const char *when)
{
    o->kind = OUTCOME_DEVICE;
    snprintf(o->error.name, sizeof o->error.name, "%s", name);
    snprintf(o->error.text, sizeof o->error.text, "%s", text);
    snprintf(o->error.when, sizeof o->error.when, "%s", when);
}

/* The outputs are one area. */
static const char *area_name(const struct kernel *k, int area, int32_t side)
{
    const int output = side == PG_BEFORE ? 0 : kernel_outputs(k) - 1;
    return area < k->inputs ? k->in[area].name : kernel_output(k, output)->name;
}

/* Handle a fault inside a matrix or right beside it. False when it was somewhere else. */
static bool matrix_fault(const struct outcome *o, const struct kernel *k, enum verdict *v,
                         char *message, size_t cap)
{
    const struct pg_fault *f = &o->fault;
    if (!o->has_fault || f->area < 0 || f->area > k->inputs || f->side == PG_ELSEWHERE)
        return false;
    const char *name = area_name(k, f->area, f->side);
    bool output = f->area == k->inputs, write = f->write == 1;
    const char *place = f->side == PG_BEFORE ? "before the start" : "past the end";
    if (f->side == PG_INSIDE && write && !output) {
        *v = VERDICT_WROTE_INPUT;
        snprintf(message, cap, "wrote to %s, which is read-only", name);
    } else if (f->side != PG_INSIDE && write) {
        *v = VERDICT_WROTE_OUT_OF_BOUNDS;
        snprintf(message, cap, "wrote %s of %s", place, name);
    } else if (f->side != PG_INSIDE) {
        *v = VERDICT_CRASH;
        snprintf(message, cap, "read %s of %s", place, name);
    } else {
        return false;
    }
    return true;
}

/* Does this signal end a program that does not handle it? Real-time signals, from 32 on, do so too.
 * They are left out: nobody sends them to a rank. */
static bool ends_programs(int sig)
{
    static const int others[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH,
                                 SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (sig == others[i])
            return false;
    return sig > 0 && sig < 32;
}

/* The signal that ended the driver or a rank, or 0. */
static int last_signal(const struct outcome *o)
{
    int status = o->wait_status;
    if (!o->under_launcher || !WIFEXITED(status))
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    /* mpirun reports the signal of a rank as 128 + signal, as shells do. It reports the status of a
     * rank that calls exit() as it is. exit(-1) has the status 255, which is no signal. */
    const int sig = WEXITSTATUS(status) - 128;
    return ends_programs(sig) ? sig : 0;
}

bool outcome_is_sigkill(const struct outcome *o)
{
    return last_signal(o) == SIGKILL;
}

/* Has the machine's limit of processor time ended a process? It is not the assignment's, so nobody
 * is at fault. */
static bool is_cpu_limit(const struct outcome *o)
{
    const int sig = o->kind == OUTCOME_DIED ? last_signal(o) : 0;
    /* At the hard limit, the kernel sends SIGKILL. Clocks differ a little. */
    return (sig == SIGXCPU || sig == SIGKILL) && o->cpu_limit &&
           o->cpu_used >= (double)o->cpu_limit - 1;
}

/* Has the kernel ended it because others had the node's memory? */
static bool is_node_memory(const struct outcome *o)
{
    return o->kind == OUTCOME_DIED && last_signal(o) == SIGKILL && o->node_memory_peak;
}

/* With nothing known about the sender. */
static bool is_kill(const struct outcome *o)
{
    return o->kind == OUTCOME_DIED && last_signal(o) == SIGKILL && !is_cpu_limit(o) &&
           !is_node_memory(o);
}

/* Of a rank there is only a status that mpirun reports: that of MPI_Abort() as well. */
static bool is_foreign(const struct outcome *o)
{
    return o->sigkill_is_foreign && WIFSIGNALED(o->wait_status);
}

enum { OPEN_MPI_ERR_INTERN = 17 };

/* On several nodes, has a rank ended because its connection to another one did? Which of them began
 * is not known: mpirun reports the end that it hears of first. */
static bool is_lost_peer(const struct outcome *o)
{
    return o->kind == OUTCOME_DIED && o->several_nodes && !o->has_fault &&
           (last_signal(o) == SIGPIPE || (o->under_launcher && WIFEXITED(o->wait_status) &&
                                          WEXITSTATUS(o->wait_status) == OPEN_MPI_ERR_INTERN));
}

/* Whether a launcher starts more ranks than the node has cores is a question of its options only:
 * what Open MPI and srun say of it. */
static bool has_too_few_slots(const struct outcome *o)
{
    static const char *const says[] = {
        "There are not enough slots available",
        "are already filled",
        "binding more processes than cpus",
        "More processors requested than permitted",
    };
    bool found = false;
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        found = found || strstr(o->text, says[i]);
    return found && o->kind == OUTCOME_NOT_STARTED;
}

bool outcome_is_unexplained(const struct outcome *o)
{
    return (is_kill(o) && !is_foreign(o)) || is_lost_peer(o) || o->kind == OUTCOME_STUCK ||
           outcome_is_node_device(o) ||
           (o->kind == OUTCOME_NOT_STARTED && o->code_ran && !o->elsewhere &&
            !has_too_few_slots(o));
}

bool unexplained_end_is_retried(int before)
{
    return before < UNEXPLAINED_ENDS_RETRIED;
}

static enum verdict killed(const struct outcome *o, const char *who, char *message, size_t cap)
{
    if (is_foreign(o)) {
        snprintf(
            message, cap,
            "%s was killed by signal %d (%s), neither by the grader nor by itself, and not for "
            "memory: an operator, the batch system or another of your programs sent it",
            who, SIGKILL, strsignal(SIGKILL));
        return VERDICT_INFRA_ERROR;
    }
    if (unexplained_end_is_retried(o->unexplained_before)) {
        snprintf(message, cap,
                 "%s was killed by signal %d (%s), and not by the grader: the node ran out of "
                 "memory, another process sent the signal, or the program sent it to itself",
                 who, SIGKILL, strsignal(SIGKILL));
        return VERDICT_INFRA_ERROR;
    }
    snprintf(message, cap,
             "%s was killed by signal %d (%s) in this attempt and in the attempt before", who,
             SIGKILL, strsignal(SIGKILL));
    return VERDICT_CRASH;
}

static enum verdict stuck(const struct outcome *o, char *message, size_t cap)
{
    static const char what[] = "it cannot be halted: a thread waits in the kernel for a file";
    if (unexplained_end_is_retried(o->unexplained_before)) {
        snprintf(message, cap,
                 "%s; a disk or a file server of the node does not answer, or the code reads too "
                 "much",
                 what);
        return VERDICT_INFRA_ERROR;
    }
    snprintf(
        message, cap,
        "interfered with the driver: %s, in this attempt and in the attempt before. Read fewer "
        "files, or none",
        what);
    return VERDICT_FORBIDDEN;
}

static enum verdict not_started(const struct outcome *o, char *message, size_t cap)
{
    const char *what = o->text[0] ? o->text : "the driver did not start";
    if (has_too_few_slots(o)) {
        snprintf(message, cap,
                 "the launcher of the tier starts no more ranks than the node has cores: change "
                 "its options (Open MPI: --oversubscribe --bind-to none), or use a node with more "
                 "cores: %s",
                 what);
        return VERDICT_INFRA_ERROR;
    }
    if (!o->code_ran || o->elsewhere || unexplained_end_is_retried(o->unexplained_before)) {
        snprintf(message, cap, "%s", what);
        return VERDICT_INFRA_ERROR;
    }
    snprintf(message, cap,
             "after code of this unit had run on the node, MPI or the driver failed there, in this "
             "attempt and in the attempt before: %s",
             what);
    return VERDICT_CRASH;
}

/* The first usual set of instructions that this processor lacks. */
static const char *lacking_instructions(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2"))
        return " (it has no AVX2)";
    if (!__builtin_cpu_supports("fma"))
        return " (it has no FMA)";
    if (!__builtin_cpu_supports("avx512f"))
        return " (it has no AVX-512)";
#endif
    return "";
}

/* Recursion ends right below the stack, a large array far below it. */
static void stack_text(const struct pg_fault *f, const char *who, char *out, size_t cap)
{
    if (f->stack_needed > f->stack_most + ARRAY_LEAST)
        snprintf(out, cap,
                 "the stack overflowed: with its local arrays %s needs %.1f MB of it, and has "
                 "%.1f MB. Allocate large arrays with malloc",
                 who, (double)f->stack_needed / 1e6, (double)f->stack_most / 1e6);
    else
        snprintf(out, cap,
                 "the stack overflowed. Allocate large arrays with malloc, and limit recursion");
}

/* A fault without an address. */
static void unplaced(const struct outcome *o, const char *who, char *out, size_t cap)
{
    const int n = o->fault.aligned, sig = SIGSEGV;
    if (n == 16 || n == 32 || n == 64)
        snprintf(out, cap,
                 "%s was killed by signal %d (%s): " OUTCOME_MISALIGNED
                 " that is not a multiple of "
                 "%d: use the unaligned one (loadu, storeu), or aligned memory",
                 who, sig, strsignal(sig), n);
    else
        snprintf(out, cap,
                 "%s was killed by signal %d (%s): a wild pointer: an address that no memory can "
                 "have",
                 who, sig, strsignal(sig));
}

/* Open MPI ends a rank with the number of the error. What it prints may be lost. */
static const char *mpi_status(int status)
{
    if (status == OPEN_MPI_ERR_INTERN)
        return ", which is MPI_ERR_INTERN in Open MPI: perhaps it lost another rank";
    return status == 15 ? ", which is MPI_ERR_TRUNCATE in Open MPI: a message was longer than the "
                          "count of its receiver"
                        : "";
}

/* An element of a matrix that is NULL lies below. */
#define NULL_MATRIX_MOST (UINT64_C(1) << 30)

static enum verdict died(const struct outcome *o, const struct kernel *k, char *message, size_t cap)
{
    enum verdict v = VERDICT_CRASH;
    if (matrix_fault(o, k, &v, message, cap))
        return v;
    const int status = o->wait_status, exited = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    int sig = last_signal(o);
    if (o->has_fault && !sig)
        sig = o->fault.signal;
    const char *who = o->other_rank       ? "a rank other than 0"
                      : o->under_launcher ? "a rank"
                                          : "the kernel";
    char stack[200];
    if (is_cpu_limit(o)) {
        snprintf(message, cap,
                 "%s was ended by a limit of %llu s of processor time, which is not the "
                 "assignment's: the login shell or the site has set it (ulimit -t). Lift it, or "
                 "grade in a session without it",
                 who, (unsigned long long)o->cpu_limit);
        return VERDICT_INFRA_ERROR;
    }
    if (is_node_memory(o)) {
        snprintf(
            message, cap,
            "%s was killed when the node, or its job, ran out of memory, although it had at most "
            "%.0f MiB, which the assignment allows: ask for more memory "
            "(slurm.memory), or grade fewer units at a time",
            who, (double)o->node_memory_peak / 1048576);
        return VERDICT_INFRA_ERROR;
    }
    if (is_kill(o))
        return killed(o, who, message, cap);
    if (is_lost_peer(o) && unexplained_end_is_retried(o->unexplained_before)) {
        snprintf(message, cap,
                 "%s lost its connection to another rank: that rank, its node or the network "
                 "between them failed",
                 who);
        return VERDICT_INFRA_ERROR;
    }
    if (sig == SIGSEGV && o->other_rank && o->fault.address < NULL_MATRIX_MOST && k->inputs > 1)
        snprintf(message, cap,
                 "%s was killed by signal %d (%s): a null pointer. %s, %s and %s are NULL on ranks "
                 "other than 0: a rank gets what it needs by MPI",
                 who, sig, strsignal(sig), k->in[0].name, k->in[1].name, k->out.name);
    else if (sig == SIGSEGV && o->under_launcher && !o->has_fault && k->inputs > 1)
        snprintf(
            message, cap,
            "a rank other than 0 was killed by signal %d (%s). %s, %s and %s are NULL on ranks "
            "other than 0: a rank gets what it needs by MPI. (Or a local array was too large for "
            "the stack)",
            sig, strsignal(sig), k->in[0].name, k->in[1].name, k->out.name);
    else if (sig == SIGSEGV && o->has_fault && o->fault.address == UINT64_MAX)
        unplaced(o, who, message, cap);
    else if (sig == SIGSEGV && o->has_fault && o->fault.stack == 1) {
        stack_text(&o->fault, who, stack, sizeof stack);
        snprintf(message, cap, "%s was killed by signal %d (%s): %s", who, sig, strsignal(sig),
                 stack);
    } else if (sig == SIGSEGV && !o->has_fault && !o->under_launcher) /* no room for the handler */
        snprintf(
            message, cap,
            "%s was killed by signal %d (%s)%s: its stack overflowed (allocate large arrays with "
            "malloc), or %s ran on after the function had returned",
            who, sig, strsignal(sig), o->threads ? ", probably in a thread" : "",
            o->threads ? "it" : "a thread that it started");
    else if (sig == SIGSYS) /* the filter's: driver/filter.c */
        snprintf(message, cap, "%s ended itself: it sent itself signal %d (%s)", who, SIGKILL,
                 strsignal(SIGKILL));
    else if (sig == SIGILL)
        snprintf(message, cap,
                 "%s was killed by signal %d (%s): an instruction that this processor does not "
                 "have%s, or a trap in the code, such as the end of a function without return",
                 who, sig, strsignal(sig), lacking_instructions());
    else if (sig == SIGFPE)
        snprintf(
            message, cap,
            "%s was killed by signal %d (%s): an integer division by zero, or of INT_MIN by -1",
            who, sig, strsignal(sig));
    else if (sig == SIGSEGV && o->has_fault)
        snprintf(message, cap, "%s was killed by signal %d (%s) at address 0x%llx%s", who, sig,
                 strsignal(sig), (unsigned long long)o->fault.address,
                 o->fault.address < 4096 ? ": a null pointer" : "");
    else if (sig)
        snprintf(message, cap, "%s was killed by signal %d (%s)", who, sig, strsignal(sig));
    else
        snprintf(message, cap, "%s ended the process (exit status %d%s) instead of returning", who,
                 exited, o->under_launcher ? mpi_status(exited) : "");
    return v;
}

bool outcome_is_node_device(const struct outcome *o)
{
    return o->kind == OUTCOME_DEVICE &&
           device_error_find(o->error.name)->verdict == VERDICT_INFRA_ERROR;
}

static enum verdict device_verdict(const struct outcome *o, char *message, size_t cap)
{
    const struct device_error *known = device_error_find(o->error.name);
    const bool again =
        outcome_is_node_device(o) && !unexplained_end_is_retried(o->unexplained_before);
    snprintf(message, cap, "%s (%s) while %s%s%s", o->error.name, o->error.text, o->error.when,
             known->advice, again ? ", in this attempt and in the attempt before" : "");
    return again ? VERDICT_CRASH : known->verdict;
}

enum verdict outcome_verdict(const struct outcome *o, const struct kernel *k,
                             const struct limits *limits, char *message, size_t cap)
{
    const double mib = 1048576.0;
    switch (o->kind) {
    case OUTCOME_OK:
        message[0] = '\0';
        return VERDICT_PASS;
    case OUTCOME_LOAD_FAILED:
        snprintf(message, cap, "the built library cannot be loaded: %s", o->text);
        return VERDICT_BUILD_ERROR;
    case OUTCOME_DIED:
        return died(o, k, message, cap);
    case OUTCOME_CASE_TIMEOUT:
        if (o->deadlock_ns)
            snprintf(message, cap, "a deadlock: nothing happened for %.1f s: %s",
                     (double)o->deadlock_ns * 1e-9, o->waits);
        else
            snprintf(message, cap, "ran longer than %.3g s, the limit for one case%s%s",
                     (double)limits->case_ms / 1000, o->waits[0] ? ": " : "", o->waits);
        return VERDICT_TIMEOUT;
    case OUTCOME_UNIT_TIMEOUT:
        snprintf(message, cap, "all cases together ran longer than %.3g s, the limit for one tier",
                 (double)limits->unit_ms / 1000);
        return VERDICT_TIMEOUT;
    case OUTCOME_MEMORY:
        snprintf(message, cap, "used %.0f MiB of memory beside the matrices; the limit is %.0f MiB",
                 (double)o->memory / mib, (double)limits->memory_bytes / mib);
        return VERDICT_OUT_OF_MEMORY;
    case OUTCOME_OUTPUT:
        snprintf(message, cap,
                 "printed more than %llu bytes, the limit for one start of the program",
                 (unsigned long long)limits->output_bytes);
        return VERDICT_OUTPUT_LIMIT;
    case OUTCOME_FILES:
        snprintf(message, cap, "filled its scratch directory with files");
        return VERDICT_OUTPUT_LIMIT;
    case OUTCOME_PROCESSES:
        snprintf(message, cap, "started %d processes and threads; the limit is %d", o->processes,
                 o->processes_most);
        return VERDICT_FORBIDDEN;
    case OUTCOME_PROTOCOL:
        snprintf(message, cap, "interfered with the driver: %s", o->text);
        return VERDICT_FORBIDDEN;
    case OUTCOME_STUCK:
        return stuck(o, message, cap);
    case OUTCOME_STARVED:
        snprintf(message, cap,
                 "the program cannot be halted: a thread was ready to run for 30 s and got no "
                 "core, because other programs use the cores");
        return VERDICT_INFRA_ERROR;
    case OUTCOME_DEVICE:
        return device_verdict(o, message, cap);
    case OUTCOME_DRIVER_FAILED:
        /* The student's library is loaded in that process and may have forged the message. Mapping
         * shared memory fails only when the process lacks address space or descriptors, and both
         * are its own. */
        snprintf(message, cap, "after it, the process could not run the next case: %s", o->text);
        return VERDICT_CRASH;
    case OUTCOME_NOT_STARTED:
        return not_started(o, message, cap);
    case OUTCOME_STOPPED:
        break;
    }
    snprintf(message, cap, "%s", o->text);
    return VERDICT_INFRA_ERROR;
}
