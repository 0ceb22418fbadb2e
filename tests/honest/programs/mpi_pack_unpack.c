/* tier: mpi */
/* Shape and rows packed into one message. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_B(&s, B, comm);
    int a, b, at = 0, deep = K;
    for (int r = 1; r < s.size; r++) {
        int from = begin(M, r, s.size), n = (begin(M, r + 1, s.size) - from) * K;
        MPI_Pack_size(1, MPI_INT, comm, &a);
        MPI_Pack_size(n, MPI_INT32_T, comm, &b);
        char *buffer = malloc((size_t)a + b);
        if (s.rank == 0) {
            at = 0;
            MPI_Pack(&deep, 1, MPI_INT, buffer, a + b, &at, comm);
            MPI_Pack(A + (size_t)from * K, n, MPI_INT32_T, buffer, a + b, &at, comm);
            MPI_Send(buffer, at, MPI_PACKED, r, 6, comm);
        } else if (s.rank == r) {
            MPI_Recv(buffer, a + b, MPI_PACKED, 0, 6, comm, MPI_STATUS_IGNORE);
            MPI_Unpack(buffer, a + b, &at, &deep, 1, MPI_INT, comm);
            MPI_Unpack(buffer, a + b, &at, s.A, n, MPI_INT32_T, comm);
        }
        free(buffer);
    }
    if (s.rank == 0)
        memcpy(s.A, A, (size_t)s.to * K * sizeof *A);
    share_compute(&s);
    share_C(&s, C, comm);
    share_free(&s);
}
