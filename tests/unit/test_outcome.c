/* From what happened to a driver to a verdict: the whole table. */
#include "unit.h"

#include <signal.h>
#include <string.h>

#include "supervise/outcome.h"

static const struct limits limits = {.case_ms = 2000,
                                     .unit_ms = 60000,
                                     .memory_bytes = 1 << 30,
                                     .processes = 64,
                                     .output_bytes = 1000};

/* wait() statuses, as the kernel makes them. */
enum {
    KILLED_SEGV = SIGSEGV,
    KILLED_FPE = SIGFPE,
    EXITED_0 = 0,
    EXITED_3 = 3 << 8,
    EXITED_15 = 15 << 8,
    EXITED_17 = 17 << 8,
    EXITED_139 = 139 << 8,
    KILLED_KILL = SIGKILL,
    EXITED_137 = 137 << 8,
    EXITED_141 = 141 << 8,
    EXITED_145 = 145 << 8,
    EXITED_162 = 162 << 8,
    EXITED_200 = 200 << 8,
    EXITED_255 = 255 << 8,
};

#define DIED(status) .kind = OUTCOME_DIED, .wait_status = (status)
#define FAULT(...) .has_fault = true, .fault = {.signal = SIGSEGV, __VA_ARGS__}

TEST(table)
{
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    static const struct {
        const char *name;
        struct outcome o;
        enum verdict verdict;
        const char *says;
    } rows[] = {
        ROW("ok", {.kind = OUTCOME_OK}, VERDICT_PASS, ""),
        ROW("not started", {.kind = OUTCOME_NOT_STARTED, .text = "no mpirun"}, VERDICT_INFRA_ERROR,
            "no mpirun"),
        /* The library is loaded: it may have made the driver say so. */
        ROW("no mapping", {.kind = OUTCOME_DRIVER_FAILED, .text = "cannot map"}, VERDICT_CRASH,
            "cannot map"),
        ROW("files", {.kind = OUTCOME_FILES}, VERDICT_OUTPUT_LIMIT, "files"),
        ROW("told to stop", {.kind = OUTCOME_STOPPED}, VERDICT_INFRA_ERROR, ""),
        ROW("not loadable", {.kind = OUTCOME_LOAD_FAILED, .text = "undefined symbol: foo"},
            VERDICT_BUILD_ERROR, "undefined symbol: foo"),
        ROW("slow case", {.kind = OUTCOME_CASE_TIMEOUT}, VERDICT_TIMEOUT, "longer than 2 s"),
        ROW("slow unit", {.kind = OUTCOME_UNIT_TIMEOUT}, VERDICT_TIMEOUT, "longer than 60 s"),
        ROW("memory", {.kind = OUTCOME_MEMORY, .memory = (uint64_t)3 << 30}, VERDICT_OUT_OF_MEMORY,
            "3072 MiB"),
        ROW("output", {.kind = OUTCOME_OUTPUT}, VERDICT_OUTPUT_LIMIT,
            "1000 bytes, the limit for one start"),
        ROW("processes", {.kind = OUTCOME_PROCESSES, .processes = 99, .processes_most = 80},
            VERDICT_FORBIDDEN, "started 99 processes and threads; the limit is 80"),
        ROW("protocol", {.kind = OUTCOME_PROTOCOL, .text = "x"}, VERDICT_FORBIDDEN, "interfered"),
        ROW("division", {DIED(KILLED_FPE)}, VERDICT_CRASH, "division by zero"),
        ROW("exit", {DIED(EXITED_3)}, VERDICT_CRASH, "exit status 3"),
        ROW("an error that Open MPI ends a rank for", {DIED(EXITED_15), .under_launcher = true},
            VERDICT_CRASH,
            "(exit status 15, which is MPI_ERR_TRUNCATE in Open MPI: a message was longer than the "
            "count of its receiver) instead of returning"),
        ROW("that number, without MPI", {DIED(EXITED_15)}, VERDICT_CRASH,
            "(exit status 15) instead"),
        ROW("exit 0", {DIED(EXITED_0)}, VERDICT_CRASH, "instead of returning"),
        ROW("killed, and nobody knows by whom", {DIED(KILLED_KILL)}, VERDICT_INFRA_ERROR,
            "not by the grader"),
        ROW("killed again", {DIED(KILLED_KILL), .unexplained_before = 1}, VERDICT_CRASH,
            "signal 9"),
        ROW("killed again, from outside",
            {DIED(KILLED_KILL), .sigkill_is_foreign = true, .unexplained_before = 7},
            VERDICT_INFRA_ERROR, "neither by the grader nor by itself"),
        ROW("the launcher was killed again, from outside",
            {DIED(KILLED_KILL), .under_launcher = true, .sigkill_is_foreign = true,
             .unexplained_before = 7},
            VERDICT_INFRA_ERROR, "neither by the grader nor by itself"),
        ROW("the launcher says that a rank was killed",
            {DIED(EXITED_137), .under_launcher = true, .sigkill_is_foreign = true},
            VERDICT_INFRA_ERROR, "a rank was killed by signal 9"),
        ROW("it says so again: a rank may have told it so",
            {DIED(EXITED_137), .under_launcher = true, .sigkill_is_foreign = true,
             .unexplained_before = 1},
            VERDICT_CRASH, "in this attempt and in the attempt before"),
        ROW("a rank lost another one, on other nodes",
            {DIED(EXITED_141), .under_launcher = true, .several_nodes = true}, VERDICT_INFRA_ERROR,
            "lost its connection to another rank"),
        ROW("MPI noticed it", {DIED(EXITED_17), .under_launcher = true, .several_nodes = true},
            VERDICT_INFRA_ERROR, "lost its connection to another rank"),
        ROW("it did so again",
            {DIED(EXITED_141), .under_launcher = true, .several_nodes = true,
             .unexplained_before = 1},
            VERDICT_CRASH, "signal 13"),
        ROW("MPI noticed it again",
            {DIED(EXITED_17), .under_launcher = true, .several_nodes = true,
             .unexplained_before = 1},
            VERDICT_CRASH, "MPI_ERR_INTERN"),
        ROW("a broken pipe on one node", {DIED(EXITED_141), .under_launcher = true}, VERDICT_CRASH,
            "signal 13"),
        ROW("a rank that faults, on several nodes",
            {DIED(EXITED_139), .under_launcher = true, .several_nodes = true,
             FAULT(.area = -1, .address = 44000)},
            VERDICT_CRASH, "signal 11"),
        ROW("another signal", {DIED(SIGFPE), .sigkill_is_foreign = true}, VERDICT_CRASH,
            "signal 8"),
        ROW("it kills itself: the filter ends it", {DIED(SIGSYS), .sigkill_is_foreign = true},
            VERDICT_CRASH, "it sent itself signal 9"),
        ROW("the machine's limit of processor time",
            {DIED(SIGXCPU), .cpu_limit = 60, .cpu_used = 60.1}, VERDICT_INFRA_ERROR,
            "limit of 60 s of processor time"),
        ROW("the hard one, again",
            {DIED(SIGKILL), .cpu_limit = 60, .cpu_used = 59.99, .unexplained_before = 1},
            VERDICT_INFRA_ERROR, "ulimit -t"),
        ROW("that of a rank",
            {DIED((128 + SIGXCPU) << 8), .under_launcher = true, .cpu_limit = 60, .cpu_used = 90},
            VERDICT_INFRA_ERROR, "a rank was ended by a limit of 60 s"),
        ROW("far from the limit", {DIED(SIGXCPU), .cpu_limit = 60, .cpu_used = 12}, VERDICT_CRASH,
            "signal 24"),
        ROW("there is no limit: the code has set one", {DIED(SIGXCPU), .cpu_used = 60},
            VERDICT_CRASH, "signal 24"),
        ROW("stuck in the kernel", {.kind = OUTCOME_STUCK}, VERDICT_INFRA_ERROR,
            "a file server of the node does not answer"),
        ROW("stuck after a kill", {.kind = OUTCOME_STUCK, .unexplained_before = 1},
            VERDICT_FORBIDDEN, "cannot be halted"),
        ROW("the device fails",
            {.kind = OUTCOME_DEVICE,
             .error = {.name = "cudaErrorECCUncorrectable", .when = "computing"}},
            VERDICT_INFRA_ERROR, "while computing"),
        ROW("the device fails again",
            {.kind = OUTCOME_DEVICE,
             .error = {.name = "cudaErrorECCUncorrectable"},
             .unexplained_before = 1},
            VERDICT_CRASH, "in the attempt before"),
        ROW("a device that went away", {.kind = OUTCOME_DEVICE, .error = {.name = DEVICE_FALLBACK}},
            VERDICT_INFRA_ERROR, "host"),
        ROW("a kernel on the device",
            {.kind = OUTCOME_DEVICE, .error = {.name = "cudaErrorIllegalAddress"}}, VERDICT_CRASH,
            "outside the matrices"),
        ROW("an error of the device that nobody knows",
            {.kind = OUTCOME_DEVICE, .error = {.name = "cudaErrorOfTomorrow"}}, VERDICT_CRASH,
            "cudaErrorOfTomorrow"),
        ROW("MPI does not start", {.kind = OUTCOME_NOT_STARTED, .text = "x"}, VERDICT_INFRA_ERROR,
            "x"),
        ROW("more ranks than the launcher starts here",
            {.kind = OUTCOME_NOT_STARTED,
             .text = "There are not enough slots available in the system to satisfy the 4 slots",
             .code_ran = true,
             .unexplained_before = 1},
            VERDICT_INFRA_ERROR, "--oversubscribe"),
        ROW("the same in srun's words",
            {.kind = OUTCOME_NOT_STARTED,
             .text = "srun: error: Unable to create step for job 7: More processors requested than "
                     "permitted",
             .code_ran = true,
             .unexplained_before = 1},
            VERDICT_INFRA_ERROR, "or use a node with more cores"),
        ROW("MPI never starts", {.kind = OUTCOME_NOT_STARTED, .text = "x", .unexplained_before = 1},
            VERDICT_INFRA_ERROR, "x"),
        ROW("MPI does not start any more",
            {.kind = OUTCOME_NOT_STARTED, .text = "x", .code_ran = true}, VERDICT_INFRA_ERROR, "x"),
        ROW("MPI does not start any more, again",
            {.kind = OUTCOME_NOT_STARTED, .text = "x", .code_ran = true, .unexplained_before = 1},
            VERDICT_CRASH, "after code of this unit had run"),
        ROW("starved", {.kind = OUTCOME_STARVED}, VERDICT_INFRA_ERROR,
            "other programs use the cores"),
        ROW("starved again", {.kind = OUTCOME_STARVED, .unexplained_before = 1},
            VERDICT_INFRA_ERROR, "got no core"),
        ROW("a rank was killed", {DIED(EXITED_137), .under_launcher = true}, VERDICT_INFRA_ERROR,
            "a rank was killed by signal 9"),
        ROW("a rank was killed again, for the node's memory",
            {DIED(EXITED_137), .under_launcher = true, .node_memory_peak = 64 << 20,
             .unexplained_before = 2},
            VERDICT_INFRA_ERROR, "at most 64 MiB, which"),
        ROW("a crash while the node has no memory", {DIED(SIGFPE), .node_memory_peak = 64 << 20},
            VERDICT_CRASH, "signal 8"),
        ROW("mpirun was killed", {DIED(KILLED_KILL), .under_launcher = true}, VERDICT_INFRA_ERROR,
            "signal 9"),
        ROW("a rank was killed again",
            {DIED(EXITED_137), .under_launcher = true, .unexplained_before = 2}, VERDICT_CRASH,
            "signal 9"),
        ROW("exit status 137 without a launcher is the code's own", {DIED(EXITED_137)},
            VERDICT_CRASH, "exit status 137"),
        ROW("killed after it wrote out of bounds",
            {DIED(KILLED_KILL), FAULT(.area = 2, .side = PG_AFTER, .write = 1)},
            VERDICT_WROTE_OUT_OF_BOUNDS, "past the end of C"),
        ROW("a stack overflow",
            {DIED(KILLED_SEGV), FAULT(.area = -1, .address = 0x7ffc0000, .stack = 1)},
            VERDICT_CRASH, "the stack overflowed"),
        ROW("an array that is larger than the stack",
            {DIED(KILLED_SEGV), FAULT(.area = -1, .address = 0x7ffc0000, .stack = 1,
                                      .stack_needed = 16000000, .stack_most = 8388608)},
            VERDICT_CRASH, "with its local arrays the kernel needs 16.0 MB of it, and has 8.4 MB"),
        ROW("recursion",
            {DIED(KILLED_SEGV), FAULT(.area = -1, .address = 0x7ffc0000, .stack = 1,
                                      .stack_needed = 8389000, .stack_most = 8388608)},
            VERDICT_CRASH,
            "the stack overflowed. Allocate large arrays with malloc, and limit recursion"),
        ROW("a thread's stack has no room for the handler", {DIED(KILLED_SEGV), .threads = true},
            VERDICT_CRASH, "probably in a thread: its stack overflowed"),
        ROW("one thread: the message does not begin with threads", {DIED(KILLED_SEGV)},
            VERDICT_CRASH, "(Segmentation fault): its stack overflowed"),
        ROW("an unknown instruction", {DIED(SIGILL)}, VERDICT_CRASH,
            "an instruction that this processor does not have"),
        ROW("any other signal is the code's own, the first time too",
            {DIED(KILLED_FPE), .unexplained_before = 0}, VERDICT_CRASH, "signal 8"),
        ROW("a deadlock",
            {.kind = OUTCOME_CASE_TIMEOUT, .waits = "rank 0 waits in MPI_Recv from rank 1"},
            VERDICT_TIMEOUT, "the limit for one case: rank 0 waits in MPI_Recv from rank 1"),
        ROW("ranks wait for each other alone",
            {.kind = OUTCOME_CASE_TIMEOUT,
             .deadlock_ns = 3000000000,
             .waits = "rank 0 waits in MPI_Recv from rank 1"},
            VERDICT_TIMEOUT,
            "a deadlock: nothing happened for 3.0 s: rank 0 waits in MPI_Recv from rank 1"),
        ROW("a rank that has no matrices", {DIED(EXITED_139), .under_launcher = true},
            VERDICT_CRASH, "A, B and C are NULL on ranks other than 0"),
        ROW("the same, and it told where",
            {DIED(EXITED_139), .under_launcher = true, .has_fault = true, .other_rank = true,
             .fault = {.signal = SIGSEGV, .area = -1, .address = 44000}},
            VERDICT_CRASH,
            "a rank other than 0 was killed by signal 11 (Segmentation fault): a null pointer. A, "
            "B"),
        ROW("it has a wild pointer",
            {DIED(EXITED_139), .under_launcher = true, .has_fault = true, .other_rank = true,
             .fault = {.signal = SIGSEGV, .area = -1, .address = 0x7f0000001000}},
            VERDICT_CRASH,
            "a rank other than 0 was killed by signal 11 (Segmentation fault) at address "
            "0x7f0000001000"),
        ROW("a rank", {DIED(EXITED_139), .under_launcher = true}, VERDICT_CRASH,
            "was killed by signal 11"),
        ROW("a rank that calls exit(-1) or MPI_Abort(comm, -1)",
            {DIED(EXITED_255), .under_launcher = true}, VERDICT_CRASH,
            "a rank ended the process (exit status 255)"),
        ROW("a rank that calls exit(200): there is no signal 72",
            {DIED(EXITED_200), .under_launcher = true}, VERDICT_CRASH,
            "a rank ended the process (exit status 200)"),
        ROW("a rank that calls exit(145): SIGCHLD ends no program",
            {DIED(EXITED_145), .under_launcher = true}, VERDICT_CRASH,
            "a rank ended the process (exit status 145)"),
        ROW("a rank that calls exit(162): nobody sends real-time signals",
            {DIED(EXITED_162), .under_launcher = true}, VERDICT_CRASH,
            "a rank ended the process (exit status 162)"),
        ROW("null", {DIED(KILLED_SEGV), FAULT(.area = -1, .address = 8)}, VERDICT_CRASH,
            "a null pointer"),
        ROW("somewhere", {DIED(KILLED_SEGV), FAULT(.area = -1, .address = UINT64_MAX)},
            VERDICT_CRASH,
            "(Segmentation fault): a wild pointer: an address that no memory can have"),
        ROW("not aligned",
            {DIED(KILLED_SEGV), FAULT(.area = -1, .address = UINT64_MAX, .aligned = 32)},
            VERDICT_CRASH, "an aligned vector access to an address that is not a multiple of 32"),
        ROW("the driver invents an alignment",
            {DIED(KILLED_SEGV), FAULT(.area = -1, .address = UINT64_MAX, .aligned = -7)},
            VERDICT_CRASH, "a wild pointer"),
        ROW("wrote A", {DIED(KILLED_SEGV), FAULT(.area = 0, .side = PG_INSIDE, .write = 1)},
            VERDICT_WROTE_INPUT, "wrote to A"),
        ROW("read past B", {DIED(KILLED_SEGV), FAULT(.area = 1, .side = PG_AFTER, .write = 0)},
            VERDICT_CRASH, "read past the end of B"),
        ROW("wrote past C", {DIED(KILLED_SEGV), FAULT(.area = 2, .side = PG_AFTER, .write = 1)},
            VERDICT_WROTE_OUT_OF_BOUNDS, "wrote past the end of C"),
        ROW("wrote before C", {DIED(KILLED_SEGV), FAULT(.area = 2, .side = PG_BEFORE, .write = 1)},
            VERDICT_WROTE_OUT_OF_BOUNDS, "wrote before the start of C"),
        ROW("a lie", {DIED(KILLED_SEGV), FAULT(.area = 77, .side = PG_AFTER, .write = 1)},
            VERDICT_CRASH, "signal 11"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        enum verdict v = outcome_verdict(&rows[i].o, k, &limits, text, sizeof text);
        if (v != rows[i].verdict || !strstr(text, rows[i].says))
            fail_msg("%s: %s, '%s'", rows[i].name, verdict_name(v), text);
    }
}

TEST(verdicts)
{
    enum verdict v;
    assert_false(verdict_parse("passed", &v));
    for (int i = 0; i < VERDICT_COUNT; i++) {
        assert_true(verdict_parse(verdict_name((enum verdict)i), &v));
        assert_int_equal(v, i);
        assert_true(verdict_summary(v)[0]);
        assert_true((verdict_fault(v) == FAULT_INFRA) == (v == VERDICT_INFRA_ERROR));
    }
    assert_int_equal(verdict_worse(VERDICT_PASS, VERDICT_CRASH), VERDICT_CRASH);
}

/* Of a driver that is not under a launcher, this status is its own. */
TEST(sigkill)
{
    const struct outcome rank = {.wait_status = EXITED_137, .under_launcher = true},
                         own = {.wait_status = EXITED_137},
                         launcher = {.wait_status = KILLED_KILL, .under_launcher = true},
                         none = {.kind = OUTCOME_NOT_STARTED};
    assert_true(outcome_is_sigkill(&rank));
    assert_true(outcome_is_sigkill(&launcher));
    assert_false(outcome_is_sigkill(&own));
    assert_false(outcome_is_sigkill(&none));
}

TESTS(NULL, NULL)
