/* expect: openmpi forbidden */
/* mpirun starts a program that has ended again when the ranks are halted. It could work while they
 * are. */
#include "attack.h"
#include <pthread.h>

static void *spawn(void *unused)
{
    static char program[] = "/bin/true";
    MPI_Comm other;
    int code[1];
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, code);
    return unused;
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    static int done;
    int rank;
    pthread_t t;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && !done++) {
        pthread_create(&t, NULL, spawn, NULL);
        usleep(1000000);
    }
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
