/* mpi.c - each rank computes every ranks-th row; rank 0 collects them. */
#include "mandelbrot.h"

#include <stdlib.h>
#include <string.h>

static int32_t count_at(double cx, double cy, int most)
{
    double x = 0, y = 0;
    int32_t n = 0;
    while (n < most && x * x + y * y <= 4) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    return n;
}

void mandelbrot_mpi(int h, int w, int most, double left, double top, double step, int32_t *count,
                    MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int rows = (h + ranks - 1) / ranks;
    const size_t part = (size_t)rows * (size_t)w;
    int32_t *mine = calloc(part, sizeof *mine);
    int32_t *all = rank == 0 ? malloc((size_t)ranks * part * sizeof *all) : NULL;
    for (int k = 0; k < rows && k * ranks + rank < h; k++)
        for (int j = 0; j < w; j++)
            mine[(long)k * w + j] =
                count_at(left + j * step, top - (k * ranks + rank) * step, most);
    MPI_Gather(mine, (int)part, MPI_INT32_T, all, (int)part, MPI_INT32_T, 0, comm);
    for (int i = 0; rank == 0 && i < h; i++)
        memcpy(count + (long)i * w,
               all + (size_t)(i % ranks) * part + (size_t)(i / ranks) * (size_t)w,
               (size_t)w * sizeof *count);
    free(all);
    free(mine);
}
