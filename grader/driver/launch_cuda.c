/*
 * One process, one GPU: the first that CUDA sees (Slurm and CUDA_VISIBLE_DEVICES choose it). The
 * driver owns the memory of the device. The kernel gets pointers into mirrors of the mapped
 * matrices and a stream.
 *
 * The stream is an ordinary, blocking one, so a kernel that was launched into the default stream is
 * still in order with it. A kernel may use other streams as well, so the driver waits for the whole
 * device before it reports anything.
 *
 * Driver and library must share one CUDA runtime (--cudart=shared). Otherwise the driver would not
 * see errors of the library's launches.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/call.h"
#include "driver/driver.h"
#include "driver/gpu_ceiling.h"
#include "driver/gpu_mask.h"
#include "driver/gpu_order.h"
#include "driver/initial.h"

static void *kernel; /* the student's function */

/* The image of one mapping on the device. `host`: mapped memory of the host, which both can access;
 * NULL if the image is in the memory of the device. */
struct mirror {
    unsigned char *device;
    unsigned char *host; /* mapped memory only */
};

static struct mirror mirrors[PG_MAX_INPUTS + 1];
static void *pinned; /* the mapping of the output: a copy back then takes the same short time */
static cudaStream_t stream;
static cudaEvent_t started, finished;
static cudaError_t failure = cudaSuccess; /* the first since device_failed() was last called */

static cudaError_t note(cudaError_t e)
{
    if (failure == cudaSuccess)
        failure = e;
    return e;
}

int launch_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    cudaError_t e = cudaSetDevice(0);
    if (e == cudaSuccess)
        e = cudaStreamCreate(&stream);
    if (e == cudaSuccess)
        e = cudaEventCreate(&started);
    if (e == cudaSuccess)
        e = cudaEventCreate(&finished);
    if (e == cudaSuccess)
        e = gpu_order_init();
    if (e == cudaSuccess)
        return 1;
    fprintf(stderr, "paragrade driver: no GPU can be used: %s: %s\n", cudaGetErrorName(e),
            cudaGetErrorString(e));
    return -1;
}

bool launch_confine(void)
{
    return filter_enter(FILTER_DEVICE, NULL);
}

int launch_load(const char *library, const char *symbol, char *text, size_t cap)
{
    struct cudaDeviceProp d;
    kernel = library_symbol(library, symbol, text, cap);
    if (!kernel)
        return -1;
    if (note(cudaGetDeviceProperties(&d, 0)) == cudaSuccess)
        snprintf(text, cap, "%s", d.name);
    return 0;
}

/* The address on the device of what is at `host` in mapping i. */
static unsigned char *on_device(const struct problem *p, unsigned i, const unsigned char *host)
{
    return mirrors[i].device + (host - p->area[i].base);
}

static void end_call(const struct problem *p, unsigned r)
{
    const unsigned char *out = on_device(p, p->inputs, p->out) + r * p->out_stride;
    if (p->profiled)
        return;
    gpu_order_called((const uint32_t *)(const void *)out, p->out_bytes / sizeof(uint32_t), stream);
    note(cudaGetLastError());
    note(gpu_order_separate(stream));
}

double launch_run(const struct problem *p, unsigned reps)
{
    struct call call;
    float ms = -1;
    call_prepare_device(&call, &p->form, &stream, sizeof stream);
    for (unsigned i = 0; i < p->inputs; i++)
        call_operand(&call, i, on_device(p, i, p->in[i]), p->in_stride[i]);
    call_operand(&call, p->inputs, on_device(p, p->inputs, p->out), p->out_stride);
    call_masked(&call, p);
    call_combine(&call, p);
    gpu_order_begin(reps);
    note(cudaEventRecord(started, stream));
    for (unsigned r = 0; r < reps; r++) {
        call_make(&call, kernel, r);
        note(cudaGetLastError()); /* a launch that was refused */
        end_call(p, r);
    }
    if (reps == 0) /* something must run: see measure/run_overhead.h */
        note(gpu_order_separate(stream));
    note(cudaEventRecord(finished, stream));
    note(cudaDeviceSynchronize());
    if (failure == cudaSuccess)
        note(cudaEventElapsedTime(&ms, started, finished));
    return ms < 0 ? -1 : (double)ms * 1e-3;
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}

/* --- memory ----------------------------------------------------------------------------------- */

