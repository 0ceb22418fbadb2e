/* mpi.c - each rank sorts its part; then neighbours exchange parts, in odd and even pairs in turn:
 * the left one keeps the small elements. After as many phases as there are ranks, all is sorted, if
 * all parts have the same length. */
#include "sort_i32.h"

#include <stdlib.h>
#include <string.h>

static int order(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void merge(const int32_t *a, int n, const int32_t *b, int m, int32_t *to)
{
    int i = 0, j = 0;
    for (int k = 0; k < n + m; k++)
        to[k] = j == m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

struct part {
    int32_t *mine, *other, *both;
    int n, rank, ranks; /* n: elements of each part */
    MPI_Comm comm;
};

static void phase(const struct part *p, int number)
{
    const int left = (p->rank + number) % 2 == 0, partner = left ? p->rank + 1 : p->rank - 1;
    if (partner < 0 || partner >= p->ranks)
        return;
    MPI_Sendrecv(p->mine, p->n, MPI_INT32_T, partner, 0, p->other, p->n, MPI_INT32_T, partner, 0,
                 p->comm, MPI_STATUS_IGNORE);
    merge(p->mine, p->n, p->other, p->n, p->both);
    memcpy(p->mine, left ? p->both : p->both + p->n, (size_t)p->n * sizeof *p->mine);
}

/* Elements of the array that a rank has; the rest of its part are large numbers. */
static int elements(int n, int part, int rank)
{
    const long long left = n - (long long)part * rank;
    return left > part ? part : left > 0 ? (int)left : 0;
}

void sort_i32_mpi(int n, int32_t *a, MPI_Comm comm)
{
    struct part p = {.comm = comm};
    MPI_Comm_rank(comm, &p.rank);
    MPI_Comm_size(comm, &p.ranks);
    p.n = n / p.ranks + (n % p.ranks > 0);
    int *count = malloc((size_t)p.ranks * sizeof *count),
        *at = malloc((size_t)p.ranks * sizeof *at);
    p.mine = malloc((size_t)p.n * sizeof *p.mine);
    p.other = malloc((size_t)p.n * sizeof *p.other);
    p.both = malloc(2 * (size_t)p.n * sizeof *p.both);
    for (int r = 0, next = 0; r < p.ranks; r++) {
        at[r] = next;
        count[r] = elements(n, p.n, r);
        next += count[r];
    }
    MPI_Scatterv(a, count, at, MPI_INT32_T, p.mine, count[p.rank], MPI_INT32_T, 0, comm);
    for (int i = count[p.rank]; i < p.n; i++)
        p.mine[i] = INT32_MAX;
    qsort(p.mine, (size_t)p.n, sizeof *p.mine, order);
    for (int i = 0; i < p.ranks; i++)
        phase(&p, i);
    MPI_Gatherv(p.mine, count[p.rank], MPI_INT32_T, a, count, at, MPI_INT32_T, 0, comm);
    free(p.both);
    free(p.other);
    free(p.mine);
    free(at);
    free(count);
}
