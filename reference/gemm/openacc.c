/*
 * openacc: the definition, and one directive. The two outer loops become one loop over all elements
 * of C; its iterations are dealt out to gangs (thread blocks) and, inside a gang, to the lanes of a
 * vector (a warp), neighbours to neighbours: 32 lanes read 32 neighbouring elements of a row of B,
 * and all the same element of A. The loop over k stays sequential in every lane, with its sum in a
 * register.
 *
 * `present`: the caller has put the matrices on the device, nothing is copied here.
 *
 * build  gcc -std=c11 -O3 -fwrapv -fopenacc -DPARAGRADE_OPENACC -fPIC -shared -I<abi>
 *        -o openacc.so openacc.c
 *        (for a device, also -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80)
 * run    paragrade check --tier openacc reference/gemm
 */
#include "element.h"
#include "gemm.h"

#include <stddef.h>

void GEMM_ACC(int M, int N, int K, const element *A, const element *B, element *C)
{
    size_t m = (size_t)M, n = (size_t)N, depth = (size_t)K;
#pragma acc parallel loop gang vector collapse(2)                                                  \
    present(A [0:m * depth], B [0:depth * n], C [0:m * n])
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            element sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += A[i * depth + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
    }
}
