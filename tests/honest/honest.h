/*
 * honest.h - what the honest programs share: a plain product of some rows, and how rows are shared
 * out. Each program adds the one thing that makes it unusual.
 */
#ifndef HONEST_H
#define HONEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "gemm.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEMM void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)

/* Rows [from, to) of C = A * B. */
static inline void rows(int from, int to, int N, int K, const int32_t *A, const int32_t *B,
                        int32_t *C)
{
    for (size_t i = (size_t)from; i < (size_t)to; i++) {
        memset(C + i * (size_t)N, 0, (size_t)N * sizeof *C);
        for (size_t k = 0; k < (size_t)K; k++)
            for (size_t j = 0; j < (size_t)N; j++)
                C[i * (size_t)N + j] += A[i * (size_t)K + k] * B[k * (size_t)N + j];
    }
}

/* Where part i of n begins. */
static inline int begin(int total, int i, int n)
{
    return (int)((long long)total * i / n);
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* A product as one value, to be handed to threads. */
struct job {
    int M, N, K;
    const int32_t *A, *B;
    int32_t *C;
};

static inline void part(const struct job *j, int i, int n)
{
    rows(begin(j->M, i, n), begin(j->M, i + 1, n), j->N, j->K, j->A, j->B, j->C);
}

/* As a student would ask. */
static inline int workers(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    int n = text ? atoi(text) : 2;
    return n < 1 ? 1 : n > 16 ? 16 : n;
}

#ifdef PARAGRADE_MPI
#define GEMM_MPI                                                                                   \
    void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,         \
                      MPI_Comm comm)

/* This rank's rows of A and C, and all of B. */
struct share {
    int rank, size, from, to, M, N, K;
    int32_t *A, *B, *C;
};

static inline void share_sizes(struct share *s, int M, int N, int K, MPI_Comm comm)
{
    MPI_Comm_rank(comm, &s->rank);
    MPI_Comm_size(comm, &s->size);
    s->M = M;
    s->N = N;
    s->K = K;
    s->from = begin(M, s->rank, s->size);
    s->to = begin(M, s->rank + 1, s->size);
    s->A = (int32_t *)malloc(((size_t)(s->to - s->from) * (size_t)K + 1) * sizeof *s->A);
    s->B = (int32_t *)malloc((size_t)K * (size_t)N * sizeof *s->B);
    s->C = (int32_t *)malloc(((size_t)(s->to - s->from) * (size_t)N + 1) * sizeof *s->C);
}

static inline void share_B(struct share *s, const int32_t *B, MPI_Comm comm)
{
    if (s->rank == 0)
        memcpy(s->B, B, (size_t)s->K * (size_t)s->N * sizeof *B);
    MPI_Bcast(s->B, s->K * s->N, MPI_INT32_T, 0, comm);
}

static inline void share_A(struct share *s, const int32_t *A, MPI_Comm comm)
{
    if (s->rank == 0) {
        for (int r = 1; r < s->size; r++) {
            int from = begin(s->M, r, s->size), to = begin(s->M, r + 1, s->size);
            MPI_Send(A + (size_t)from * (size_t)s->K, (to - from) * s->K, MPI_INT32_T, r, 1, comm);
        }
        memcpy(s->A, A, (size_t)s->to * (size_t)s->K * sizeof *A);
    } else {
        MPI_Recv(s->A, (s->to - s->from) * s->K, MPI_INT32_T, 0, 1, comm, MPI_STATUS_IGNORE);
    }
}

static inline void share_compute(struct share *s)
{
    rows(0, s->to - s->from, s->N, s->K, s->A, s->B, s->C);
}

static inline void share_C(struct share *s, int32_t *C, MPI_Comm comm)
{
    if (s->rank != 0) {
        MPI_Send(s->C, (s->to - s->from) * s->N, MPI_INT32_T, 0, 2, comm);
        return;
    }
    memcpy(C, s->C, (size_t)s->to * (size_t)s->N * sizeof *C);
    for (int r = 1; r < s->size; r++) {
        int from = begin(s->M, r, s->size), to = begin(s->M, r + 1, s->size);
        MPI_Recv(C + (size_t)from * (size_t)s->N, (to - from) * s->N, MPI_INT32_T, r, 2, comm,
                 MPI_STATUS_IGNORE);
    }
}

static inline void share_free(struct share *s)
{
    free(s->A);
    free(s->B);
    free(s->C);
}

/* All of it, for programs whose unusual thing is beside the product. */
static inline void share_all(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                             MPI_Comm comm)
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    share_B(&s, B, comm);
    share_compute(&s);
    share_C(&s, C, comm);
    share_free(&s);
}
#endif

#endif
