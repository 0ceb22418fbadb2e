/* tier: mpi */
/* A structure, indexed and hindexed types, and what they say of themselves. */
#include "honest.h"
#include <stddef.h>

struct header {
    int M, N;
    double weight;
    char name[8];
};

GEMM_MPI
{
    struct header h = {M, N, 0.5, "gemm"};
    MPI_Datatype type, pick, list;
    MPI_Aint low, extent;
    int size;
    MPI_Type_create_struct(
        3, (int[]){2, 1, 8},
        (MPI_Aint[]){0, offsetof(struct header, weight), offsetof(struct header, name)},
        (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&h, 1, type, 0, comm);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, 2}, MPI_INT, &pick);
    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){0, 4}, MPI_INT, &list);
    MPI_Type_commit(&pick);
    MPI_Type_dup(list, &list);
    MPI_Type_commit(&list);
    int three[3] = {1, 2, 3};
    MPI_Bcast(three, 1, pick, 0, comm);
    MPI_Bcast(three, 1, list, 0, comm);
    MPI_Type_free(&type);
    MPI_Type_free(&pick);
    MPI_Type_free(&list);
    if (size != 24 || extent != (MPI_Aint)sizeof h || h.M != M)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
