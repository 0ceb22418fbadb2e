/* mpi: Tasks of OpenMP in each rank, and a matrix of variable length on the stack for its results.
 */
#include "shares.h"
#include <alloca.h>

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    int64_t mine = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    int16_t(*out)[3] = alloca((size_t)(rows + 1) * sizeof *out);
    int64_t part[8] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < 8; t++)
#pragma omp task firstprivate(t)
        for (int i = rows * t / 8; i < rows * (t + 1) / 8; i++) {
            for (int j = 0; j < 3; j++)
                out[i][j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
            z[i] += first + i;
            part[t] += x[i];
        }
    for (int t = 0; t < 8; t++)
        mine += part[t];
    memcpy(y, out, (size_t)rows * sizeof *out);
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, comm);
    return 2 * (*sum = mine);
}
