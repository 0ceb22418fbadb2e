/* The peer: Eigen's dense product of 32-bit integers, one core, AVX2. */
#include <Eigen/Dense>
#include <cstdint>

extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    using Matrix = Eigen::Matrix<int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<const Matrix> a(A, M, K), b(B, K, N);
    Eigen::Map<Matrix>(C, M, N).noalias() = a * b;
}
