// Interface: __global__ void matmul(const float *A, const float *B, float *C, int n): kernels only,
// one thread for each element, x along the columns.
// Lines: type: f32, kind: cuda, shapes: square
//        compile: nvcc ... --cudart=shared -DPARAGRADE_CUDA -I{abi} -o {out} {src}
#include "gemm.h"

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifndef KERNEL // another type: -DKERNEL=gemm_f64_cuda -DELEMENT=double
#define KERNEL gemm_f32_cuda
#define ELEMENT float
#endif
#ifndef CONST // students without const: #define CONST
#define CONST const
#endif
#ifndef SIDE // of a block
#define SIDE 16
#endif

__global__ void matmul(CONST ELEMENT *A, CONST ELEMENT *B, ELEMENT *C, int n);

extern "C" void KERNEL(int M, int N, int K, const ELEMENT *A, const ELEMENT *B, ELEMENT *C,
                       cudaStream_t stream)
{
    const unsigned blocks = (unsigned)(M + SIDE - 1) / SIDE;
    (void)N, (void)K; // squares: N and K are M
    matmul<<<dim3(blocks, blocks), dim3(SIDE, SIDE), 0, stream>>>((CONST ELEMENT *)A,
                                                                  (CONST ELEMENT *)B, C, M);
}
