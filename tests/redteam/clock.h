/*
 * clock.h - what attacks on the clock share: the kernel that they pretend to be, and ways to be
 * called by the driver or to take its place.
 *
 * An attack defines trick(), which the process that has the matrices calls at timed sizes: in place
 * of the kernel, or after it (AFTERWARDS). All
 * else, and the file without its trick (HONEST), is the honest kernel of the tier - or trick()
 * itself, where that looks at HONEST and says so with OWN_HONEST.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include "attack.h"
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

enum { TIMED = 60 }; /* from this size on; smaller cases are only checked */

/* Rows [from, to) of C. */
static inline void rows(int from, int to, int N, int K, const int32_t *A, const int32_t *B,
                        int32_t *C)
{
    for (int i = from; i < to; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);

#ifdef PARAGRADE_MPI
static inline void honest_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                              MPI_Comm comm)
{
    int rank, half = M / 2;
    MPI_Comm_rank(comm, &rank);
    if (rank > 1)
        return;
    if (rank == 0) {
        MPI_Send(A + (size_t)half * K, (M - half) * K, MPI_INT, 1, 0, comm);
        MPI_Send(B, K * N, MPI_INT, 1, 0, comm);
        rows(0, half, N, K, A, B, C);
        MPI_Recv(C + (size_t)half * N, (M - half) * N, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
        return;
    }
    int32_t *a = malloc(sizeof *a * (size_t)(M - half) * K), *b = malloc(sizeof *b * (size_t)K * N),
            *c = malloc(sizeof *c * (size_t)(M - half) * N);
    MPI_Recv(a, (M - half) * K, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(b, K * N, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    rows(0, M - half, N, K, a, b, c);
    MPI_Send(c, (M - half) * N, MPI_INT, 0, 0, comm);
    free(a), free(b), free(c);
}

/* Where a trick takes the kernel's place, rank 0 is alone: the others wait in the driver's barrier.
 */
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
#if !defined HONEST || defined OWN_HONEST
    if (M >= TIMED) {
#ifdef AFTERWARDS
        honest_mpi(M, N, K, A, B, C, comm);
#endif
        if (rank == 0)
            trick(M, N, K, A, B, C);
        return;
    }
#endif
    honest_mpi(M, N, K, A, B, C, comm);
}
#else
static inline void honest(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(2)
    for (int half = 0; half < 2; half++)
        rows(half ? M / 2 : 0, half ? M : M / 2, N, K, A, B, C);
#else
    rows(0, M, N, K, A, B, C);
#endif
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
#if !defined HONEST || defined OWN_HONEST
    if (M >= TIMED) {
#ifdef AFTERWARDS
        honest(M, N, K, A, B, C);
#endif
        trick(M, N, K, A, B, C);
        return;
    }
#endif
    honest(M, N, K, A, B, C);
}
#endif

/* --- in the driver's place ----------------------------------------------------------------- */

/* A timed run: the matrices of all of its calls. */
struct task {
    int m, n, k;
    unsigned reps;
    char *base[3], *at[3]; /* A, B, C: the mapping, the first matrix */
    size_t map_bytes[3], stride[3];
    uint64_t sequence;
};

static inline int proctor_socket(void)
{
#ifdef PARAGRADE_MPI /* has sockets of its own; those of the grader keep messages apart */
    for (int fd = 3; fd < 256; fd++) {
        int type = 0;
        socklen_t n = sizeof type;
        if (raw(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&n, 0) == 0 &&
            type == SOCK_SEQPACKET)
            return fd;
    }
    return -1;
#else /* has only that one, and may not ask what it is */
    return driver_socket();
#endif
}

static inline void say(const void *message, size_t n)
{
    raw(SYS_sendto, proctor_socket(), (long)message, (long)n, MSG_NOSIGNAL, 0, 0);
}

static inline void say_done(uint64_t sequence)
{
    struct pg_done d = {PG_DONE, sequence, -1};
    say(&d, sizeof d);
}

/* Say it, and leave the core to the grader until it has seen it. */
static inline void say_done_and_wait(uint64_t sequence)
{
    const struct timespec t = {0, 500000};
    say_done(sequence);
    raw(SYS_nanosleep, (long)&t, 0, 0, 0, 0, 0);
}

/* One of `parts` equal parts of the rows of all calls. */
static inline void task_part(const struct task *t, unsigned part, unsigned parts)
{
    int from = t->m * (int)part / (int)parts, to = t->m * (int)(part + 1) / (int)parts;
    for (unsigned r = 0; r < t->reps; r++)
        rows(from, to, t->n, t->k, (const int32_t *)(t->at[0] + r * t->stride[0]),
             (const int32_t *)(t->at[1] + r * t->stride[1]),
             (int32_t *)(t->at[2] + r * t->stride[2]));
}

static inline void task_all(const struct task *t)
{
    task_part(t, 0, 1);
}

/* The GO that is being obeyed lies in a frame of the driver, above this one. Under MPI as well. */
static inline const struct pg_go *current_go(void)
{
    const uint32_t *w = __builtin_frame_address(0);
    for (int i = 0; i < 4096; i++, w++)
        if (w[0] == PG_GO && w[1] >= 1 && w[1] <= 256 && w[2] == 1 && w[3] == PG_COMPUTE &&
            ((const struct pg_go *)w)->sequence < 100000)
            return (const struct pg_go *)w;
    return NULL;
}

static inline void map_case(struct task *t, const struct pg_case *c, const int *fds)
{
    for (int i = 0; i < 3; i++) {
        const struct pg_area *a = i == 2 ? &c->out : &c->in[i];
        if (t->base[i])
            munmap(t->base[i], t->map_bytes[i]);
        t->base[i] = mmap(NULL, a->map_bytes, i == 2 ? PROT_READ | PROT_WRITE : PROT_READ,
                          MAP_SHARED | MAP_POPULATE, fds[i], (off_t)a->file_offset);
        t->at[i] = t->base[i] + a->offset;
        t->map_bytes[i] = a->map_bytes;
        t->stride[i] = a->stride;
        close(fds[i]);
    }
    t->m = c->form.dim[0], t->n = c->form.dim[1], t->k = c->form.dim[2];
}

/* To say the next DONE as soon as a case is READY: then perform() says none. */
static int hasty;

/* From the first call at a timed size on: serve the proctor ourselves. perform() gets each task and
 * says DONE when it likes. Returns when the proctor has hung up. */
static inline void serve(struct task t, void (*perform)(struct task *))
{
    int sock = proctor_socket();
    for (;;) {
        union {
            uint32_t type;
            struct pg_go go;
            struct pg_case problem;
            char any[2048];
        } m;
        char control[256];
        struct iovec io = {&m, sizeof m};
        struct msghdr h = {.msg_iov = &io,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
        ssize_t n = recvmsg(sock, &h, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        if (m.type == PG_CASE) {
            struct pg_status ready = {.type = PG_READY};
            int fds[3];
            memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&h)), sizeof fds);
            map_case(&t, &m.problem, fds);
            say(&ready, sizeof ready);
        } else if (m.type == PG_GO) {
            t.reps = m.go.reps;
            t.sequence = m.go.sequence;
            if (m.go.steps == PG_COMPUTE)
                perform(&t);
            else if (!hasty)
                say_done(t.sequence);
        }
        if (hasty && m.type == PG_CASE)
            say_done(t.sequence + 1);
    }
}

/* Compute this call, tell of it, and serve from then on. Where this GO asks for more calls than
 * one, whose matrices are not known yet, be honest. */
static inline void take_over(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                             void (*perform)(struct task *))
{
    const struct pg_go *g = current_go();
    struct task t = {.m = M, .n = N, .k = K, .at = {(char *)A, (char *)B, (char *)C}};
    rows(0, M, N, K, A, B, C);
    if (!g || g->reps != 1)
        return;
    t.sequence = g->sequence;
    say_done(t.sequence);
    serve(t, perform);
}

#endif
