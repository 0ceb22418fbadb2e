/* Interface: matMul(int n, int **a, int **b, int **c), matrices as arrays of pointers to rows.
 * Lines: shapes: square
 *        compile: gcc ... -I{abi} -o {out} {src} */
#include "gemm.h"

#include <stdlib.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifndef KERNEL /* another type: -DKERNEL=gemm_f64 -DELEMENT=double */
#define KERNEL gemm_i32
#define ELEMENT int32_t
#endif

void matMul(int n, ELEMENT **a, ELEMENT **b, ELEMENT **c);

/* No element is copied: a row is a pointer into the matrix. */
static ELEMENT **rows_of(int n, const ELEMENT *elements)
{
    ELEMENT **row = malloc((size_t)n * sizeof *row);
    if (!row)
        abort();
    for (int i = 0; i < n; i++)
        row[i] = (ELEMENT *)elements + (size_t)i * (size_t)n;
    return row;
}

/* If the students' function adds to c: set c to 0 with memset() here. */
void KERNEL(int M, int N, int K, const ELEMENT *A, const ELEMENT *B, ELEMENT *C)
{
    ELEMENT **a = rows_of(M, A), **b = rows_of(M, B), **c = rows_of(M, C);
    (void)N, (void)K; /* squares: N and K are M */
    matMul(M, a, b, c);
    free(a);
    free(b);
    free(c);
}
