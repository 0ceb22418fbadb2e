/* Interface: void multiply(void), with global arrays double A[N][N], B[N][N], C[N][N].
 * Lines: type: f64, allow: [standard, dladdr1], sizes of correctness and performance at most N
 *        compile: gcc ... -Wl,-Bsymbolic -I{abi} -o {out} {src} */
#define _GNU_SOURCE /* dladdr1 */
#include "gemm.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifndef KERNEL /* another type: -DKERNEL=gemm_i32 -DELEMENT=int32_t */
#define KERNEL gemm_f64
#define ELEMENT double
#endif

/* The students' N: the table of symbols has the sizes of the arrays. The arrays must not be
 * static. */
extern ELEMENT A[], B[], C[];
void multiply(void);

/* The n of an array of n x n elements. */
static size_t length_of(const char *name, const ELEMENT *array)
{
    Dl_info where;
    const ElfW(Sym) *symbol = NULL;
    size_t n = 0;
    if (dladdr1(array, &where, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
        while ((n + 1) * (n + 1) * sizeof *array <= symbol->st_size)
            n++;
    if (!symbol || n * n * sizeof *array != symbol->st_size) {
        fprintf(stderr, "the array %s is not a square of elements of %zu bytes\n", name,
                sizeof *array);
        abort();
    }
    return n;
}

/* The matrix becomes the upper left corner of the array, and the rest is 0. So the product of the
 * arrays has the product of the matrices there, whatever the size of the matrices is. */
static void fill(const char *name, ELEMENT *array, int rows, int columns, const ELEMENT *matrix)
{
    const size_t n = length_of(name, array);
    if ((size_t)rows > n || (size_t)columns > n) {
        fprintf(stderr, "the array %s has %zu x %zu elements; this case needs %d x %d\n", name, n,
                n, rows, columns);
        abort();
    }
    memset(array, 0, n * n * sizeof *array);
    for (int i = 0; matrix && i < rows; i++)
        memcpy(array + (size_t)i * n, matrix + (size_t)i * (size_t)columns,
               (size_t)columns * sizeof *array);
}

void KERNEL(int M, int N, int K, const ELEMENT *a, const ELEMENT *b, ELEMENT *c)
{
    fill("A", A, M, K, a);
    fill("B", B, K, N, b);
    fill("C", C, M, N, NULL);
    multiply();
    const size_t n = length_of("C", C);
    for (int i = 0; i < M; i++)
        memcpy(c + (size_t)i * (size_t)N, C + (size_t)i * n, (size_t)N * sizeof *c);
}
