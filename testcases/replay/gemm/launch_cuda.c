/* One process and one GPU. The function gets matrices in the memory of the GPU, and a stream. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch.h"

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s (%s)\n", what, cudaGetErrorString(error), cudaGetErrorName(error));
    exit(1);
}

int launch_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 1;
}

static ELEMENT *on_device(const ELEMENT *x, size_t bytes)
{
    void *p = NULL;
    check(cudaMalloc(&p, bytes), "memory on the device");
    check(cudaMemcpy(p, x, bytes, cudaMemcpyHostToDevice), "copying to the device");
    return (ELEMENT *)p;
}

void launch_call(const ELEMENT *A, const ELEMENT *B, ELEMENT *C)
{
    const size_t c = sizeof(ELEMENT) * M * N;
    ELEMENT *dA = on_device(A, sizeof(ELEMENT) * M * K);
    ELEMENT *dB = on_device(B, sizeof(ELEMENT) * K * N);
    ELEMENT *dC = on_device(C, c);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream), "a stream");
    FUNCTION(M, N, K, dA, dB, dC, stream);
    check(cudaGetLastError(), "starting a kernel");
    check(cudaStreamSynchronize(stream), "computing");
    check(cudaMemcpy(C, dC, c, cudaMemcpyDeviceToHost), "copying from the device");
    cudaStreamDestroy(stream);
    cudaFree(dC);
    cudaFree(dB);
    cudaFree(dA);
}

void launch_end(void)
{
}
