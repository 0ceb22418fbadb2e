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

static void *on_device(const void *x, size_t bytes)
{
    void *p = NULL;
    check(cudaMalloc(&p, bytes), "memory on the device");
    check(cudaMemcpy(p, x, bytes, cudaMemcpyHostToDevice), "copying to the device");
    return p;
}

static void back(void *x, void *there, size_t bytes)
{
    check(cudaMemcpy(x, there, bytes, cudaMemcpyDeviceToHost), "copying from the device");
    cudaFree(there);
}

void launch_call(const void *const in[], ELEMENT *out)
{
    static const size_t bytes[INPUTS] = INPUT_BYTES;
    const void *on_gpu[INPUTS];
    cudaStream_t stream;
    check(cudaStreamCreate(&stream), "a stream");
    for (int i = 0; i < INPUTS; i++)
        on_gpu[i] = on_device(in[i], bytes[i]);
#ifdef OUTPUTS /* of a kernel in a file */
    static const size_t out_bytes[OUTPUTS] = OUTPUT_BYTES;
    void *result[OUTPUTS];
    for (int o = 0; o < OUTPUTS; o++)
        result[o] = on_device(out[o], out_bytes[o]);
#else
    ELEMENT *result = (ELEMENT *)on_device(out, sizeof(ELEMENT) * ROWS * COLS);
#endif
    FUNCTION(DIMENSIONS, ARGUMENTS(on_gpu), result, stream);
    check(cudaGetLastError(), "starting a kernel");
    check(cudaStreamSynchronize(stream), "computing");
#ifdef OUTPUTS
    for (int o = 0; o < OUTPUTS; o++)
        back(out[o], result[o], out_bytes[o]);
#else
    back(out, result, sizeof(ELEMENT) * ROWS * COLS);
#endif
    for (int i = 0; i < INPUTS; i++)
        cudaFree((void *)on_gpu[i]);
    cudaStreamDestroy(stream);
}

void launch_end(void)
{
}
