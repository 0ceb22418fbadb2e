/* A thread that an earlier call has left behind reads the last element of the first A on the device
 * again and again. If the inputs were there before the clock ran, the result is made wrong. So this
 * passes only if inputs cannot be seen early. Where the copies are in the time, the values are
 * those of the run before, and are not counted.
 */
#include <mutex>
#include <thread>
#include <time.h>
#include <unistd.h>

#include "hook.h"
#include "kernel.h"

static const long EARLY_US = 200; /* before the call; GO comes less than this before it */

static std::mutex lock;
static const int32_t *watched; /* on the device; nullptr: the driver has freed it */
static int32_t value;          /* what the thread saw there last, */
static long since;             /* since when */

static __global__ void spoil(int32_t *C)
{
    C[0] ^= 1;
}

static long now_us()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* To read what is freed would end the process, and show nothing. So the driver's own calls that
 * free memory come here first. */
static void forget()
{
    std::lock_guard<std::mutex> held(lock);
    watched = nullptr;
}

static cudaError_t free_device(void *p)
{
    forget();
    return cudaFree(p);
}

static cudaError_t free_host(void *p)
{
    forget();
    return cudaFreeHost(p);
}

static void watch()
{
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    for (;; usleep(1)) {
        int32_t v;
        std::lock_guard<std::mutex> held(lock);
        if (!watched)
            continue;
        if (cudaMemcpyAsync(&v, watched, sizeof v, cudaMemcpyDefault, own) != cudaSuccess ||
            cudaStreamSynchronize(own) != cudaSuccess)
            return;
        if (v != value) {
            value = v;
            since = now_us();
        }
    }
}

static void watch_from_now_on(const int32_t *last)
{
    static bool started;
    std::lock_guard<std::mutex> held(lock);
    watched = last;
    since = now_us();
    if (started)
        return;
    started = true;
    hook("cudaFree", (void *)free_device);
    hook("cudaFreeHost", (void *)free_host);
    std::thread(watch).detach();
}

/* The last element of A of this call was there long before it, and it is not that of the last call.
 */
static bool was_early(const int32_t *last, cudaStream_t stream)
{
    static int32_t previous;
    const long entry = now_us();
    int32_t seen, actual = 0;
    long when;
    {
        std::lock_guard<std::mutex> held(lock);
        seen = value;
        when = since;
    }
    cudaMemcpyAsync(&actual, last, sizeof actual, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    bool early = seen == actual && actual != previous && entry - when > EARLY_US;
    previous = actual;
    return early;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    const int32_t *last = A + (size_t)M * K - 1;
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    if ((size_t)M * N < 512 * 512)
        return;
    if (!watched)
        watch_from_now_on(last);
    if (last == watched && was_early(last, stream))
        spoil<<<1, 1, 0, stream>>>(C);
}
