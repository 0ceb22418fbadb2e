/* tier: mpi */
/* Rows by Scatterv and Gatherv, shares of different sizes. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_B(&s, B, comm);
    MPI_Datatype row, result;
    MPI_Type_contiguous(K, MPI_INT32_T, &row);
    MPI_Type_contiguous(N, MPI_INT32_T, &result);
    MPI_Type_commit(&row);
    MPI_Type_commit(&result);
    int *count = malloc(2 * s.size * sizeof *count), *at = count + s.size;
    for (int r = 0; r < s.size; r++) {
        at[r] = begin(M, r, s.size);
        count[r] = begin(M, r + 1, s.size) - at[r];
    }
    MPI_Scatterv(A, count, at, row, s.A, count[s.rank], row, 0, comm);
    share_compute(&s);
    MPI_Gatherv(s.C, count[s.rank], result, C, count, at, result, 0, comm);
    MPI_Type_free(&row);
    MPI_Type_free(&result);
    share_free(&s);
    free(count);
}
