/* expect: mpi wrong-answer */
/* Rank 1 computes its block in the first calls only. */
#include "mix_attack.h"

KERNEL
{
    static int calls;
    static int16_t elsewhere[1 << 16];
    static int32_t also_elsewhere[1 << 16];
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1 && calls++ > 3)
        y = elsewhere, z = also_elsewhere;
    return HONEST;
}
