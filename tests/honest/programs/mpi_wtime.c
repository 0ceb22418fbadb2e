/* tier: mpi */
/* Times its parts with MPI_Wtime and prints them from each rank. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    char name[MPI_MAX_PROCESSOR_NAME];
    int length, version, minor;
    double from = MPI_Wtime(), middle;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    share_B(&s, B, comm);
    middle = MPI_Wtime();
    share_compute(&s);
    double end = MPI_Wtime();
    share_C(&s, C, comm);
    MPI_Get_processor_name(name, &length);
    MPI_Get_version(&version, &minor);
    printf("rank %d on %s: %g s moving, %g s computing, ticks of %g s, MPI %d.%d\n", s.rank, name,
           middle - from, end - middle, MPI_Wtick(), version, minor);
    fflush(stdout);
    share_free(&s);
}
