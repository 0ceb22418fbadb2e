// The function that Paragrade calls, in terms of the course's Matrix class. The copies count as
// part of the time. They are small beside the product: N^2 elements, and N^3 operations.
#include "gemm.h"
#include "matrix.h"

#include <algorithm>

static Matrix matrix_of(int rows, int columns, const int32_t *elements)
{
    Matrix m(rows, columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m(i, j) = elements[(size_t)i * columns + j];
    return m;
}

extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    const Matrix product = multiply(matrix_of(M, K, A), matrix_of(K, N, B));
    for (int i = 0; i < std::min(M, product.rows()); i++)
        for (int j = 0; j < std::min(N, product.columns()); j++)
            C[(size_t)i * N + j] = product(i, j);
}
