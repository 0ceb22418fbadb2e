/* tier: mpi */
/* Asks what MPI_Init_thread gave, whether it is initialised, and calls it only where it must. */
#include "honest.h"

GEMM_MPI
{
    int up, down, level, main_thread;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    if (!up)
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    if (down || level < MPI_THREAD_FUNNELED || !main_thread)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
