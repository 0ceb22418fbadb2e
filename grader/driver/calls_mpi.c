#include "driver/calls_mpi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RANKS_MOST = 1024 };

static bool watching;
static unsigned instead_of, instead; /* enum pg_name */
static MPI_Comm kernel_comm;
static struct pg_calls noted;
static struct pg_call next;
static unsigned char *behind; /* what it takes; or NULL */
static bool is_known;         /* the next one */

const struct pg_calls *calls_watch(MPI_Comm comm)
{
    const char *names = getenv(PG_ENV_CALLS);
    watching = names && sscanf(names, "%u %u", &instead_of, &instead) == 2;
    unsetenv(PG_ENV_CALLS);
    if (!watching)
        return NULL;
    kernel_comm = comm;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return &noted;
}

void calls_forget(void)
{
    noted.count = noted.unordered = 0;
}

/* --- what is noted ---------------------------------------------------------------------------- */

static void begin(MPI_Comm c, enum pg_call_kind kind)
{
    is_known = watching && (c == kernel_comm || c == MPI_COMM_WORLD);
    next = (struct pg_call){.kind = kind, .world = c != kernel_comm, .bytes = -1, .room = -1};
    for (int i = 0; i < PG_PARTS_TOLD; i++)
        next.part[i] = -1;
}

static uint64_t sum(int64_t a, int64_t b)
{
    return (uint64_t)(a > 0 ? a : 0) + (uint64_t)(b > 0 ? b : 0);
}

uint64_t message(MPI_Comm c, int64_t sent, int64_t room, bool unasked)
{
    begin(c, PG_MESSAGE);
    next.bytes = sent;
    next.room = room;
    next.unasked = unasked;
    return sum(sent, room);
}

static unsigned name_of(MPI_Op op)
{
#define OP(name)                                                                                   \
    if (op == MPI_##name)                                                                          \
        return PG_MPI_##name;
#define TYPE(name, element)
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
    return PG_NAME_NONE;
}

uint64_t by_all(MPI_Comm c, int64_t bytes, MPI_Op op)
{
    begin(c, PG_TOGETHER);
    next.bytes = bytes;
    next.operation = (int32_t)name_of(op);
    return sum(bytes, 0);
}

/* Has this rank counts of other ranks? How many: at least 1. */
static int counts_here(MPI_Comm c, int root)
{
    int rank = 0, ranks = 0, inter = 1;
    if (MPI_Comm_test_inter(c, &inter) || inter || MPI_Comm_rank(c, &rank) ||
        MPI_Comm_size(c, &ranks) || (root >= 0 && root != rank))
        return 0;
    return ranks;
}

uint64_t parts(MPI_Comm c, int root, int64_t mine, const int *n, int each, MPI_Datatype type)
{
    int bytes = 0;
    begin(c, PG_IN_PARTS);
    next.bytes = mine;
    const int ranks = is_known ? counts_here(c, root) : 0;
    if (ranks && MPI_Type_size(type, &bytes) == MPI_SUCCESS)
        for (int i = 0; i < ranks && i < PG_PARTS_TOLD; i++)
            next.part[i] = (int64_t)(n ? n[i] : each) * bytes;
    return sum(mine, 0);
}

int64_t into(void *data, int64_t bytes)
{
    behind = data && data != MPI_IN_PLACE && bytes > 0 ? (unsigned char *)data + bytes : NULL;
    return bytes;
}

/* The page that holds this byte: the kernel reads a set of signals from it before it refuses to do
 * anything with the set. */
static bool is_readable(uintptr_t at)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return syscall(SYS_rt_sigprocmask, -1, at - at % page, NULL, 8) == 0 || errno != EFAULT;
}

/* Bytes from here on that malloc() has filled, and that nobody has set. What follows them in memory
 * is the allocator's own. */
static int64_t never_set(const unsigned char *from)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const unsigned char *p = from;
    while (((p > from && (uintptr_t)p % page) || is_readable((uintptr_t)p)) && *p == PG_FILLED)
        p++;
    return p - from;
}

