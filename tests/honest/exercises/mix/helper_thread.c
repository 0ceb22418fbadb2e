/* mpi: Each rank has a helper that computes half of its rows, and scratch that grows and is kept,
 * of its own memory with a guard page. */
#define _GNU_SOURCE
#include "shares.h"
#include <pthread.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static int32_t *scratch; /* a copy of the block */
static size_t room;

struct half {
    int from, to, first, m, k;
    const int32_t *c;
    int16_t *y;
    int64_t sum;
};

static void grow(size_t bytes)
{
    const size_t need = (bytes + PAGE - 1) / PAGE * PAGE + PAGE;
    if (need <= room)
        return;
    if (room)
        mprotect((char *)scratch + room - PAGE, PAGE, PROT_READ | PROT_WRITE);
    scratch = room ? mremap(scratch, room, need, MREMAP_MAYMOVE)
                   : mmap(NULL, need, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    room = need;
    mprotect((char *)scratch + room - PAGE, PAGE, PROT_NONE);
}

static void *compute(void *of)
{
    struct half *h = of;
    for (int i = h->from; i < h->to; i++) {
        for (int j = 0; j < 3; j++)
            h->y[3 * i + j] = (int16_t)(scratch[i] * h->k + h->c[(h->first + i) % h->m] * j);
        h->sum += scratch[i];
    }
    return NULL;
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    int64_t mine;
    pthread_t helper;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    grow((size_t)rows * sizeof *scratch);
    memcpy(scratch, x, (size_t)rows * sizeof *scratch);
    struct half lower = {0, rows / 2, first, m, k, c, y, 0},
                upper = {rows / 2, rows, first, m, k, c, y, 0};
    const int helped = pthread_create(&helper, NULL, compute, &upper) == 0;
    compute(&lower);
    if (helped)
        pthread_join(helper, NULL);
    else
        compute(&upper);
    for (int i = 0; i < rows; i++)
        z[i] += first + i;
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    mine = lower.sum + upper.sum;
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, comm);
    return 2 * (*sum = mine);
}
