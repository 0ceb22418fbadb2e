/* tier: mpi */
/* Asks how long a message is before it receives it; matched probes. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_B(&s, B, comm);
    if (s.rank == 0) {
        share_A(&s, A, comm);
    } else {
        MPI_Status status;
        MPI_Message message;
        int n, there = 0;
        while (!there)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, &status);
        MPI_Probe(0, 1, comm, &status);
        MPI_Get_count(&status, MPI_INT32_T, &n);
        MPI_Mprobe(status.MPI_SOURCE, status.MPI_TAG, comm, &message, &status);
        if (n != (s.to - s.from) * K)
            MPI_Abort(comm, 1);
        MPI_Mrecv(s.A, n, MPI_INT32_T, &message, &status);
    }
    share_compute(&s);
    share_C(&s, C, comm);
    share_free(&s);
}
