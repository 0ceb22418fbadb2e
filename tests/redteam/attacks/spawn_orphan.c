/* expect: openmpi forbidden */
/* mpirun, which no filter holds, starts a shell that starts a program and ends: the program is
 * below mpirun no longer, and goes on while the ranks are halted. */
#include "attack.h"
#include <pthread.h>

static void *spawn(void *unused)
{
    static char program[] = "/bin/sh", option[] = "-c", line[] = "/bin/sleep 600 & exit 0";
    char *argv[] = {option, line, NULL};
    MPI_Comm other;
    int code[1];
    MPI_Comm_spawn(program, argv, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, code);
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
        usleep(600000);
    }
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
