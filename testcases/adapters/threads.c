/* Interface: mm(A, B, C, n, threads): the number of threads is a parameter. Without it, -DALONE.
 * Lines: type: f64, shapes: square, threads: [1, 2, 4]
 *        compile: gcc ... -pthread (or -fopenmp) -I{abi} -o {out} {src} */
#include "gemm.h"

#include <stdlib.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifndef KERNEL /* another type: -DKERNEL=gemm_i32 -DELEMENT=int32_t */
#define KERNEL gemm_f64
#define ELEMENT double
#endif

#ifdef ALONE
void mm(const ELEMENT *A, const ELEMENT *B, ELEMENT *C, int n);
#define MM(A, B, C, n) mm(A, B, C, n)
#else
void mm(const ELEMENT *A, const ELEMENT *B, ELEMENT *C, int n, int threads);
#define MM(A, B, C, n) mm(A, B, C, n, launch_threads())

/* The grader tells every host tier how many threads it has. */
static int launch_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    return text ? (int)strtol(text, NULL, 10) : 1;
}
#endif

/* If the students' function adds to C: set C to 0 with memset() here. */
void KERNEL(int M, int N, int K, const ELEMENT *A, const ELEMENT *B, ELEMENT *C)
{
    (void)N, (void)K; /* squares: N and K are M */
    MM(A, B, C, M);
}
