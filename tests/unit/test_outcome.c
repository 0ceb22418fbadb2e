/* From what happened to a driver to a verdict: the whole table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
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
    EXITED_139 = 139 << 8,
    KILLED_KILL = SIGKILL,
    EXITED_137 = 137 << 8,
    EXITED_145 = 145 << 8,
    EXITED_162 = 162 << 8,
    EXITED_200 = 200 << 8,
    EXITED_255 = 255 << 8,
};

static void table(void **arg)
{
    (void)arg;
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    static const struct {
        const char *name;
        struct outcome o;
        enum verdict verdict;
        const char *says;
    } rows[] = {
        {"ok", {.kind = OUTCOME_OK}, VERDICT_PASS, ""},
        {"not started",
         {.kind = OUTCOME_NOT_STARTED, .text = "no mpirun"},
         VERDICT_INFRA_ERROR,
         "no mpirun"},
        {"no mapping",
         {.kind = OUTCOME_DRIVER_FAILED, .text = "cannot map"},
         VERDICT_CRASH, /* the library is loaded: it may have made the driver say so */
         "cannot map"},
        {"files", {.kind = OUTCOME_FILES}, VERDICT_OUTPUT_LIMIT, "files"},
        {"told to stop", {.kind = OUTCOME_STOPPED}, VERDICT_INFRA_ERROR, ""},
        {"not loadable",
         {.kind = OUTCOME_LOAD_FAILED, .text = "undefined symbol: foo"},
         VERDICT_BUILD_ERROR,
         "undefined symbol: foo"},
        {"slow case", {.kind = OUTCOME_CASE_TIMEOUT}, VERDICT_TIMEOUT, "longer than 2 s"},
        {"slow unit", {.kind = OUTCOME_UNIT_TIMEOUT}, VERDICT_TIMEOUT, "longer than 60 s"},
        {"memory",
         {.kind = OUTCOME_MEMORY, .memory = (uint64_t)3 << 30},
         VERDICT_OUT_OF_MEMORY,
         "3072 MiB"},
        {"output",
         {.kind = OUTCOME_OUTPUT},
         VERDICT_OUTPUT_LIMIT,
         "1000 bytes, the limit for one start"},
        {"processes",
         {.kind = OUTCOME_PROCESSES, .processes = 99, .processes_most = 80},
         VERDICT_FORBIDDEN,
         "started 99 processes and threads; the limit is 80"},
        {"protocol", {.kind = OUTCOME_PROTOCOL, .text = "x"}, VERDICT_FORBIDDEN, "interfered"},
        {"signal", {.kind = OUTCOME_DIED, .wait_status = KILLED_FPE}, VERDICT_CRASH, "signal 8"},
        {"exit", {.kind = OUTCOME_DIED, .wait_status = EXITED_3}, VERDICT_CRASH, "exit status 3"},
        {"exit 0",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_0},
         VERDICT_CRASH,
         "instead of returning"},
        {"killed, and nobody knows by whom",
         {.kind = OUTCOME_DIED, .wait_status = KILLED_KILL},
         VERDICT_INFRA_ERROR,
         "not by the grader"},
        {"killed again",
         {.kind = OUTCOME_DIED, .wait_status = KILLED_KILL, .unexplained_before = 1},
         VERDICT_CRASH,
         "signal 9"},
        {"stuck in the kernel",
         {.kind = OUTCOME_STUCK},
         VERDICT_INFRA_ERROR,
         "a file server of the node does not answer"},
        {"stuck after a kill",
         {.kind = OUTCOME_STUCK, .unexplained_before = 1},
         VERDICT_FORBIDDEN,
         "cannot be halted"},
        {"the device fails",
         {.kind = OUTCOME_DEVICE,
          .error = {.name = "cudaErrorECCUncorrectable", .when = "computing"}},
         VERDICT_INFRA_ERROR,
         "while computing"},
        {"the device fails again",
         {.kind = OUTCOME_DEVICE,
          .error = {.name = "cudaErrorECCUncorrectable"},
          .unexplained_before = 1},
         VERDICT_CRASH,
         "in the attempt before"},
        {"a device that went away",
         {.kind = OUTCOME_DEVICE, .error = {.name = DEVICE_FALLBACK}},
         VERDICT_INFRA_ERROR,
         "host"},
        {"a kernel on the device",
         {.kind = OUTCOME_DEVICE, .error = {.name = "cudaErrorIllegalAddress"}},
         VERDICT_CRASH,
         "outside the matrices"},
        {"an error of the device that nobody knows",
         {.kind = OUTCOME_DEVICE, .error = {.name = "cudaErrorOfTomorrow"}},
         VERDICT_CRASH,
         "cudaErrorOfTomorrow"},
        {"MPI does not start",
         {.kind = OUTCOME_NOT_STARTED, .text = "x"},
         VERDICT_INFRA_ERROR,
         "x"},
        {"MPI never starts",
         {.kind = OUTCOME_NOT_STARTED, .text = "x", .unexplained_before = 1},
         VERDICT_INFRA_ERROR,
         "x"},
        {"MPI does not start any more",
         {.kind = OUTCOME_NOT_STARTED, .text = "x", .code_ran = true},
         VERDICT_INFRA_ERROR,
         "x"},
        {"MPI does not start any more, again",
         {.kind = OUTCOME_NOT_STARTED, .text = "x", .code_ran = true, .unexplained_before = 1},
         VERDICT_CRASH,
         "after code of this unit had run"},
        {"starved", {.kind = OUTCOME_STARVED}, VERDICT_INFRA_ERROR, "other programs use the cores"},
        {"starved again",
         {.kind = OUTCOME_STARVED, .unexplained_before = 1},
         VERDICT_INFRA_ERROR,
         "got no core"},
        {"a rank was killed",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_137, .under_launcher = true},
         VERDICT_INFRA_ERROR,
         "a rank was killed by signal 9"},
        {"mpirun was killed",
         {.kind = OUTCOME_DIED, .wait_status = KILLED_KILL, .under_launcher = true},
         VERDICT_INFRA_ERROR,
         "signal 9"},
        {"a rank was killed again",
         {.kind = OUTCOME_DIED,
          .wait_status = EXITED_137,
          .under_launcher = true,
          .unexplained_before = 2},
         VERDICT_CRASH,
         "signal 9"},
        {"exit status 137 without a launcher is the code's own",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_137},
         VERDICT_CRASH,
         "exit status 137"},
        {"killed after it wrote out of bounds",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_KILL,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 2, .side = PG_AFTER, .write = 1}},
         VERDICT_WROTE_OUT_OF_BOUNDS,
         "past the end of C"},
        {"a stack overflow",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = -1, .address = 0x7ffc0000, .stack = 1}},
         VERDICT_CRASH,
         "the stack overflowed"},
        {"an unknown instruction",
         {.kind = OUTCOME_DIED, .wait_status = SIGILL},
         VERDICT_CRASH,
         "an instruction that this processor does not have"},
        {"any other signal is the code's own, the first time too",
         {.kind = OUTCOME_DIED, .wait_status = KILLED_FPE, .unexplained_before = 0},
         VERDICT_CRASH,
         "signal 8"},
        {"a rank",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_139, .under_launcher = true},
         VERDICT_CRASH,
         "a rank was killed by signal 11"},
        {"a rank that calls exit(-1) or MPI_Abort(comm, -1)",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_255, .under_launcher = true},
         VERDICT_CRASH,
         "a rank ended the process (exit status 255)"},
        {"a rank that calls exit(200): there is no signal 72",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_200, .under_launcher = true},
         VERDICT_CRASH,
         "a rank ended the process (exit status 200)"},
        {"a rank that calls exit(145): SIGCHLD ends no program",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_145, .under_launcher = true},
         VERDICT_CRASH,
         "a rank ended the process (exit status 145)"},
        {"a rank that calls exit(162): nobody sends real-time signals",
         {.kind = OUTCOME_DIED, .wait_status = EXITED_162, .under_launcher = true},
         VERDICT_CRASH,
         "a rank ended the process (exit status 162)"},
        {"null",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = -1, .address = 8}},
         VERDICT_CRASH,
         "a null pointer"},
        {"somewhere",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = -1, .address = UINT64_MAX}},
         VERDICT_CRASH,
         "not aligned"},
        {"wrote A",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 0, .side = PG_INSIDE, .write = 1}},
         VERDICT_WROTE_INPUT,
         "wrote to A"},
        {"read past B",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 1, .side = PG_AFTER, .write = 0}},
         VERDICT_CRASH,
         "read past the end of B"},
        {"wrote past C",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 2, .side = PG_AFTER, .write = 1}},
         VERDICT_WROTE_OUT_OF_BOUNDS,
         "wrote past the end of C"},
        {"wrote before C",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 2, .side = PG_BEFORE, .write = 1}},
         VERDICT_WROTE_OUT_OF_BOUNDS,
         "wrote before the start of C"},
        {"a lie",
         {.kind = OUTCOME_DIED,
          .wait_status = KILLED_SEGV,
          .has_fault = true,
          .fault = {.signal = SIGSEGV, .area = 77, .side = PG_AFTER, .write = 1}},
         VERDICT_CRASH,
         "signal 11"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        enum verdict v = outcome_verdict(&rows[i].o, k, &limits, text, sizeof text);
        if (v != rows[i].verdict || !strstr(text, rows[i].says))
            fail_msg("%s: %s, '%s'", rows[i].name, verdict_name(v), text);
    }
}

static void verdicts(void **arg)
{
    (void)arg;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
