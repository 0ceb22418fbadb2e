/* expect: mpi wrong-answer|wrote-out-of-bounds|crash|clock-mismatch */
/* A thread of rank 1 writes the block when all ranks have returned. */
#include "mix_attack.h"

struct block {
    size_t bytes;
    int32_t *to, *from;
};

static void *write_late(void *of)
{
    const struct block *b = of;
    usleep(3000);
    memcpy(b->to, b->from, b->bytes);
    return NULL;
}

KERNEL
{
    int rank, ranks;
    pthread_t t;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank != 1)
        return HONEST;
    const int64_t rows = (int64_t)n * (rank + 1) / ranks - (int64_t)n * rank / ranks;
    struct block *b = malloc(sizeof *b);
    *b = (struct block){(size_t)rows * sizeof *z, z, malloc((size_t)rows * sizeof *z + 1)};
    memcpy(b->from, z, b->bytes);
    z = b->from;
    const int64_t result = HONEST;
    pthread_create(&t, NULL, write_late, b);
    pthread_detach(t);
    return result;
}
