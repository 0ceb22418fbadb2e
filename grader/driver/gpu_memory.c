#include "driver/gpu_memory.h"

#include <stdio.h>
#include <string.h>

#include "driver/gpu_devices.h"
#include "driver/gpu_mask.h"
#include "driver/initial.h"

/* The image of one mapping on the device. `host`: mapped memory of the host, which both can access;
 * NULL if the image is in the memory of the device. */
struct mirror {
    unsigned char *device;
    unsigned char *host; /* mapped memory only */
};

static struct mirror mirrors[PG_MAX_INPUTS + 1];
static void *pinned; /* the mapping of the output: a copy back then takes the same short time */

unsigned char *gpu_address(const struct problem *p, unsigned i, const unsigned char *host)
{
    return mirrors[i].device + (host - p->area[i].base);
}

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
        gpu_note(cudaMemcpyAsync(to, from, r->bytes, cudaMemcpyDefault, gpu_stream()));
    else
        gpu_note(cudaMemcpy2DAsync(to, r->to_stride, from, r->from_stride, r->bytes, r->count,
                                   cudaMemcpyDefault, gpu_stream()));
}

void device_unmask(const struct problem *p, unsigned reps, bool wait)
{
    for (unsigned i = 0; i < p->inputs; i++)
        gpu_unmask((uint64_t *)(void *)mirrors[i].device, p->area[i].bytes / sizeof(uint64_t), i,
                   p->key, gpu_stream());
    gpu_note(cudaGetLastError());
    initial_copy(p, reps, copy_rows);
    if (wait)
        gpu_note(cudaStreamSynchronize(gpu_stream()));
}

static void copy_in(const struct problem *p, unsigned i)
{
    if (mirrors[i].host)
        memcpy(mirrors[i].host, p->area[i].base, p->area[i].bytes);
    else
        gpu_note(cudaMemcpy(mirrors[i].device, p->area[i].base, p->area[i].bytes,
                            cudaMemcpyHostToDevice));
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
        gpu_note(cudaMemcpy(p->area[out].base, mirrors[out].device, p->area[out].bytes,
                            cudaMemcpyDeviceToHost));
    gpu_idle();
}
