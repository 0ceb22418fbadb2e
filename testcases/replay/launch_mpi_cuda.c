/* Several ranks, each with a GPU. Rank 0 has the matrices, in the memory of its GPU. */
#include <mpi.h>

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

/* The ranks of a node take its GPUs in turn. */
static void choose_gpu(void)
{
    MPI_Comm node;
    int here, gpus = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Comm_free(&node);
    check(cudaGetDeviceCount(&gpus), "looking for GPUs");
    check(cudaSetDevice(here % gpus), "choosing a GPU");
}

int launch_begin(int *argc, char ***argv)
{
    int provided, rank;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    choose_gpu();
    return rank == 0;
}

static void *on_device(const void *x, size_t bytes)
{
    void *p = NULL;
    if (!x)
        return NULL; /* of another rank */
    check(cudaMalloc(&p, bytes), "memory on the device");
    check(cudaMemcpy(p, x, bytes, cudaMemcpyHostToDevice), "copying to the device");
    return p;
}

static void back(void *x, void *there, size_t bytes)
{
    if (!there)
        return;
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
        result[o] = on_device(out ? out[o] : NULL, out_bytes[o]);
#else
    ELEMENT *result = (ELEMENT *)on_device(out, sizeof(ELEMENT) * ROWS * COLS);
#endif
    FUNCTION(DIMENSIONS, ARGUMENTS(on_gpu), result, MPI_COMM_WORLD, stream);
    check(cudaGetLastError(), "starting a kernel");
    check(cudaStreamSynchronize(stream), "computing");
#ifdef OUTPUTS
    for (int o = 0; o < OUTPUTS; o++)
        back(out ? out[o] : NULL, result[o], out_bytes[o]);
#else
    back(out, result, sizeof(ELEMENT) * ROWS * COLS);
#endif
    for (int i = 0; i < INPUTS; i++)
        cudaFree((void *)on_gpu[i]);
    cudaStreamDestroy(stream);
}

void launch_end(void)
{
    MPI_Finalize();
}
