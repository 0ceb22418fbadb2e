#include "nbody.h"

void nbody(int n, double dt, const double *m, double *x, double *y, double *z, double *u, double *v,
           double *w)
{
    /* write your code here */
    (void)n, (void)dt, (void)m, (void)x, (void)y, (void)z, (void)u, (void)v, (void)w;
}
