/* tier: mpi */
/* Info objects and memory from MPI_Alloc_mem. */
#include "honest.h"

GEMM_MPI
{
    MPI_Info info;
    int keys, flag;
    char text[64];
    int32_t *copy;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Info_get_nkeys(info, &keys);
    MPI_Info_get(info, "alloc_shared_noncontig", 63, text, &flag);
    MPI_Alloc_mem((MPI_Aint)K * N * sizeof *copy, info, &copy);
    MPI_Info_free(&info);
    if (!flag || keys != 1)
        MPI_Abort(comm, 1);
    if (B)
        memcpy(copy, B, (size_t)K * N * sizeof *copy);
    share_all(M, N, K, A, copy, C, comm);
    MPI_Free_mem(copy);
}
