/*
 * Many processes under mpirun. Rank 0 leads: it alone talks to the proctor and sees the matrices;
 * it tells the others by broadcast what to do. A timed run lasts from a barrier of all ranks to a
 * barrier of all ranks, so the slowest rank decides.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "abi/gemm.h"
#include "driver/driver.h"

enum order_kind { ORDER_LOAD, ORDER_RUN, ORDER_END };

struct order {
    int kind;
    int m, n, k;
    int reps;
};

static union {
    void *object;
    void (*gemm_i32_mpi)(int, int, int, const int32_t *, const int32_t *, int32_t *, MPI_Comm);
} kernel;

static MPI_Comm control, world; /* the kernel gets a communicator of its own */
static char library_path[1024], symbol_name[64];

int launch_init(int *argc, char ***argv)
{
    int provided, rank;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &control);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(control, &rank);
    return rank == 0;
}

static void give(struct order *o)
{
    MPI_Bcast(o, (int)(sizeof *o / sizeof(int)), MPI_INT, 0, control);
}

static int load_here(char *text, size_t cap)
{
    MPI_Bcast(library_path, sizeof library_path, MPI_CHAR, 0, control);
    MPI_Bcast(symbol_name, sizeof symbol_name, MPI_CHAR, 0, control);
    filter_enter(FILTER_MPI);
    kernel.object = library_symbol(library_path, symbol_name, text, cap);
    int mine = kernel.object != NULL, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, control);
    if (mine && !all)
        snprintf(text, cap, "another rank cannot load the library (is it on a shared directory?)");
    return all ? 0 : -1;
}

static void run_here(const struct order *o, const struct problem *p)
{
    MPI_Barrier(control);
    for (unsigned r = 0; r < (unsigned)o->reps; r++) {
        if (p)
            kernel.gemm_i32_mpi(o->m, o->n, o->k, (const int32_t *)(p->in[0] + r * p->in_stride[0]),
                                (const int32_t *)(p->in[1] + r * p->in_stride[1]),
                                (int32_t *)(p->out + r * p->out_stride), world);
        else
            kernel.gemm_i32_mpi(o->m, o->n, o->k, NULL, NULL, NULL, world);
    }
    MPI_Barrier(control);
}

int launch_load(const char *library, const char *symbol, char *text, size_t cap)
{
    struct order o = {.kind = ORDER_LOAD};
    snprintf(library_path, sizeof library_path, "%s", library);
    snprintf(symbol_name, sizeof symbol_name, "%s", symbol);
    give(&o);
    return load_here(text, cap);
}

double launch_run(const struct problem *p, unsigned reps)
{
    struct order o = {ORDER_RUN, p->m, p->n, p->k, (int)reps};
    give(&o);
    run_here(&o, p);
    return -1;
}

void launch_follow(void)
{
    char text[512];
    struct order o;
    for (;;) {
        give(&o);
        if (o.kind == ORDER_LOAD)
            load_here(text, sizeof text);
        else if (o.kind == ORDER_RUN)
            run_here(&o, NULL);
        else
            break;
    }
    MPI_Finalize();
}

void launch_end(void)
{
    struct order o = {.kind = ORDER_END};
    give(&o);
    MPI_Finalize();
}
