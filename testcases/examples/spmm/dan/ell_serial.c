/* Wrong: it treats ELLPACK like CSR. It takes the entries one after the other, as if there were no
 * padding between the rows. */
#include <stddef.h>

#include "spmm.h"

void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y)
{
    (void)N;
    size_t from = 0;
    for (int i = 0; i < M; i++) {
        int n = 0;
        while (n < width && val[(size_t)i * width + n] != 0)
            n++;
        for (int j = 0; j < K; j++) {
            double sum = 0;
            for (size_t e = from; e < from + n; e++)
                sum += val[e] * X[(size_t)col[e] * K + j];
            Y[(size_t)i * K + j] = sum;
        }
        from += n;
    }
}
