/* Interface: a program whose main calls the course's load() and save(). This file replaces them.
 * Lines: the students' file with load() and save() is neither in sources nor in with
 *        compile: gcc ... -Wl,-Bsymbolic,--wrap=exit -I{abi} -o {out} {src} */
#include "gemm.h"
#include "program.h"

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif
#include "matrix_io.h" /* the course's header, in the submission */

/* Matrices pass through memory: a graded program may not write files. */
static struct {
    int rows, columns;
    const int32_t *elements;
} input[2];
static int32_t *output;
static size_t output_elements;

/* This is C as well as C++: a compiler of C++ compiles all sources of a C++ submission. */
int *load(const char *file, int *rows, int *columns)
{
    const int i = strcmp(file, "B.txt") == 0;
    const size_t bytes = sizeof(int) * (size_t)input[i].rows * (size_t)input[i].columns;
    int *copy = (int *)malloc(bytes);
    if (!copy)
        abort();
    *rows = input[i].rows;
    *columns = input[i].columns;
    memcpy(copy, input[i].elements, bytes);
    return copy;
}

void save(const char *file, int rows, int columns, const int *elements)
{
    const size_t n = (size_t)rows * (size_t)columns;
    (void)file;
    memcpy(output, elements, sizeof(int) * (n < output_elements ? n : output_elements));
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    char name[] = "product", a[] = "A.txt", b[] = "B.txt", c[] = "C.txt";
    char *argv[] = {name, a, b, c, NULL};
    program_reset();
    input[0].rows = M, input[0].columns = K, input[0].elements = A;
    input[1].rows = K, input[1].columns = N, input[1].elements = B;
    output = C;
    output_elements = (size_t)M * (size_t)N;
    program_run(4, argv);
}
