/*
 * What a GPU did, by the activity records of CUPTI (CUDA Toolkit, CUPTI documentation, "Activity
 * API"). There is one record for each call of the runtime or of the driver, each kernel and each
 * copy. Records of the same name are added up (profile_rows.h), so that only a few rows are sent to
 * the proctor.
 */
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "driver/profile_rows.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8, WARP = 32 };

static const CUpti_ActivityKind recorded[] = {
    CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY};

/* Resident warps of a multiprocessor, as a share of the most possible. Registers, shared memory,
 * threads and blocks limit how many blocks are resident at a time. */
static double occupancy(const CUpti_ActivityKernel9 *k, unsigned threads)
{
    struct cudaDeviceProp p;
    if (!threads || cudaGetDeviceProperties(&p, (int)k->deviceId) != cudaSuccess)
        return 0;
    unsigned warps = (threads + WARP - 1) / WARP;
    unsigned most = (unsigned)p.maxThreadsPerMultiProcessor / WARP;
    unsigned blocks = most / warps;
    if (blocks > (unsigned)p.maxBlocksPerMultiProcessor)
        blocks = (unsigned)p.maxBlocksPerMultiProcessor;
    /* Registers go to warps in units of 256, over four partitions of a multiprocessor. */
    unsigned per_warp = (k->registersPerThread * WARP + 255) / 256 * 256;
    if (per_warp) {
        unsigned fit = (unsigned)p.regsPerMultiprocessor / 4 / per_warp * 4 / warps;
        blocks = fit < blocks ? fit : blocks;
    }
    size_t shared = (size_t)k->staticSharedMemory + (size_t)k->dynamicSharedMemory +
                    p.reservedSharedMemPerBlock;
    shared = (shared + 127) / 128 * 128;
    if (shared) {
        unsigned fit = (unsigned)(p.sharedMemPerMultiprocessor / shared);
        blocks = fit < blocks ? fit : blocks;
    }
    return most ? (double)(blocks * warps) / most : 0;
}

/* A function of the C++ ABI, in the library that nvcc links. NULL if it is not a name of C++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static void add_kernel(const CUpti_ActivityKernel9 *k)
{
    char *plain = k->name ? __cxa_demangle(k->name, NULL, NULL, NULL) : NULL;
    struct pg_profile_row *r = profile_rows_add(PG_KERNEL,
                                                plain     ? plain
                                                : k->name ? k->name
                                                          : "?",
                                                k->start, k->end);
    free(plain);
    unsigned threads = (unsigned)(k->blockX * k->blockY * k->blockZ);
    if (!r || threads < r->block_threads)
        return;
    r->registers = k->registersPerThread;
    r->shared_bytes = (uint32_t)(k->staticSharedMemory + k->dynamicSharedMemory);
    r->block_threads = threads;
    r->grid_blocks = (uint64_t)k->gridX * (uint64_t)k->gridY * (uint64_t)k->gridZ;
    r->occupancy = occupancy(k, threads);
}

static void add_copy(const CUpti_ActivityMemcpy5 *m)
{
    const char *name = m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? "copy host to device"
                       : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "copy device to host"
                       : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOD ? "copy within the device"
                                                                        : "copy, other";
    profile_rows_add(PG_COPY, name, m->start, m->end);
}

static void add_call(const CUpti_ActivityAPI *a)
{
    const bool runtime = a->kind == CUPTI_ACTIVITY_KIND_RUNTIME;
    const char *name;
    if (cuptiGetCallbackName(runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API,
                             a->cbid, &name) != CUPTI_SUCCESS)
        name = "?";
    profile_rows_call(runtime ? LAYER_RUNTIME : LAYER_DRIVER, name, a->threadId, a->start, a->end);
}

static void CUPTIAPI want_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *most = 0;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid)
{
    (void)context;
    (void)stream;
    (void)size;
    CUpti_Activity *a = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &a) == CUPTI_SUCCESS) {
        if (a->kind == CUPTI_ACTIVITY_KIND_RUNTIME || a->kind == CUPTI_ACTIVITY_KIND_DRIVER)
            add_call((const CUpti_ActivityAPI *)(void *)a);
        else if (a->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            add_kernel((const CUpti_ActivityKernel9 *)(void *)a);
        else if (a->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
            add_copy((const CUpti_ActivityMemcpy5 *)(void *)a);
    }
    free(buffer);
}

static int enable(void)
{
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        if (cuptiActivityEnable(recorded[i]) != CUPTI_SUCCESS)
            return -1;
    return 0;
}

static void disable(void)
{
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        cuptiActivityDisable(recorded[i]);
}

int profile_start(void)
{
    profile_rows_reset();
    if (cuptiActivityRegisterCallbacks(want_buffer, take_buffer) != CUPTI_SUCCESS)
        return -1;
    return enable();
}

void profile_pause(void)
{
    disable();
}

void profile_resume(void)
{
    cudaDeviceSynchronize(); /* a failure shows again when the device is waited for after computing
                              */
    enable();
}

void profile_stop(void (*send)(const struct pg_profile_row *))
{
    disable();
    cuptiActivityFlushAll(1);
    profile_rows_send(send);
}
