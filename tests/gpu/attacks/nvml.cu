/* verdicts: pass */
/* says: nvmlInit 0, 1 GPUs */
/* NVML: how many GPUs and whose processes it tells, and whether ordinary users may set clocks
 * (restriction 0 and 1: 1 says that only root may). It only reads: the machine's settings are not
 * ours. Expected: its own GPU at most, restrictions 1. */
#include "side.h"

typedef int (*plain_type)(void);
typedef int (*count_type)(unsigned *);
typedef int (*handle_type)(unsigned, void **);
typedef int (*get_type)(void *, unsigned *);
typedef int (*restriction_type)(void *, int, int *);
struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu, compute;
};
typedef int (*processes_type)(void *, unsigned *, struct process *);

static void ask()
{
    void *h = dlopen("libnvidia-ml.so.1", RTLD_NOW), *device = nullptr;
    unsigned count = 0, limit = 0;
    if (!h) {
        say("no NVML: %.200s", dlerror());
        return;
    }
    const int begun = ((plain_type)dlsym(h, "nvmlInit_v2"))();
    ((count_type)dlsym(h, "nvmlDeviceGetCount_v2"))(&count);
    say("nvmlInit %d, %u GPUs", begun, count);
    for (unsigned i = 0; i < count; i++) {
        static struct process p[64];
        unsigned n = 64;
        const int rc = ((handle_type)dlsym(h, "nvmlDeviceGetHandleByIndex_v2"))(i, &device);
        if (rc != 0) {
            say("; GPU %u: %d", i, rc);
            continue;
        }
        const int listed =
            ((processes_type)dlsym(h, "nvmlDeviceGetComputeRunningProcesses_v3"))(device, &n, p);
        const restriction_type restriction =
            (restriction_type)dlsym(h, "nvmlDeviceGetAPIRestriction");
        const int got = ((get_type)dlsym(h, "nvmlDeviceGetPowerManagementLimit"))(device, &limit);
        int clocks = -1, boost = -1;
        const int rc0 = restriction(device, 0, &clocks), rc1 = restriction(device, 1, &boost);
        say("; GPU %u: processes %d (%u), power limit %d (%u), restrictions %d (%d), %d (%d)", i,
            listed, n, got, limit, rc0, clocks, rc1, boost);
    }
}

KERNEL(stream)
{
    product_in(M, N, K, A, B, C, stream);
    if (timed(M))
        return;
    if (!said[0])
        ask();
    tell();
}