static void release(struct mirror *m)
{
    if (m->host)
        cudaFreeHost(m->host);
    else
        cudaFree(m->device);
    *m = (struct mirror){0};
}

static cudaError_t provide(struct mirror *m, size_t bytes, enum pg_memory memory)
{
    if (memory == PG_MEMORY_DEVICE)
        return cudaMalloc((void **)&m->device, bytes);
    cudaError_t e = cudaHostAlloc((void **)&m->host, bytes, cudaHostAllocMapped);
    return e != cudaSuccess ? e : cudaHostGetDevicePointer((void **)&m->device, m->host, 0);
}

void device_release(void)
{
    if (pinned)
        cudaHostUnregister(pinned);
    pinned = NULL;
    for (unsigned i = 0; i <= PG_MAX_INPUTS; i++)
        release(&mirrors[i]);
}

int device_mirror(const struct problem *p, char *text, size_t cap)
{
    for (unsigned i = 0; i <= p->inputs; i++) {
        cudaError_t e = provide(&mirrors[i], p->area[i].bytes, p->memory);
        if (e != cudaSuccess) {
            snprintf(text, cap, "no room for %zu bytes on the GPU: %s: %s", p->area[i].bytes,
                     cudaGetErrorName(e), cudaGetErrorString(e));
            return -1;
        }
    }
    void *out = p->area[p->inputs].base;
    if (p->memory == PG_MEMORY_DEVICE &&
        cudaHostRegister(out, p->area[p->inputs].bytes, cudaHostRegisterDefault) == cudaSuccess)
        pinned = out;
    else
        cudaGetLastError(); /* forget the error: it is then copied through buffers of CUDA */
    return 0;
}

/* In mapped memory, too: it has addresses on the device. */
static void copy_rows(const struct problem *p, const struct initial_rows *r)
{
    unsigned char *to = mirrors[p->inputs].device + r->to;
    const unsigned char *from = mirrors[r->input].device + r->from;
    if (r->count == 1)
        note(cudaMemcpyAsync(to, from, r->bytes, cudaMemcpyDefault, stream));
    else
        note(cudaMemcpy2DAsync(to, r->to_stride, from, r->from_stride, r->bytes, r->count,
                               cudaMemcpyDefault, stream));
}

void device_unmask(const struct problem *p, unsigned reps, bool wait)
{
    for (unsigned i = 0; i < p->inputs; i++)
        gpu_unmask((uint64_t *)(void *)mirrors[i].device, p->area[i].bytes / sizeof(uint64_t), i,
                   p->key, stream);
    note(cudaGetLastError());
    initial_copy(p, reps, copy_rows);
    if (wait)
        note(cudaStreamSynchronize(stream));
}

static void copy_in(const struct problem *p, unsigned i)
{
    if (mirrors[i].host)
        memcpy(mirrors[i].host, p->area[i].base, p->area[i].bytes);
    else
        note(cudaMemcpy(mirrors[i].device, p->area[i].base, p->area[i].bytes,
                        cudaMemcpyHostToDevice));
}

/* Processes use the GPU in turn. A change from one to another takes half a millisecond, which must
 * not be part of the time of the first kernel. A copy does not cause the change, because copies
 * have an engine of their own. */
void device_wake(void)
{
    gpu_run_nothing(stream);
    note(cudaGetLastError());
    note(cudaStreamSynchronize(stream));
}

void device_copy(const struct problem *p, enum pg_step step)
{
    const unsigned out = p->inputs;
    if (step == PG_POISON)
        copy_in(p, out);
    for (unsigned i = 0; i < p->inputs && step == PG_UPLOAD; i++)
        copy_in(p, i);
    if (step == PG_DOWNLOAD && mirrors[out].host)
        memcpy(p->area[out].base, mirrors[out].host, p->area[out].bytes);
    else if (step == PG_DOWNLOAD)
        note(cudaMemcpy(p->area[out].base, mirrors[out].device, p->area[out].bytes,
                        cudaMemcpyDeviceToHost));
    note(cudaDeviceSynchronize());
}

unsigned device_unordered(void)
{
    return gpu_order_broken(stream);
}

int device_failed(struct pg_error *e)
{
    if (failure == cudaSuccess)
        return 0;
    snprintf(e->name, sizeof e->name, "%s", cudaGetErrorName(failure));
    snprintf(e->text, sizeof e->text, "%s", cudaGetErrorString(failure));
    failure = cudaSuccess;
    return 1;
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
