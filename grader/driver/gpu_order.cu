#include "driver/gpu_order.h"

#include <time.h>

#include "abi/mask.h"

enum {
    WORDS = 256,      /* of an output */
    LOOKED_MOST = 64, /* calls of a run */
    LOOKED_USUAL = 4  /* of them, on average: each takes the device one or two microseconds */
};

static struct call {
    const uint32_t *out;
    uint64_t words;
    uint64_t key;
} looked[LOOKED_MOST];
static unsigned looked_count, calls_of_run;
static uint64_t state;
/* On the device: WORDS of each call, then the count of calls that changed, then a word that nobody
 * reads. */
static uint32_t *seen;
enum { COUNT = LOOKED_MOST * WORDS, UNREAD, ALL };

static __device__ uint32_t word_of(const struct call *c)
{
    return __ldcv(c->out + pg_mix(c->key + threadIdx.x) % c->words);
}

static __global__ void look(struct call c, uint32_t *seen)
{
    seen[threadIdx.x] = word_of(&c);
}

static __global__ void compare(struct call c, const uint32_t *seen, uint32_t *changed)
{
    if (__syncthreads_or(seen[threadIdx.x] != word_of(&c)) && threadIdx.x == 0)
        ++*changed;
}

extern "C" cudaError_t gpu_order_init(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return cudaMalloc(&seen, ALL * sizeof *seen);
}

extern "C" void gpu_order_begin(unsigned calls)
{
    looked_count = 0;
    calls_of_run = calls;
}

extern "C" void gpu_order_called(const uint32_t *out, uint64_t words, cudaStream_t stream)
{
    state = pg_mix(state + 0x9e3779b97f4a7c15u);
    if (looked_count == LOOKED_MOST || state % calls_of_run >= LOOKED_USUAL)
        return;
    const struct call c = {out, words, state};
    look<<<1, WORDS, 0, stream>>>(c, seen + looked_count * WORDS);
    looked[looked_count++] = c;
}

extern "C" cudaError_t gpu_order_separate(cudaStream_t stream)
{
    return cudaMemsetAsync(seen + UNREAD, 0, sizeof *seen, stream);
}

extern "C" unsigned gpu_order_broken(cudaStream_t stream)
{
    uint32_t count = 0, *changed = seen + COUNT;
    if (looked_count == 0 || cudaMemsetAsync(changed, 0, sizeof *changed, stream) != cudaSuccess)
        return 0;
    for (unsigned i = 0; i < looked_count; i++)
        compare<<<1, WORDS, 0, stream>>>(looked[i], seen + i * WORDS, changed);
    looked_count = 0;
    if (cudaMemcpyAsync(&count, changed, sizeof count, cudaMemcpyDeviceToHost, stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(stream) != cudaSuccess)
        return 0;
    return count;
}
