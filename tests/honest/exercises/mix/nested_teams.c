/* mpi: Teams of threads in teams of threads: each of two threads starts two, for rows and columns,
 * and all keep scratch of their own between calls. */
#include "shares.h"
#include <omp.h>

static int32_t *scratch;
static int room;
#pragma omp threadprivate(scratch, room)

static int32_t *own(int need)
{
    if (need > room) {
        free(scratch);
        scratch = malloc((size_t)need * sizeof *scratch);
        room = need;
    }
    return scratch;
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    int64_t mine = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2) reduction(+ : mine)
    {
        const int half = omp_get_thread_num(), halves = omp_get_num_threads();
        const int from = half * rows / halves, end = (half + 1) * rows / halves;
        int64_t inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
        {
            int32_t *product = own(end - from + 1);
#pragma omp for schedule(static)
            for (int i = from; i < end; i++) {
                product[i - from] = x[i] * k;
                for (int j = 0; j < 3; j++)
                    y[3 * i + j] = (int16_t)(product[i - from] + c[(first + i) % m] * j);
                inner += x[i];
            }
#pragma omp for schedule(dynamic, 7) nowait
            for (int i = from; i < end; i++)
                z[i] += first + i;
        }
        mine += inner;
    }
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, comm);
    return 2 * (*sum = mine);
}
