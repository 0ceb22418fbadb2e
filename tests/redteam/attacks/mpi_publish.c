/* expect: openmpi out-of-memory|pass */
/* What is published is kept by mpirun, and it is no rank. */
#include "attack.h"

enum { SECONDS = 1, LENGTH = 1 << 20, MUCH = 300 };

static void attack(void)
{
    static int published;
    char *port = malloc(LENGTH), name[32];
    const double until = MPI_Wtime() + SECONDS;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    memset(port, 'p', LENGTH);
    port[LENGTH - 1] = '\0';
    while (MPI_Wtime() < until) {
        snprintf(name, sizeof name, "%d-%d", getpid(), published);
        if (MPI_Publish_name(name, MPI_INFO_NULL, port) != MPI_SUCCESS)
            break;
        published++;
    }
    free(port);
    if (published > MUCH)
        HOLE("the memory of mpirun");
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (ATTACKS_ALONE(rank))
        attack();
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
