/* verdicts: pass */
/* says: it kept the GPU busy [1-9] */
/* All of the GPU moves data as long as this process is halted: so the yardstick, and what is known
 * of copies, become slow. Expected: no larger speed-up than `honest`. */
#include "side.h"

static cudaStream_t own;
static volatile unsigned *stop;
static unsigned *stop_device, turn, hogged;
static uint4 *data;
static bool hogs;
static uint32_t steps;
static const size_t WORDS = (size_t)1 << 26;

static __global__ void hog(uint4 *p, size_t n, volatile unsigned *ended, unsigned turn)
{
    for (long long from = clock64(); *ended < turn && clock64() - from < 4000000000;)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n / 8;
             i += (size_t)gridDim.x * blockDim.x)
            p[i].x += p[n - 1 - i].y + 1;
}

static ssize_t own_send(int fd, const void *message, size_t n, int flags)
{
    uint32_t type;
    memcpy(&type, message, sizeof type);
    if (!hogs && (type == PG_READY || (type == PG_DONE && steps & PG_DOWNLOAD))) {
        hogs = true;
        hog<<<1056, 256, 0, own>>>(data, WORDS, stop_device, ++turn);
        if (++hogged % 5 == 0) {
            said[0] = '\0';
            say("it kept the GPU busy %u times", hogged), tell();
        }
    }
    return sendto(fd, message, n, flags, nullptr, 0);
}

static ssize_t own_recvmsg(int fd, struct msghdr *h, int flags)
{
    const ssize_t n = recvmsg(fd, h, flags);
    pg_go g;
    if (n > 0 && hogs) {
        *stop = turn;
        cudaStreamSynchronize(own);
    }
    hogs = hogs && n <= 0;
    memcpy(&g, h->msg_iov->iov_base, sizeof g);
    if (n == (ssize_t)sizeof g && g.type == PG_GO)
        steps = g.steps;
    return n;
}

KERNEL(stream)
{
    if (!own && timed(M)) {
        unsigned *p;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaMalloc(&data, WORDS * sizeof *data);
        cudaHostAlloc((void **)&p, sizeof *p, cudaHostAllocMapped);
        cudaHostGetDevicePointer((void **)&stop_device, p, 0);
        stop = p;
        *stop = 0;
        hook("send", (void *)own_send);
        hook("recvmsg", (void *)own_recvmsg);
    }
    product_in(M, N, K, A, B, C, stream);
}
