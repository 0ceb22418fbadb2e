/* mpi.c - each rank gets its rows, and up to r more on each side. */
#include "blur.h"

#include <stdlib.h>

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* One row: column[] gets the sums of up to 2 r + 1 rows, which are then added along the row. */
static void blur_row(int h, int w, int r, int y, const uint8_t *in, uint8_t *out, int *column)
{
    const int top = at_least(y - r, 0), bottom = at_most(y + r, h - 1);
    for (int x = 0; x < w; x++)
        column[x] = 0;
    for (int j = top; j <= bottom; j++)
        for (int x = 0; x < w; x++)
            column[x] += in[(long)j * w + x];
    int sum = 0;
    for (int x = 0; x < at_most(r, w); x++)
        sum += column[x];
    for (int x = 0; x < w; x++) {
        sum += x + r < w ? column[x + r] : 0;
        sum -= x - r > 0 ? column[x - r - 1] : 0;
        const int width = at_most(x + r, w - 1) - at_least(x - r, 0) + 1;
        const int count = width * (bottom - top + 1);
        out[x] = (uint8_t)((sum + count / 2) / count);
    }
}

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

void blur_mpi(int h, int w, int r, const uint8_t *in, uint8_t *out, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *count = malloc(4 * (size_t)ranks * sizeof *count), *at = count + ranks;
    int *to = at + ranks, *result = to + ranks, *column = calloc((size_t)w, sizeof *column);
    for (int i = 0; i < ranks; i++) {
        const int first = at_least(start(h, i, ranks) - r, 0);
        const int end = at_most(start(h, i + 1, ranks) + r, h);
        at[i] = first * w;
        count[i] = at_least(end - first, 0) * w;
        to[i] = start(h, i, ranks) * w;
        result[i] = (start(h, i + 1, ranks) - start(h, i, ranks)) * w;
    }
    uint8_t *rows = malloc((size_t)count[rank] + 1), *mine = malloc((size_t)result[rank] + 1);
    MPI_Scatterv(in, count, at, MPI_UINT8_T, rows, count[rank], MPI_UINT8_T, 0, comm);
    const int first = at[rank] / w, begin = to[rank] / w, end = begin + result[rank] / w;
    for (int y = begin; y < end; y++)
        blur_row(count[rank] / w, w, r, y - first, rows, mine + (long)(y - begin) * w, column);
    MPI_Gatherv(mine, result[rank], MPI_UINT8_T, out, result, to, MPI_UINT8_T, 0, comm);
    free(mine);
    free(rows);
    free(column);
    free(count);
}
