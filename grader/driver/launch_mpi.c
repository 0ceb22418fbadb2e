/*
 * Several processes under mpirun, on one node or more. Only rank 0 talks to the proctor. It tells
 * the others what to do. Only rank 0 sees the matrices, unless the kernel gives operands to all
 * ranks: then each has a connection, where it gets what it has of them. A timed run lasts from one
 * barrier of all ranks to another, so the slowest rank decides.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/call.h"
#include "driver/channel.h"
#include "driver/driver.h"
#include "driver/rank_work.h"
#include "driver/ranks_mpi.h"

enum order_kind {
    ORDER_CONFINE,
    ORDER_LOAD,
    ORDER_MAP,
    ORDER_WAKE,
    ORDER_RUN,
    ORDER_TELL,
    ORDER_END
};

struct order {
    int kind;
    int reps;
    struct pg_form form;
};

static void *kernel; /* the student's function */

/* What this rank has of the operands, if it is not rank 0. */
static struct problem own;
static bool has_own;

static MPI_Comm control, world;   /* world: for the kernel; control: for the driver */
static struct pg_confined listed; /* at rank 0: the ranks */
static char library_path[1024], symbol_name[64];
static char *own_library;   /* on a node that does not share the head's files */
static char *several_nodes; /* how many, or NULL: there is one */

/* A variable that nobody needs any more. A copy, or NULL: there is none. */
static char *take_variable(const char *name)
{
    const char *value = getenv(name);
    char *copy = value ? strdup(value) : NULL;
    unsetenv(name);
    return copy;
}

/* Ranks that are killed leave their segments behind. In this directory they are removed. A launcher
 * gives variables of Open MPI to the ranks of all nodes, but each node has its own directory. */
static void place_segments(void)
{
    static const char *const variables[] = {"OMPI_MCA_btl_vader_backing_directory",
                                            "OMPI_MCA_osc_sm_backing_directory",
                                            "OMPI_MCA_osc_rdma_backing_directory"};
    char *shm = take_variable(PG_ENV_SHM);
    for (size_t i = 0; shm && i < sizeof variables / sizeof variables[0]; i++)
        setenv(variables[i], shm, 1);
    free(shm);
}

int launch_init(int *argc, char ***argv)
{
    int provided, rank;
    place_segments();
    own_library = take_variable(PG_ENV_LIBRARY);
    several_nodes = take_variable(PG_ENV_NODES);
    if (several_nodes && chdir(getenv("HOME")) != 0)
        return -1;
    free(take_variable(PG_ENV_AGENT));
    const bool spread = getenv(PG_ENV_SPREAD) != NULL;
    unsetenv(PG_ENV_SPREAD);
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &control);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(control, &rank);
    if (!rank_begin(control))
        return -1;
    if (rank && spread)
        channel_join(rank);
    return rank == 0;
}

/* An order goes down a binary tree. A rank waits by looking for it again and again, at first
 * without a pause: the ranks of an idle driver leave the cores to others. After a halt a timed run
 * can follow, so there is no pause then either. */
enum { TAG_ORDER = 1, BUSY_US = 500, PAUSE_US = 100, HALTED_US = 1000 };

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void wait_for_order(int from)
{
    int there = 0;
    int64_t begin = now_us(), last = begin;
    while (MPI_Iprobe(from, TAG_ORDER, control, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           !there) {
        const int64_t t = now_us();
        if (t - last > HALTED_US)
            begin = t;
        last = t;
        if (t - begin > BUSY_US)
            nanosleep(&(struct timespec){0, PAUSE_US * 1000L}, NULL);
    }
}

static void give(struct order *o)
{
    const int ints = (int)(sizeof *o / sizeof(int));
    int rank, ranks;
    MPI_Comm_rank(control, &rank);
    MPI_Comm_size(control, &ranks);
    const int parent = (rank - 1) / 2;
    if (rank) {
        wait_for_order(parent);
        MPI_Recv(o, ints, MPI_INT, parent, TAG_ORDER, control, MPI_STATUS_IGNORE);
    }
    for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; child++)
        MPI_Send(o, ints, MPI_INT, child, TAG_ORDER, control);
}

