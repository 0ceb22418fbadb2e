/* tier: mpi */
/* Attributes with keys of its own, those that MPI has, and copy functions. */
#include "honest.h"

static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    free(value);
    return MPI_SUCCESS;
}

GEMM_MPI
{
    static int key = MPI_KEYVAL_INVALID;
    int other, flag, *most;
    void *value;
    MPI_Comm copy;
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_set_attr(copy, key, malloc(16));
    MPI_Comm_set_attr(copy, other, &key);
    MPI_Comm_get_attr(copy, key, &value, &flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag);
    if (!flag || *most < 32767)
        MPI_Abort(comm, 1);
    MPI_Comm_delete_attr(copy, other);
    MPI_Comm_free_keyval(&other);
    MPI_Comm_free(&copy);
    share_all(M, N, K, A, B, C, comm);
}
