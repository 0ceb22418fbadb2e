/* The other GPU reads A and B and writes C where they are, over NVLink or PCIe; its own streams and
 * memory pools are not used. Where GPUs are no peers, the first one does all. */
#include "halves.h"

KERNEL(stream)
{
    static int can = -1;
    if (one(M, N, K, A, B, C, stream))
        return;
    if (can < 0)
        cudaDeviceCanAccessPeer(&can, gpus - 1, 0);
    if (!can) {
        product_in(M, N, K, A, B, C, stream);
        return;
    }
    const int rows = M / 2;
    cudaEventRecord(begin, stream);
    cudaSetDevice(gpus - 1);
    cudaStreamWaitEvent(own, begin, 0);
    product_in(M - rows, N, K, A + (size_t)rows * K, B, C + (size_t)rows * N, own);
    cudaEventRecord(done, own);
    cudaSetDevice(0);
    product_in(rows, N, K, A, B, C, stream);
    cudaStreamWaitEvent(stream, done, 0);
}
