/* Two streams of its own, forked from the given one and joined by events. */
#include "kernel.h"

KERNEL(stream)
{
    static cudaStream_t own[2];
    static cudaEvent_t start, end[2];
    if (!start) {
        cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
        for (int i = 0; i < 2; i++) {
            cudaStreamCreateWithFlags(&own[i], cudaStreamNonBlocking);
            cudaEventCreateWithFlags(&end[i], cudaEventDisableTiming);
        }
    }
    dim3 block(32, 8);
    cudaEventRecord(start, stream);
    for (int i = 0; i < 2; i++) {
        int from = i * (M / 2), m = i ? M - from : M / 2;
        cudaStreamWaitEvent(own[i], start, 0);
        if (m > 0)
            plain<<<grid(m, N, block), block, 0, own[i]>>>(m, N, K, A + (size_t)from * K, B,
                                                           C + (size_t)from * N);
        cudaEventRecord(end[i], own[i]);
        cudaStreamWaitEvent(stream, end[i], 0);
    }
}
