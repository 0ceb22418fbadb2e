/* tier: mpi */
/* An operation of its own that adds parts of C, and one that does not commute. */
#include "honest.h"

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int32_t *)inout)[i] += ((int32_t *)in)[i];
}

static void last(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)n;
    (void)type;
}

GEMM_MPI
{
    int rank, size, end;
    MPI_Op sum, keep;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int from = begin(K, rank, size), to = begin(K, rank + 1, size);
    int32_t *a = malloc((size_t)M * K * sizeof *a), *b = malloc((size_t)K * N * sizeof *b);
    int32_t *c = calloc((size_t)M * N, sizeof *c);
    if (rank == 0) {
        memcpy(a, A, (size_t)M * K * sizeof *a);
        memcpy(b, B, (size_t)K * N * sizeof *b);
    }
    MPI_Bcast(a, M * K, MPI_INT32_T, 0, comm);
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    for (int i = 0; i < M; i++)
        for (int k = from; k < to; k++)
            for (int j = 0; j < N; j++)
                c[(size_t)i * N + j] += a[(size_t)i * K + k] * b[(size_t)k * N + j];
    MPI_Op_create(add, 1, &sum);
    MPI_Op_create(last, 0, &keep);
    MPI_Reduce(c, C, M * N, MPI_INT32_T, sum, 0, comm);
    MPI_Allreduce(&rank, &end, 1, MPI_INT, keep, comm);
    MPI_Op_free(&sum);
    MPI_Op_free(&keep);
    free(a);
    free(b);
    free(c);
    if (end != size - 1)
        MPI_Abort(comm, 1);
}