/* pid: 0 for ranks on other nodes. */
static void list_ranks(const int *pid, int ranks)
{
    uint64_t mine = ranks_waits(), *all = calloc((size_t)ranks, sizeof *all);
    if (!all) {
        MPI_Abort(control, 70);
        return;
    }
    MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, control);
    for (listed.ranks = 0; listed.ranks < PG_RANKS_TOLD && (int)listed.ranks < ranks;
         listed.ranks++) {
        listed.rank[listed.ranks].pid = pid[listed.ranks];
        listed.rank[listed.ranks].waits = all[listed.ranks];
    }
    free(all);
}

void launch_list_ranks(struct pg_confined *c)
{
    c->ranks = listed.ranks;
    memcpy(c->rank, listed.rank, sizeof c->rank);
}

/* Which ranks are on this node? Those that can share memory with this one. Writes 0 over the
 * numbers of the processes of the others, and the numbers here to `here`. Their count. */
static int find_neighbours(int *pid, int *here)
{
    int rank, count, self = getpid(), *number;
    MPI_Comm node;
    if (!several_nodes) {
        MPI_Comm_size(control, &count);
        MPI_Allgather(&self, 1, MPI_INT, pid, 1, MPI_INT, control);
        memcpy(here, pid, (size_t)count * sizeof *pid);
        return count;
    }
    MPI_Comm_rank(control, &rank);
    MPI_Comm_split_type(control, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &count);
    MPI_Allgather(&self, 1, MPI_INT, here, 1, MPI_INT, node);
    if (!(number = calloc((size_t)count, sizeof *number))) {
        MPI_Abort(control, 70);
        return 0;
    }
    MPI_Allgather(&rank, 1, MPI_INT, number, 1, MPI_INT, node);
    for (int i = 0; i < count; i++)
        pid[number[i]] = here[i];
    free(number);
    MPI_Comm_free(&node);
    return count;
}

/* No rank can open a connection to another node later. */
static void connect_all(int ranks)
{
    int rank, got;
    MPI_Comm_rank(control, &rank);
    for (int i = 1; i < ranks; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + i) % ranks, 0, &got, 1, MPI_INT,
                     (rank + ranks - i) % ranks, 0, control, MPI_STATUS_IGNORE);
}

static bool confine_here(void)
{
    int ranks, mine, all;
    MPI_Comm_size(control, &ranks);
    int *pid = calloc((size_t)ranks, sizeof *pid), *here = calloc((size_t)ranks, sizeof *here);
    if (!pid || !here) {
        free(pid);
        free(here);
        MPI_Abort(control, 70);
        return false;
    }
    const int count = find_neighbours(pid, here);
    list_ranks(pid, ranks);
    if (count < ranks)
        connect_all(ranks);
    mine = filter_enter(rank_filter(), &(struct filter_peers){here, count, count < ranks});
    free(pid);
    free(here);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, control);
    return all;
}

static int load_here(char *text, size_t cap)
{
    MPI_Bcast(library_path, sizeof library_path, MPI_CHAR, 0, control);
    MPI_Bcast(symbol_name, sizeof symbol_name, MPI_CHAR, 0, control);
    kernel = library_symbol(own_library ? own_library : library_path, symbol_name, text, cap);
    if (kernel)
        ranks_watch(kernel, world);
    int mine = kernel != NULL, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, control);
    if (all)
        rank_name(text, cap);
    else if (mine)
        snprintf(text, cap, "another rank cannot load the library");
    return all ? 0 : -1;
}

/* Receive the CASE of this rank. */
static bool receive_own(char *text, size_t cap)
{
    union channel_message m;
    int fds[PG_MAX_INPUTS + 1];
    unsigned count;
    if (channel_receive(&m, fds, &count, false) <= 0 || m.type != PG_CASE ||
        count != m.problem.form.inputs + 1) {
        snprintf(text, cap, "a rank did not get its operands");
        return false;
    }
    has_own = arena_map(&m.problem, fds, &own, text, cap) == 0;
    return has_own;
}

