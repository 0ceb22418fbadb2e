/* tier: mpi */
/* Columns of B and C as vectors, resized types and subarrays. */
#include "honest.h"

GEMM_MPI
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int from = begin(N, rank, size), wide = begin(N, rank + 1, size) - from;
    int32_t *a = malloc((size_t)M * K * sizeof *a), *b = malloc((size_t)K * (wide + 1) * sizeof *b);
    int32_t *c = malloc((size_t)M * (wide + 1) * sizeof *c);
    if (rank == 0)
        memcpy(a, A, (size_t)M * K * sizeof *a);
    MPI_Bcast(a, M * K, MPI_INT32_T, 0, comm);
    if (rank == 0) {
        for (int r = size - 1; r >= 0; r--) {
            int at = begin(N, r, size), w = begin(N, r + 1, size) - at;
            MPI_Datatype strip;
            MPI_Type_vector(K, w, N, MPI_INT32_T, &strip);
            MPI_Type_commit(&strip);
            if (r > 0)
                MPI_Send(B + at, w > 0, strip, r, 1, comm);
            else
                MPI_Sendrecv(B, w > 0, strip, 0, 1, b, K * w, MPI_INT32_T, 0, 1, comm,
                             MPI_STATUS_IGNORE);
            MPI_Type_free(&strip);
        }
    } else {
        MPI_Recv(b, K * wide, MPI_INT32_T, 0, 1, comm, MPI_STATUS_IGNORE);
    }
    rows(0, M, wide, K, a, b, c);
    MPI_Request r = MPI_REQUEST_NULL;
    if (rank > 0)
        MPI_Isend(c, M * wide, MPI_INT32_T, 0, 2, comm, &r);
    for (int q = 0; rank == 0 && q < size; q++) {
        int at = begin(N, q, size), w = begin(N, q + 1, size) - at;
        if (w == 0) {
            if (q > 0)
                MPI_Recv(c, 0, MPI_INT32_T, q, 2, comm, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Datatype block, resized;
        MPI_Type_create_subarray(2, (int[]){M, N}, (int[]){M, w}, (int[]){0, at}, MPI_ORDER_C,
                                 MPI_INT32_T, &block);
        MPI_Type_create_resized(block, 0, sizeof *C, &resized);
        MPI_Type_commit(&resized);
        if (q > 0)
            MPI_Recv(C, 1, resized, q, 2, comm, MPI_STATUS_IGNORE);
        else
            MPI_Sendrecv(c, M * w, MPI_INT32_T, 0, 3, C, 1, resized, 0, 3, comm, MPI_STATUS_IGNORE);
        MPI_Type_free(&block);
        MPI_Type_free(&resized);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    free(a);
    free(b);
    free(c);
}
