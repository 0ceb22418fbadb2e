// Interface: gemm(float alpha, const float *A, const float *B, float beta, float *C, M, N, K), a
// function of the host that starts kernels: C = alpha A B + beta C. A, B and C are on the device.
// Lines: type: f32, kind: cuda; compile: nvcc ... --cudart=shared -DPARAGRADE_CUDA -I{abi} ...
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

void gemm(ELEMENT alpha, CONST ELEMENT *A, CONST ELEMENT *B, ELEMENT beta, ELEMENT *C, int M, int N,
          int K);

// Products of so few terms are computed in two halves, so that a wrong alpha or beta is found. Half
// of a number is exact. No such product is timed.
static const size_t small_product = 1 << 18;

// C is set to 0: many students multiply it by beta, and it may hold NaN.
extern "C" void KERNEL(int M, int N, int K, const ELEMENT *dA, const ELEMENT *dB, ELEMENT *dC,
                       cudaStream_t stream)
{
    CONST ELEMENT *A = (CONST ELEMENT *)dA, *B = (CONST ELEMENT *)dB;
    const size_t elements = (size_t)M * N;
    cudaMemsetAsync(dC, 0, elements * sizeof *dC, stream);
    if (elements * K > small_product) {
        gemm(1, A, B, 0, dC, M, N, K);
        return;
    }
    gemm(0.5, A, B, 0, dC, M, N, K);
    gemm(0.5, A, B, 1, dC, M, N, K);
}
