/*
 * The library finds the functions of MPI in its own dependencies first (see library.c), so they
 * cannot be replaced by name. Instead, the addresses that the loader has written into the tables of
 * the library are overwritten. All its calls through these tables then arrive here.
 */
#include "driver/ranks_mpi.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "driver/calls_mpi.h"
#include "driver/misuse_mpi.h"

static struct {
    double kernel_seconds, mpi_seconds;
    uint64_t bytes;
    bool shared;
    double entered;
} seen;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- the calls -------------------------------------------------------------------------------- */

static uint64_t moved(const void *data, int count, MPI_Datatype type)
{
    int size = 0;
    /* With MPI_IN_PLACE, count and type have no meaning and need not be valid. */
    if (data == MPI_IN_PLACE || count <= 0 || MPI_Type_size(type, &size) != MPI_SUCCESS)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}

/* The same for a rank's part of a call; -1: unknown. */
static int64_t part(const void *data, int count, MPI_Datatype type)
{
    return data == MPI_IN_PLACE ? -1 : (int64_t)moved(data, count, type);
}

static struct pg_waits waits; /* the proctor reads it from outside */

static uint64_t lent(const void *data, int count, MPI_Datatype type, int to, int tag)
{
    const struct pg_misused as = {.kind = PG_SENT_CHANGED, .to = to, .tag = tag};
    misuse_lend(data, moved(data, count, type), type, &as);
    return moved(data, count, type);
}

static uint64_t placed(const struct misuse_parts *p, MPI_Comm comm)
{
    misuse_place(p, comm, &waits.misused);
    return 0;
}

static int sender(int rank)
{
    if (rank == MPI_ANY_SOURCE)
        waits.any_source = 1;
    return rank;
}

#define NOBODY ((struct pg_peers){-1, -1, -1, -1, -1})
#define TO(rank, tag) ((struct pg_peers){(rank), -1, -1, (tag), -1})
#define FROM(rank, tag) ((struct pg_peers){-1, sender(rank), -1, -1, (tag)})
#define TO_FROM(to, from, tag, rtag) ((struct pg_peers){(to), sender(from), -1, (tag), (rtag)})
#define ROOT(rank) ((struct pg_peers){-1, -1, (rank), -1, -1})

/* Operations that do not block: the newest ones, in a ring. */
enum { BEGUN_MOST = 64 };

static struct {
    MPI_Request request;
    struct pg_operation is;
} begun[BEGUN_MOST];

/* The request of every operation that has ended as soon as it began. */
static MPI_Request ended = MPI_REQUEST_NULL;

static void remember(const MPI_Request *r, struct pg_peers p, uint64_t bytes)
{
    static unsigned next;
    if (!r || (p.to < 0 && p.from < 0) || *r == ended)
        return;
    begun[next].request = *r;
    begun[next].is = (struct pg_operation){bytes, p.to, p.from, p.to >= 0 ? p.to_tag : p.from_tag};
    next = (next + 1) % BEGUN_MOST;
}

/* What a call waits for that is given n requests. A request may have the number of an earlier one.
 */
static void wait_for(const MPI_Request *r, int n)
{
    waits.operations = 0;
    for (int i = 0; r && i < n && waits.operations < PG_OPERATIONS_TOLD; i++) {
        if (r[i] == MPI_REQUEST_NULL)
            continue;
        for (unsigned b = 0; b < BEGUN_MOST; b++)
            if (begun[b].request == r[i]) {
                waits.operation[waits.operations++] = begun[b].is;
                break;
            }
    }
}

static void wait_in(const char *name, struct pg_peers peers, uint64_t bytes)
{
    snprintf(waits.call, sizeof waits.call, "MPI_%s", name);
    waits.peers = peers;
    waits.bytes = bytes;
    waits.calls++;
    waits.state = PG_WAITS;
}

/* Of n requests, those whose operations have not ended. */
static int64_t running(const MPI_Request *r, int n)
{
    int64_t count = 0;
    for (int i = 0; r && i < n; i++)
        count += r[i] != MPI_REQUEST_NULL;
    return count;
}

/* Each function passes the call on, and records how long it took, what this rank moved, and
 * by how many operations more run after the call than before it. */
