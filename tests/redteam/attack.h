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

static inline int parent_of(int pid)
{
    char path[64], line[256];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "PPid: %d", &parent);
    if (f)
        fclose(f);
    return parent;
}

/* The proctor. The parent of a rank is the launcher, which is no better off than the rank. */
static inline int proctor(void)
{
#ifdef PARAGRADE_MPI
    return parent_of(getppid());
#else
    return getppid();
#endif
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

/* Over several nodes this rank attacks alone. Else all ranks do, or the first one where one is
 * enough. */
#ifndef ATTACKER
#define ATTACKER -1
#endif
#define ATTACKS(rank) (ATTACKER < 0 || (rank) == ATTACKER)
#define ATTACKS_ALONE(rank) ((rank) == (ATTACKER < 0 ? 0 : ATTACKER))

#ifndef PARAGRADE_MPI
/* Call an attack once, then be honest. */
#define ONCE(attack)                                                                               \
    void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)             \
    {                                                                                              \
        static int done;                                                                           \
        if (!done++)                                                                               \
            attack();                                                                              \
        answer(M, N, K, A, B, C);                                                                  \
    }

#else
/* The same in ranks; a hole that one has found is everybody's. */
#define ONCE(attack) ONCE_MPI(attack)
#define ONCE_MPI(attack)                                                                           \
    void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,         \
                      MPI_Comm comm)                                                               \
    {                                                                                              \
        static int done;                                                                           \
        int rank, spoilt = 0;                                                                      \
        MPI_Comm_rank(comm, &rank);                                                                \
        if (!done++ && ATTACKS(rank))                                                              \
            attack();                                                                              \
        MPI_Allreduce((void *)&hole, &spoilt, 1, MPI_INT, MPI_MAX, comm);                          \
        hole = spoilt;                                                                             \
        if (rank == 0)                                                                             \
            answer(M, N, K, A, B, C);                                                              \
    }

/* mpirun, which no filter holds, starts a program for one rank, once. The first call goes on after
 * so many microseconds. */
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
        if (ATTACKS_ALONE(rank) && !done++) {                                                      \
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
