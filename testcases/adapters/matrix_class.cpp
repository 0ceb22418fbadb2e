// Interface: Matrix matrix_multiply(const Matrix &, const Matrix &), with a class Matrix.
// Lines: with: [matrix.cpp] (the students' sources of the class, with load and save, if there are)
//        compile_cxx: g++ ... -Wl,-Bsymbolic -I{abi} -o {out} {src}
#include "gemm.h"

#include <algorithm>

#if __has_include("matrix.hpp")
#include "matrix.hpp"
#elif __has_include("matrix.h")
#include "matrix.h"
#endif
#if __has_include("adapter_names.h")
#include "adapter_names.h"
#elif !__has_include("matrix.hpp") && !__has_include("matrix.h")
#error "no matrix.hpp or matrix.h: it has another name, or `directory: src` needs -I{dir}/src"
#endif
#undef M // headers of students may define these
#undef N
#undef K

#ifndef KERNEL // another type: -DKERNEL=gemm_f64 -DELEMENT=double
#define KERNEL gemm_i32
#define ELEMENT int32_t
#endif

// How the class is used. Other classes: change these lines, or define them in adapter_names.h.
#ifndef NEW_MATRIX
#define NEW_MATRIX(rows, columns) Matrix(rows, columns)
#endif
#ifndef ROWS
#define ROWS(m) m.getRows()
#define COLUMNS(m) m.getCols()
#endif
#ifndef AT
#define AT(m, i, j) m[i][j]
#endif
#ifndef PRODUCT // a * b, a.multiply(b) ...
#define PRODUCT(a, b) matrix_multiply(a, b)
Matrix matrix_multiply(const Matrix &a, const Matrix &b);
#endif

static Matrix matrix_of(int rows, int columns, const ELEMENT *elements)
{
    Matrix m = NEW_MATRIX(rows, columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            AT(m, i, j) = elements[(size_t)i * columns + j];
    return m;
}

// The copies count as part of the time. They are small beside the product: N^2 elements, and N^3
// operations.
extern "C" void KERNEL(int M, int N, int K, const ELEMENT *A, const ELEMENT *B, ELEMENT *C)
{
    const Matrix a = matrix_of(M, K, A), b = matrix_of(K, N, B);
    Matrix product = PRODUCT(a, b);
    const int rows = std::min<int>(M, ROWS(product)), columns = std::min<int>(N, COLUMNS(product));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            C[(size_t)i * N + j] = AT(product, i, j);
}