#define WATCHED(name, parameters, arguments, bytes_moved, peers_asked, before, after, with, n,     \
                opened)                                                                            \
    static int watched_##name parameters                                                           \
    {                                                                                              \
        const uint64_t bytes = (bytes_moved);                                                      \
        const int64_t ran = (before);                                                              \
        double start = now();                                                                      \
        wait_for(with, n);                                                                         \
        misuse_ask(with, n, &waits.misused);                                                       \
        wait_in(#name, peers_asked, bytes);                                                        \
        calls_note(&waits);                                                                        \
        int rc = MPI_##name arguments;                                                             \
        waits.state = PG_COMPUTES;                                                                 \
        waits.open += (after)-ran;                                                                 \
        remember(opened, peers_asked, bytes);                                                      \
        misuse_answered(opened);                                                                   \
        seen.mpi_seconds += now() - start;                                                         \
        seen.bytes += bytes;                                                                       \
        return rc;                                                                                 \
    }
#define CALL(name, parameters, arguments, bytes_moved, peers_asked)                                \
    WATCHED(name, parameters, arguments, bytes_moved, peers_asked, 0, 0, NULL, 0, NULL)
#define OPENS(name, parameters, arguments, bytes_moved, peers_asked, r)                            \
    WATCHED(name, parameters, arguments, bytes_moved, peers_asked, 0, running(r, 1), NULL, 0, r)
#define ENDS(name, parameters, arguments, bytes_moved, peers_asked, r, n)                          \
    WATCHED(name, parameters, arguments, bytes_moved, peers_asked, running(r, n), running(r, n),   \
            r, n, NULL)
#include "driver/ranks_mpi.def"
#undef CALL
#undef OPENS
#undef ENDS

static int watched_op_create(MPI_User_function *f, int commutes, MPI_Op *op)
{
    waits.own_operations = 1;
    return MPI_Op_create(f, commutes, op);
}

static const struct {
    const char *name;
    void (*function)(void);
} calls[] = {
    {"MPI_Op_create", (void (*)(void))watched_op_create},
#define CALL(name, parameters, arguments, bytes_moved, peers_asked)                                \
    {"MPI_" #name, (void (*)(void))watched_##name},
#define OPENS(name, parameters, arguments, bytes_moved, peers_asked, r)                            \
    CALL(name, parameters, arguments, bytes_moved, peers_asked)
#define ENDS(name, parameters, arguments, bytes_moved, peers_asked, r, n)                          \
    CALL(name, parameters, arguments, bytes_moved, peers_asked)
#include "driver/ranks_mpi.def"
#undef CALL
#undef OPENS
#undef ENDS
};

/* --- the library's tables --------------------------------------------------------------------- */

static void (*replacement(const char *name))(void)
{
    if (strncmp(name, "PMPI_", 5) == 0)
        name++;
    name = as_call(name);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].function;
    return NULL;
}

static void replace(char *slot, void (*function)(void))
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = slot - (uintptr_t)slot % page;
    /* The loader may have made the table read-only. */
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0)
        memcpy(slot, &function, sizeof function);
}

static void replace_in(const struct link_map *map, const Elf64_Rela *rela, size_t count,
                       const Elf64_Sym *symbols, const char *names)
{
    for (size_t i = 0; i < count; i++) {
        unsigned long type = ELF64_R_TYPE(rela[i].r_info), symbol = ELF64_R_SYM(rela[i].r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64)
            continue;
        void (*function)(void) = symbol ? replacement(names + symbols[symbol].st_name) : NULL;
        if (function)
            replace((char *)(map->l_addr + rela[i].r_offset), function);
    }
}

void ranks_watch(const void *function, MPI_Comm comm)
{
    misuse_watch();
    waits.noted = (uint64_t)(uintptr_t)calls_watch(comm);
    MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &ended);
#if defined(__x86_64__)
    Dl_info info;
    struct link_map *map = NULL;
    const Elf64_Rela *rela = NULL, *plt = NULL;
    const Elf64_Sym *symbols = NULL;
    const char *names = NULL;
    size_t rela_bytes = 0, plt_bytes = 0;
    if (!dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return;
    for (const Elf64_Dyn *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) { /* addresses are absolute: the loader has made them so */
        case DT_RELA:
            rela = (const Elf64_Rela *)d->d_un.d_ptr;
            break;
        case DT_RELASZ:
            rela_bytes = d->d_un.d_val;
            break;
        case DT_JMPREL:
            plt = (const Elf64_Rela *)d->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            plt_bytes = d->d_un.d_val;
            break;
        case DT_SYMTAB:
            symbols = (const Elf64_Sym *)d->d_un.d_ptr;
            break;
        case DT_STRTAB:
            names = (const char *)d->d_un.d_ptr;
            break;
        default:
            break;
        }
    }
    if (!symbols || !names)
        return;
    if (rela)
        replace_in(map, rela, rela_bytes / sizeof *rela, symbols, names);
    if (plt)
        replace_in(map, plt, plt_bytes / sizeof *plt, symbols, names);
#else
    (void)function;
#endif
}

/* --- the kernel ------------------------------------------------------------------------------- */

void ranks_enter(void)
{
    seen.entered = now();
    waits.open = 0;
    waits.state = PG_COMPUTES;
    calls_forget();
}

void ranks_leave(void)
{
    seen.kernel_seconds += now() - seen.entered;
    waits.state = PG_RETURNED;
    waits.calls++;
}

uint64_t ranks_waits(void)
{
    return (uint64_t)(uintptr_t)&waits;
}

void ranks_take(struct pg_rank *r)
{
    r->kernel_seconds = seen.kernel_seconds;
    r->mpi_seconds = seen.mpi_seconds;
    r->bytes = seen.bytes;
    r->shared = seen.shared;
    seen.kernel_seconds = seen.mpi_seconds = 0;
    seen.bytes = 0;
}
