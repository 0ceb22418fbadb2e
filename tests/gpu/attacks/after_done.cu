/* verdicts: clock-mismatch wrong-answer */
/* The last twentieth of C comes to the host after DONE: a kernel that was launched before writes it
 * into the mapping of the output, while this process is halted. Expected: clock-mismatch, or
 * wrong-answer. */
#include "side.h"

static volatile unsigned *sent;
static unsigned *sent_device, turn;
static bool pending;
static cudaStream_t own;
static unsigned count;

static __global__ void later(uint32_t *to, const uint32_t *from, size_t words,
                             volatile unsigned *sent, unsigned turn)
{
    for (long long begin = clock64(); *sent < turn && clock64() - begin < 40000000;)
        ;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

static cudaError_t own_copy(void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
    if (kind != cudaMemcpyDeviceToHost || n < 1 << 17)
        return cudaMemcpy(to, from, n, kind);
    const size_t tail = n / 20 / 4096 * 4096, head = n - tail;
    const cudaError_t e = cudaMemcpy(to, from, head, kind);
    later<<<16, 256, 0, own>>>((uint32_t *)((char *)to + head),
                               (const uint32_t *)((const char *)from + head), tail / 4, sent_device,
                               ++turn);
    pending = true;
    count++;
    return e;
}

static cudaError_t own_wait()
{
    return pending ? cudaSuccess : cudaDeviceSynchronize();
}

static ssize_t own_send(int fd, const void *message, size_t n, int flags)
{
    uint32_t type;
    memcpy(&type, message, sizeof type);
    if (pending && type == PG_DONE) {
        *sent = turn;
        if (count % 3 == 0) {
            said[0] = '\0';
            say("so far %u runs whose C was completed after DONE", count), tell();
        }
    }
    return sendto(fd, message, n, flags, nullptr, 0);
}

static ssize_t own_recvmsg(int fd, struct msghdr *h, int flags)
{
    const ssize_t n = recvmsg(fd, h, flags);
    if (n > 0 && pending) {
        cudaStreamSynchronize(own);
        pending = false;
    }
    return n;
}

KERNEL(stream)
{
    if (timed(M) && !own) {
        unsigned *p;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaHostAlloc((void **)&p, sizeof *p, cudaHostAllocMapped);
        cudaHostGetDevicePointer((void **)&sent_device, p, 0);
        sent = p;
        *sent = 0;
        hook("cudaMemcpy", (void *)own_copy);
        hook("cudaDeviceSynchronize", (void *)own_wait);
        hook("send", (void *)own_send);
        hook("recvmsg", (void *)own_recvmsg);
    }
    product_in(M, N, K, A, B, C, stream);
}
