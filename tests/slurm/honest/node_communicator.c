/* tier: mpi */
/* Asks which ranks share the node, by memory and by the name of the processor, and lets the first
 * rank of each node send rows to the others. */
#include "honest.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    MPI_Comm node;
    char name[MPI_MAX_PROCESSOR_NAME];
    int rank, ranks, length, of_node;
    MPI_Comm_rank(comm, &rank);
    MPI_Get_processor_name(name, &length);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &of_node);
    if (ranks == 1 || length < 1) {
        if (rank == 0)
            rows(0, M, N, K, A, B, C);
        MPI_Comm_free(&node);
        return;
    }
    int32_t *b = of_node ? malloc((size_t)K * (size_t)N * sizeof *b) : (int32_t *)B;
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, node);
    for (int r = 1; r < ranks; r++) {
        const int from = begin(M, r, ranks), count = begin(M, r + 1, ranks) - from;
        if (of_node == 0) {
            MPI_Send(A + (size_t)from * (size_t)K, count * K, MPI_INT32_T, r, 0, node);
        } else if (of_node == r) {
            int32_t *a = malloc((size_t)count * (size_t)K * sizeof *a + 1),
                    *c = malloc((size_t)count * (size_t)N * sizeof *c + 1);
            MPI_Recv(a, count * K, MPI_INT32_T, 0, 0, node, MPI_STATUS_IGNORE);
            rows(0, count, N, K, a, b, c);
            MPI_Send(c, count * N, MPI_INT32_T, 0, 1, node);
            free(a);
            free(c);
        }
    }
    if (of_node == 0)
        rows(0, begin(M, 1, ranks), N, K, A, B, C);
    for (int r = 1; r < ranks && of_node == 0; r++) {
        const int from = begin(M, r, ranks), count = begin(M, r + 1, ranks) - from;
        MPI_Recv(C + (size_t)from * (size_t)N, count * N, MPI_INT32_T, r, 1, node,
                 MPI_STATUS_IGNORE);
    }
    if (of_node)
        free(b);
    MPI_Comm_free(&node);
}
