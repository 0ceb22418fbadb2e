#include "driver/gpu_devices.h"

#include <stdio.h>
#include <stdlib.h>

#include "driver/driver.h"
#include "driver/gpu_ceiling.h"
#include "driver/gpu_run.h"

static int devices = 1;
static cudaStream_t stream;
static cudaError_t failure = cudaSuccess; /* the first since device_failed() was last called */
static int failed = -1;                   /* the device that was waited for then; -1: not known */

static cudaError_t note_of(cudaError_t e, int device)
{
    if (failure == cudaSuccess && e != cudaSuccess) {
        failure = e;
        failed = device;
    }
    return e;
}

cudaError_t gpu_note(cudaError_t e)
{
    return note_of(e, -1);
}

cudaStream_t gpu_stream(void)
{
    return stream;
}

/* As many as the launch has. */
static int wanted(void)
{
    const char *text = getenv(PG_ENV_GPUS);
    const int n = text ? atoi(text) : 1;
    unsetenv(PG_ENV_GPUS);
    return n > 1 ? n : 1;
}

/* The first device last, so that it is current. */
static cudaError_t start(void)
{
    cudaError_t e = cudaSuccess;
    for (int d = devices - 1; d >= 0 && e == cudaSuccess; d--) {
        e = cudaSetDevice(d);
        if (e == cudaSuccess)
            e = cudaFree(NULL); /* it takes a moment, which must not be part of the first call */
    }
    if (e == cudaSuccess)
        e = cudaStreamCreate(&stream);
    return e == cudaSuccess ? gpu_run_init() : e;
}

int gpu_begin(void)
{
    int visible = 0;
    devices = wanted();
    cudaError_t e = cudaGetDeviceCount(&visible);
    if (e == cudaSuccess && visible < devices) {
        fprintf(stderr, "paragrade driver: CUDA sees %d of %d GPUs\n", visible, devices);
        return -1;
    }
    if (e == cudaSuccess)
        e = start();
    if (e == cudaSuccess)
        return 1;
    fprintf(stderr, "paragrade driver: no GPU can be used: %s: %s\n", cudaGetErrorName(e),
            cudaGetErrorString(e));
    return -1;
}

void gpu_name(char *text, size_t cap)
{
    struct cudaDeviceProp d;
    if (gpu_note(cudaGetDeviceProperties(&d, 0)) == cudaSuccess)
        snprintf(text, cap, "%s", d.name);
}

void gpu_after_call(void)
{
    gpu_note(cudaGetLastError()); /* a launch that was refused */
    if (devices > 1)
        gpu_note(cudaSetDevice(0));
}

/* What fails on one GPU may keep the first one from going on: so that is asked last. */
void gpu_idle(void)
{
    for (int d = devices - 1; d >= 0; d--) {
        if (devices > 1)
            note_of(cudaSetDevice(d), d);
        note_of(cudaDeviceSynchronize(), d);
    }
}

/* Processes use a GPU in turn. A change from one to another takes half a millisecond, which must
 * not be part of the time of the first kernel. A copy does not cause the change, because copies
 * have an engine of their own. */
void gpu_wake(void)
{
    for (int d = devices - 1; d >= 0; d--) {
        if (devices > 1)
            note_of(cudaSetDevice(d), d);
        gpu_run_nothing(d ? NULL : stream);
        gpu_note(cudaGetLastError());
    }
    gpu_idle();
}

bool gpu_failed(struct pg_error *e)
{
    char which[24] = "";
    if (failure == cudaSuccess)
        return false;
    if (devices > 1 && failed >= 0)
        snprintf(which, sizeof which, "GPU %d: ", failed);
    snprintf(e->name, sizeof e->name, "%s", cudaGetErrorName(failure));
    snprintf(e->text, sizeof e->text, "%s%s", which, cudaGetErrorString(failure));
    failure = cudaSuccess;
    failed = -1;
    return true;
}

int device_describe(struct pg_device *d)
{
    struct cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess)
        return -1;
    snprintf(d->name, sizeof d->name, "%.127s", p.name);
    d->processors = p.multiProcessorCount;
    d->cache_bytes = p.l2CacheSize > 0 ? (uint64_t)p.l2CacheSize : 0;
    for (int e = 0; e < PG_ELEMENTS; e++)
        d->gops[e] = gpu_multiply_add_gops(p.multiProcessorCount, (enum pg_element)e);
    d->tensor_gops = gpu_tensor_gops(p.multiProcessorCount, p.major);
    d->copy_gbs = gpu_copy_gbs();
    return 0;
}
