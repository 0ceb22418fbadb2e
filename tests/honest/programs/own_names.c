/* tier: naive */
/* Global names that others have as well: of the C library, of MPI, of OpenMP. */
#include "honest.h"

int omp_threads = 4, MPI_ranks = 1, pthread_count;
_Thread_local int omp_mine;
int time_of_day, send_buffer, read_rows;

void write_block(const struct job *j);
void write_block(const struct job *j)
{
    omp_mine = omp_threads + MPI_ranks + pthread_count++;
    part(j, 0, 1);
}

GEMM
{
    const struct job j = {M, N, K, A, B, C};
    time_of_day = send_buffer = read_rows = M;
    write_block(&j);
}
