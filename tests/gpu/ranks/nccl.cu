/* expect: pass: operands go to the other ranks, and results come back, through NCCL */
#include "ranks.h"

#include <nccl.h>

static ncclComm_t connected(int rank, int ranks, MPI_Comm comm)
{
    ncclUniqueId id;
    ncclComm_t nccl = NULL;
    if (rank == 0)
        ncclGetUniqueId(&id);
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm);
    const ncclResult_t r = ncclCommInitRank(&nccl, ranks, id, rank);
    if (r != ncclSuccess)
        printf("rank %d: %s (%s)\n", rank, ncclGetErrorString(r), ncclGetLastError(NULL));
    return nccl;
}

static int32_t *room(size_t words)
{
    static int32_t *p;
    static size_t most;
    if (words > most) {
        cudaFree(p);
        cudaMalloc(&p, words * sizeof *p);
        most = words;
    }
    return p;
}

RANKS(rank, ranks, comm, stream)
{
    static ncclComm_t nccl = connected(rank, ranks, comm);
    const int own = M / ranks, from = rank * own, rows = rank + 1 < ranks ? own : M - from;
    const size_t a = (size_t)M * K, b = (size_t)K * N, c = (size_t)M * N;
    int32_t *all = room(a + b + c), *mine = all + a + b;
    if (rank == 0) {
        cudaMemcpyAsync(all, A, a * sizeof *A, cudaMemcpyDeviceToDevice, stream);
        cudaMemcpyAsync(all + a, B, b * sizeof *B, cudaMemcpyDeviceToDevice, stream);
    }
    ncclBroadcast(all, all, a + b, ncclInt32, 0, nccl, stream);
    if (rows > 0)
        product(rows, N, K, all + (size_t)from * K, all + a, mine + (size_t)from * N, stream);
    ncclGroupStart();
    if (rank > 0 && rows > 0)
        ncclSend(mine + (size_t)from * N, (size_t)rows * N, ncclInt32, 0, nccl, stream);
    for (int r = 1; r < ranks && rank == 0; r++) {
        const int first = r * own, count = r + 1 < ranks ? own : M - first;
        if (count > 0)
            ncclRecv(mine + (size_t)first * N, (size_t)count * N, ncclInt32, r, nccl, stream);
    }
    ncclGroupEnd();
    if (rank == 0)
        cudaMemcpyAsync(C, mine, c * sizeof *C, cudaMemcpyDeviceToDevice, stream);
}