static bool map_here(bool mine, char *text, size_t cap)
{
    int here = mine, all;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, control);
    if (mine && !all)
        snprintf(text, cap, "another rank cannot map its operands");
    return all;
}

bool launch_map_ranks(bool here, char *text, size_t cap)
{
    struct order o = {.kind = ORDER_MAP};
    give(&o);
    return map_here(here, text, cap);
}

/* Numbers that are passed by value are valid on all ranks. p: at rank 0. Returns what has to be
 * freed. */
static uint64_t *share_values(struct call *c, const struct order *o, const struct problem *p)
{
    const size_t reps = (size_t)o->reps;
    size_t values = 0, next = 0;
    for (uint32_t i = 0; i < o->form.inputs; i++)
        values += c->value_bytes[i] > 0;
    uint64_t *all = values && reps ? calloc(values * reps, sizeof *all) : NULL;
    if (!all) {
        if (values && reps)
            MPI_Abort(control, 70);
        return NULL;
    }
    for (uint32_t i = 0; i < o->form.inputs; i++) {
        if (!c->value_bytes[i])
            continue;
        for (size_t r = 0; p && r < reps; r++)
            all[next * reps + r] = rank_value(p, i, (unsigned)r);
        if (!c->masked) /* else it reads them itself */
            call_operand(c, i, &all[next * reps], sizeof *all);
        next++;
    }
    MPI_Bcast(all, (int)(values * reps), MPI_UINT64_T, 0, control);
    return all;
}

static double run_here(const struct order *o, const struct problem *p)
{
    struct call call;
    const struct problem *mine = p ? p : has_own ? &own : NULL;
    rank_prepare(&call, has_own ? &own.form : &o->form, mine, &world);
    uint64_t *values = share_values(&call, o, p);
    MPI_Barrier(control);
    ranks_enter();
    const double seconds = rank_compute(&call, kernel, mine, (unsigned)o->reps);
    fflush(stdout);
    ranks_leave();
    rank_end(control);
    free(values);
    return seconds;
}

void device_wake(void)
{
    struct order o = {.kind = ORDER_WAKE};
    give(&o);
    rank_wake();
}

bool launch_confine(void)
{
    struct order o = {.kind = ORDER_CONFINE};
    give(&o);
    return confine_here();
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
    struct order o = {.kind = ORDER_RUN, .reps = (int)reps, .form = p->form};
    give(&o);
    return run_here(&o, p);
}

/* Collect at rank 0 what each rank has done, and send it. */
static void tell_here(void (*send)(const struct pg_rank *))
{
    struct pg_rank mine = {.type = PG_RANK}, *all = NULL;
    int size;
    MPI_Comm_rank(control, &mine.rank);
    MPI_Comm_size(control, &size);
    ranks_take(&mine);
    if (mine.rank == 0)
        all = calloc((size_t)size, sizeof *all);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, control);
    for (int i = 0; send && all && i < size; i++)
        send(&all[i]);
    free(all);
}

void launch_tell_ranks(void (*send)(const struct pg_rank *))
{
    struct order o = {.kind = ORDER_TELL};
    give(&o);
    tell_here(send);
}

/* Without MPI_Finalize(), whose last barrier takes 45 ms in Open MPI. A tier starts some fifteen
 * processes, and nobody needs a result of this one any more. */
static _Noreturn void end_here(void)
{
    _exit(0);
}

void launch_follow(void)
{
    char text[512];
    struct order o;
    for (;;) {
        give(&o);
        if (o.kind == ORDER_CONFINE)
            confine_here();
        else if (o.kind == ORDER_LOAD)
            load_here(text, sizeof text);
        else if (o.kind == ORDER_MAP)
            map_here(receive_own(text, sizeof text), text, sizeof text);
        else if (o.kind == ORDER_WAKE)
            rank_wake();
        else if (o.kind == ORDER_RUN)
            run_here(&o, NULL);
        else if (o.kind == ORDER_TELL)
            tell_here(NULL);
        else
            end_here();
    }
}

void launch_end(void)
{
    struct order o = {.kind = ORDER_END};
    give(&o);
    end_here();
}
