/* A dying driver's remark about its fault: any bytes, used to explain a crash to the student. */
#include <string.h>

#include "fuzz.h"
#include "supervise/outcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct limits limits = {.case_ms = 1000, .unit_ms = 60000};
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    struct outcome o = {.has_fault = true};
    char message[600];
    if (size < 2 + sizeof o.fault)
        return 0;
    o.kind = OUTCOME_NOT_STARTED + data[0] % (OUTCOME_STOPPED - OUTCOME_NOT_STARTED + 1);
    o.wait_status = data[1];
    o.under_launcher = data[1] & 0x80;
    memcpy(&o.fault, data + 2, sizeof o.fault);
    size_t n = size - 2 - sizeof o.fault;
    memcpy(o.text, data + 2 + sizeof o.fault, n < sizeof o.text ? n : sizeof o.text - 1);
    memset(message, 'x', sizeof message);
    enum verdict v = outcome_verdict(&o, k, &limits, message, sizeof message);
    FUZZ_ASSERT(v < VERDICT_COUNT && v != VERDICT_PASS);
    FUZZ_ASSERT(memchr(message, '\0', sizeof message));
    return 0;
}
