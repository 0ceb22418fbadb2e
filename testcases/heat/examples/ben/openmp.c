/* ben: each thread changes its own rows in place. The rows beside them may be those of this step or
 * of the last. */
#include "heat.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void heat(int h, int w, int steps, double *u)
{
#pragma omp parallel
    {
        const int threads = omp_get_num_threads(), me = omp_get_thread_num();
        const int first = 1 + (h - 2) * me / threads, end = 1 + (h - 2) * (me + 1) / threads;
        double *rows = malloc(2 * (size_t)w * sizeof *rows);
        for (int s = 0; s < steps; s++) {
#pragma omp barrier
            memcpy(rows, u + (long)(first - 1) * w, (size_t)w * sizeof *u);
            for (int y = first; y < end; y++) {
                double *row = u + (long)y * w, *above = rows + (y - first) % 2 * w;
                double *here = rows + (y - first + 1) % 2 * w;
                memcpy(here, row, (size_t)w * sizeof *u);
                for (int x = 1; x < w - 1; x++)
                    row[x] = (here[x - 1] + here[x + 1] + above[x] + row[x + w]) / 4;
            }
        }
        free(rows);
    }
}