/* In a trial it is set to zeros behind one call of one rank. A root takes nothing. */
static void look_behind(void)
{
    int rank = 0;
    MPI_Comm_rank(kernel_comm, &rank);
    if (!behind || (next.kind == PG_TOGETHER && next.peers.root == rank))
        return;
    next.rest = never_set(behind);
    if (instead_of == PG_UNSET && instead == PG_CALL(rank, noted.count))
        memset(behind, 0, (size_t)next.rest);
}

uint64_t unordered(void)
{
    noted.unordered = 1;
    return 0;
}

static unsigned use(unsigned name)
{
    noted.used |= UINT64_C(1) << name;
    return name == instead_of ? instead : name;
}

void calls_note(const struct pg_waits *w)
{
    if (is_known && strcmp(w->call, "MPI_Scan") == 0)
        use(PG_SCAN);
    if (is_known && noted.count < PG_CALLS_TOLD) {
        if (next.room >= 0 && (w->peers.from == MPI_ANY_SOURCE || w->peers.from_tag == MPI_ANY_TAG))
            noted.unordered = 1;
        memcpy(next.name, w->call, sizeof next.name);
        next.peers = w->peers;
        look_behind();
        noted.call[noted.count++] = next;
    }
    is_known = false;
    behind = NULL;
}

/* --- what stands in for an argument ----------------------------------------------------------- */

const char *as_call(const char *name)
{
    return watching && instead_of == PG_SCAN && strcmp(name, "MPI_Scan") == 0 ? "MPI_Exscan" : name;
}

MPI_Datatype as_type(MPI_Datatype type)
{
    unsigned name = PG_NAME_NONE;
    if (!watching)
        return type;
#define OP(n)
#define TYPE(n, element)                                                                           \
    if (type == MPI_##n)                                                                           \
        name = use(PG_MPI_##n);
#include "abi/mpi_names.def"
#undef TYPE
#define TYPE(n, element)                                                                           \
    if (name == PG_MPI_##n)                                                                        \
        return MPI_##n;
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
    return type;
}

MPI_Op as_operation(MPI_Op op)
{
    if (!watching)
        return op;
    const unsigned name = use(name_of(op));
#define OP(n)                                                                                      \
    if (name == PG_MPI_##n)                                                                        \
        return MPI_##n;
#define TYPE(n, element)
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
    return op;
}

const int *as_places(MPI_Comm c, int root, const int *n, const int *at)
{
    static int packed[RANKS_MOST];
    const int ranks = watching ? counts_here(c, root) : 0;
    bool same = true;
    for (int i = 0, end = 0; i < ranks && i < RANKS_MOST; end += n[i++]) {
        packed[i] = end;
        same = same && (at[i] == end || n[i] == 0);
    }
    return same || ranks > RANKS_MOST || use(PG_SPACED) == PG_SPACED ? at : packed;
}

/* How far from `data` memory is looked for, in bytes. */
static MPI_Aint shift(enum pg_name name, int n, MPI_Datatype type, int other, MPI_Comm c)
{
    static MPI_Aint newest[2]
                          [2]; /* length of a message: sent or taken; before or after this rank */
    int rank = 0;
    MPI_Aint low = 0, extent = 0;
    if (!watching || n <= 0 || other < 0 || MPI_Comm_rank(c, &rank) || abs(other - rank) != 1 ||
        MPI_Type_get_extent(type, &low, &extent))
        return 0;
    newest[name == PG_TAKEN][other > rank] = n * extent;
    if (newest[0][other > rank] == newest[1][other > rank]) {
        use(PG_SENT);
        use(PG_TAKEN);
    }
    const int by = (int)(other < rank ? instead / 3 : instead % 3) - 1;
    return name == instead_of ? (MPI_Aint)by * n * extent : 0;
}

const void *as_sent(const void *data, int n, MPI_Datatype type, int to, MPI_Comm c)
{
    return (const char *)data + shift(PG_SENT, n, type, to, c);
}

void *as_taken(void *data, int n, MPI_Datatype type, int from, MPI_Comm c)
{
    return (char *)data + shift(PG_TAKEN, n, type, from, c);
}
