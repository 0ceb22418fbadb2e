#include "supervise/device_errors.h"

#include <string.h>

#include "supervise/outcome.h"

static const struct device_error errors[] = {
    {"cudaErrorInvalidConfiguration", VERDICT_LAUNCH_ERROR,
     ": a block has at most 1024 threads, a grid at most 65535 blocks in y and z"},
    {"cudaErrorLaunchOutOfResources", VERDICT_LAUNCH_ERROR,
     ": a block needs more registers or shared memory than there are"},
    {"cudaErrorInvalidValue", VERDICT_LAUNCH_ERROR,
     ": a block has at most 1024 threads, a grid at most 65535 blocks in y and z"},
    {"cudaErrorInvalidDeviceFunction", VERDICT_LAUNCH_ERROR,
     ": compiled for another GPU architecture"},
    {"cudaErrorNoKernelImageForDevice", VERDICT_LAUNCH_ERROR,
     ": compiled for another GPU architecture"},
    {"cudaErrorInvalidPtx", VERDICT_LAUNCH_ERROR, ""},
    {"cudaErrorUnsupportedPtxVersion", VERDICT_LAUNCH_ERROR, ""},
    {"cudaErrorCooperativeLaunchTooLarge", VERDICT_LAUNCH_ERROR, ""},
    {"cudaErrorInvalidClusterSize", VERDICT_LAUNCH_ERROR, ""},
    {"cudaErrorMemoryAllocation", VERDICT_OUT_OF_MEMORY, ""},
    {"cudaErrorECCUncorrectable", VERDICT_INFRA_ERROR, ""},
    {"cudaErrorHardwareStackError", VERDICT_CRASH, ""},
    {"cudaErrorDevicesUnavailable", VERDICT_INFRA_ERROR, ""},
    {"cudaErrorNoDevice", VERDICT_INFRA_ERROR, ""},
    {"cudaErrorInsufficientDriver", VERDICT_INFRA_ERROR, ""},
    {"cudaErrorSystemNotReady", VERDICT_INFRA_ERROR, ""},
    {"cudaErrorSystemDriverMismatch", VERDICT_INFRA_ERROR, ""},
    {DEVICE_FALLBACK, VERDICT_INFRA_ERROR, ""},
    {"cudaErrorIllegalAddress", VERDICT_CRASH,
     ": a kernel read or wrote outside the matrices; compute-sanitizer names the line"},
};

const struct device_error *device_error_find(const char *name)
{
    static const struct device_error other = {"", VERDICT_CRASH, ""};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (strcmp(name, errors[i].name) == 0)
            return &errors[i];
    return &other;
}
