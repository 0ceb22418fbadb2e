/* The peer: Eigen's product of a sparse and a dense matrix, on all threads of OpenMP. */
#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "spmm.h"

extern "C" void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                             const double *val, const double *X, double *Y)
{
    using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Sparse> a(M, N, nnz, row_start, col, val);
    const Eigen::Map<const Dense> x(X, N, K);
    Eigen::Map<Dense>(Y, M, K).noalias() = a * x;
}
