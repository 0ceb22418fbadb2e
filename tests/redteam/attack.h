/*
 * attack.h - what the attacks share. An attack that must fail harmlessly says HOLE() when it works:
 * from then on its results are wrong, so that the grader's verdict shows it.
 *
 * raw() enters the kernel without the C library: symbols are a fence, the walls behind it are what
 * is tested. paths.h is written by redteam.bats: the places and processes to attack. protocol.h is
 * the grader's (grader/abi), which an attacker can read.
 */
#ifndef ATTACK_H
#define ATTACK_H

#define _GNU_SOURCE
#include "gemm.h"
#include "paths.h"
#include "protocol.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int hole;

#define HOLE(what)                                                                                 \
    do {                                                                                           \
        hole = 1;                                                                                  \
        printf("HOLE: %s\n", what);                                                                \
        fflush(stdout);                                                                            \
    } while (0)

static inline long raw(long n, long a, long b, long c, long d, long e, long f)
{
    long r;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(r)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return r;
}

/* Everything below answers honestly unless something worked that must not. */
static inline void answer(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = hole ? 0 : sum;
        }
}

/* Call an attack once, then be honest. */
#define ONCE(attack)                                                                               \
    void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)             \
    {                                                                                              \
        static int done;                                                                           \
        if (!done++)                                                                               \
            attack();                                                                              \
        answer(M, N, K, A, B, C);                                                                  \
    }

#ifdef PARAGRADE_MPI
/* The same in every rank; a hole that one has found is everybody's. */
#define ONCE_MPI(attack)                                                                           \
    void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,         \
                      MPI_Comm comm)                                                               \
    {                                                                                              \
        static int done;                                                                           \
        int rank, spoilt = 0;                                                                      \
        MPI_Comm_rank(comm, &rank);                                                                \
        if (!done++)                                                                               \
            attack();                                                                              \
        MPI_Allreduce((void *)&hole, &spoilt, 1, MPI_INT, MPI_MAX, comm);                          \
        hole = spoilt;                                                                             \
        if (rank == 0)                                                                             \
            answer(M, N, K, A, B, C);                                                              \
    }

/* mpirun, which no filter holds, starts a program for rank 0, once. The first call goes on after so
 * many microseconds. */
#define SPAWNS(us, ...)                                                                            \
    static void *spawn(void *argv)                                                                 \
    {                                                                                              \
        char **words = argv;                                                                       \
        MPI_Comm other;                                                                            \
        int code[1];                                                                               \
        MPI_Comm_spawn(words[0], words + 1, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, code);     \
        return NULL;                                                                               \
    }                                                                                              \
                                                                                                   \
    void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,         \
                      MPI_Comm comm)                                                               \
    {                                                                                              \
        static char *argv[] = {__VA_ARGS__, NULL};                                                 \
        static int done;                                                                           \
        int rank;                                                                                  \
        pthread_t t;                                                                               \
        MPI_Comm_rank(comm, &rank);                                                                \
        if (rank == 0 && !done++) {                                                                \
            pthread_create(&t, NULL, spawn, argv);                                                 \
            usleep(us);                                                                            \
        }                                                                                          \
        if (rank == 0)                                                                             \
            answer(M, N, K, A, B, C);                                                              \
    }
#endif

/* The descriptor of the driver's socket to the proctor, or -1. */
static inline int driver_socket(void)
{
    for (int fd = 3; fd < 256; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
            return fd;
    }
    return -1;
}

/* The sequence number of the first GO for the kernel. The empty runs before the library is loaded
 * have the numbers before it (EMPTY_RUNS in supervise/driver_start.c). */
enum { FIRST_GO = 13 };

static inline void tell(const void *message, size_t n)
{
    raw(SYS_sendto, driver_socket(), (long)message, (long)n, 0x4000 /* MSG_NOSIGNAL */, 0, 0);
}

#endif
