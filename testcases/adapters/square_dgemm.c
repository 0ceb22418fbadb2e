/* Interface: square_dgemm(int n, double *A, double *B, double *C), C += A B, in column-major order.
 * Lines: type: f64, shapes: square
 *        compile: gcc ... -I{abi} -o {out} {src} */
#include "gemm.h"

#include <string.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifdef __cplusplus /* a compiler of C++ compiles all sources of a C++ submission */
void square_dgemm(int n, double *A, double *B, double *C);
#else
void square_dgemm(); /* the students' may have const */
#endif

/* What is A in row-major order is the transpose of A in column-major order, and the transpose of
 * A B is that of B times that of A. So nothing is copied. In messages about wrong elements, the
 * students' C[i][j] is C[j][i]. Students with row-major order: exchange A and B in the call. */
void gemm_f64(int M, int N, int K, const double *A, const double *B, double *C)
{
    (void)N, (void)K; /* squares: N and K are M */
    memset(C, 0, sizeof *C * (size_t)M * (size_t)M);
    square_dgemm(M, (double *)B, (double *)A, C);
}
