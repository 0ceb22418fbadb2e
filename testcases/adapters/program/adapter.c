/* The function that Paragrade calls runs the student's program: its main, under another name for
 * the same symbol. With -Wl,-Bsymbolic, that is the one in this library. The course's load() and
 * save() are replaced: they exchange matrices through memory, because a graded program may not use
 * files. This is C as well as C++, since a compiler of C++ compiles all sources of a C++
 * submission. */
#include "gemm.h"
#include "matrix_io.h"

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
    int
    student_main(int argc, char **argv) __asm__("main");

static struct {
    int rows, columns;
    const int32_t *elements;
} input[2];
static int32_t *output;
static size_t output_elements;

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
    input[0].rows = M, input[0].columns = K, input[0].elements = A;
    input[1].rows = K, input[1].columns = N, input[1].elements = B;
    output = C;
    output_elements = (size_t)M * (size_t)N;
    student_main(4, argv);
}
