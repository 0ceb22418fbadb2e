/* mpi.c - of P ranks, a power of two, rank r transforms elements r, r + P, r + 2 P, ...; rank 0
 * puts them together. Other ranks have nothing to do. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

/* The first half of the n-th roots of 1, clockwise. */
static double *roots(long n)
{
    double *w = malloc((size_t)(n + 2) * sizeof *w);
    for (long i = 0; i < n / 2 || i == 0; i++) {
        w[2 * i] = cos(2 * acos(-1.0) * (double)i / (double)n);
        w[2 * i + 1] = -sin(2 * acos(-1.0) * (double)i / (double)n);
    }
    return w;
}

/* Elements a and b become a + w b and a - w b. */
static void combine(double *a, double *b, const double *w)
{
    const double re = w[0] * b[0] - w[1] * b[1], im = w[0] * b[1] + w[1] * b[0];
    b[0] = a[0] - re;
    b[1] = a[1] - im;
    a[0] += re;
    a[1] += im;
}

static long reversed(long i, int bits)
{
    long r = 0;
    for (int b = 0; b < bits; b++, i /= 2)
        r = 2 * r + i % 2;
    return r;
}

/* What `stride` elements are apart from each other, beginning with x. */
static void transform(int k, long stride, const double *x, const double *w, double *y)
{
    const long n = 1L << k;
    for (long i = 0; i < n; i++) {
        y[2 * reversed(i, k)] = x[2 * i * stride];
        y[2 * reversed(i, k) + 1] = x[2 * i * stride + 1];
    }
    for (long half = 1; half < n; half *= 2)
        for (long at = 0; at < n; at += 2 * half)
            for (long i = 0; i < half; i++)
                combine(y + 2 * (at + i), y + 2 * (at + i + half), w + 2 * (i * (n / 2 / half)));
}

/* Part p lies where its first element lies in the order of reversed bits. */
static void distribute(int k, int bits, const double *x, double *y, MPI_Comm comm)
{
    const long n = 1L << k, m = n >> bits;
    double *part = malloc(2 * (size_t)m * sizeof *part);
    for (long p = 1; p < 1L << bits; p++) {
        for (long i = 0; i < m; i++) {
            part[2 * i] = x[2 * (p + (i << bits))];
            part[2 * i + 1] = x[2 * (p + (i << bits)) + 1];
        }
        MPI_Send(part, (int)(2 * m), MPI_DOUBLE, (int)p, 0, comm);
    }
    double *w = roots(m);
    transform(k - bits, 1L << bits, x, w, y);
    free(w);
    for (long p = 1; p < 1L << bits; p++)
        MPI_Recv(y + 2 * m * reversed(p, bits), (int)(2 * m), MPI_DOUBLE, (int)p, 0, comm,
                 MPI_STATUS_IGNORE);
    free(part);
}

static void transform_part(int k, MPI_Comm comm)
{
    const long m = 1L << k;
    double *x = malloc(4 * (size_t)m * sizeof *x), *w = roots(m);
    MPI_Recv(x, (int)(2 * m), MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
    transform(k, 1, x, w, x + 2 * m);
    MPI_Send(x + 2 * m, (int)(2 * m), MPI_DOUBLE, 0, 0, comm);
    free(w);
    free(x);
}

void fft_mpi(int k, const double *x, double *y, MPI_Comm comm)
{
    int rank, ranks, bits = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    while (bits < k && 2 << bits <= ranks)
        bits++;
    if (rank > 0) {
        if (rank < 1 << bits)
            transform_part(k - bits, comm);
        return;
    }
    const long n = 1L << k;
    distribute(k, bits, x, y, comm);
    double *w = roots(n);
    for (long half = n >> bits; half < n; half *= 2)
        for (long at = 0; at < n; at += 2 * half)
            for (long i = 0; i < half; i++)
                combine(y + 2 * (at + i), y + 2 * (at + i + half), w + 2 * (i * (n / 2 / half)));
    free(w);
}
