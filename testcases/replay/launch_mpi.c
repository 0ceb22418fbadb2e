/* Several ranks. Rank 0 has the matrices. */
#include <mpi.h>

#include "launch.h"

int launch_begin(int *argc, char ***argv)
{
    int provided, rank;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

void launch_call(const void *const in[], ELEMENT *out)
{
    FUNCTION(DIMENSIONS, ARGUMENTS(in), out, MPI_COMM_WORLD);
}

void launch_end(void)
{
    MPI_Finalize();
}
