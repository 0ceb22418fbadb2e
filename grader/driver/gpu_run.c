#include "driver/gpu_run.h"

#include "driver/gpu_devices.h"
#include "driver/gpu_memory.h"
#include "driver/gpu_order.h"

static cudaEvent_t started, finished;

cudaError_t gpu_run_init(void)
{
    cudaError_t e = cudaEventCreate(&started);
    if (e == cudaSuccess)
        e = cudaEventCreate(&finished);
    return e == cudaSuccess ? gpu_order_init() : e;
}

void gpu_run_operands(struct call *c, const struct problem *p)
{
    for (unsigned i = 0; i < p->inputs; i++)
        call_operand(c, i, gpu_address(p, i, p->in[i]), p->in_stride[i]);
    call_operand(c, p->inputs, gpu_address(p, p->inputs, p->out), p->out_stride);
    call_masked(c, p);
    call_combine(c, p);
}

static void end_call(const struct problem *p, unsigned r)
{
    const unsigned char *out = gpu_address(p, p->inputs, p->out) + r * p->out_stride;
    if (p->profiled)
        return;
    gpu_order_called((const uint32_t *)(const void *)out, p->out_bytes / sizeof(uint32_t),
                     gpu_stream());
    gpu_note(cudaGetLastError());
    gpu_note(gpu_order_separate(gpu_stream()));
}

/* A kernel may use other streams and other GPUs as well, so the driver waits for all of them before
 * it reports anything. */
double gpu_run(struct call *c, void *kernel, const struct problem *p, unsigned reps)
{
    float ms = -1;
    gpu_order_begin(reps);
    gpu_note(cudaEventRecord(started, gpu_stream()));
    for (unsigned r = 0; r < reps; r++) {
        call_make(c, kernel, r);
        gpu_after_call();
        if (p)
            end_call(p, r);
    }
    if (reps == 0) /* something must run: see measure/run_overhead.h */
        gpu_note(gpu_order_separate(gpu_stream()));
    gpu_note(cudaEventRecord(finished, gpu_stream()));
    gpu_idle();
    gpu_note(cudaEventElapsedTime(&ms, started, finished));
    return ms < 0 ? -1 : (double)ms * 1e-3;
}

unsigned device_unordered(void)
{
    return gpu_order_broken(gpu_stream());
}
