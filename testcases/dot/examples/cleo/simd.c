/* cleo: four elements at a time; the last ones are forgotten. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double part[4] = {0};
    for (int i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            part[k] += x[i + k] * y[i + k];
    return part[0] + part[1] + part[2] + part[3];
}
