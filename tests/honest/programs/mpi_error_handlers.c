/* tier: mpi */
/* Errors returned and handled, on purpose: a rank that is not there. */
#include "honest.h"

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled += *code != MPI_SUCCESS;
}

GEMM_MPI
{
    MPI_Comm copy;
    MPI_Errhandler own, before;
    char text[MPI_MAX_ERROR_STRING];
    int length, class, value = 0, error;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_errhandler(copy, &before);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    error = MPI_Send(&value, 1, MPI_INT, 12345, 0, copy);
    MPI_Error_string(error, text, &length);
    MPI_Error_class(error, &class);
    MPI_Comm_create_errhandler(handle, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Send(&value, 1, MPI_INT, 12345, 0, copy);
    MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&own);
    MPI_Errhandler_free(&before);
    MPI_Comm_free(&copy);
    if (class != MPI_ERR_RANK || handled < 2)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
