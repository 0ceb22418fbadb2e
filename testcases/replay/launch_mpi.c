/* Several ranks. Rank 0 has the matrices, unless the exercise gives some to all ranks. */
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

#ifdef SPREAD
void launch_ranks(int *rank, int *ranks)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

int launch_any(int failed)
{
    int any;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}
#endif
