#include "driver/misuse_mpi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static bool watching;

void misuse_watch(void)
{
    watching = getenv(PG_ENV_WATCH) != NULL;
    unsetenv(PG_ENV_WATCH);
}

/* Elements of this type lie side by side. */
static bool is_dense(MPI_Datatype type)
{
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    return MPI_Type_size(type, &size) == MPI_SUCCESS &&
           MPI_Type_get_extent(type, &low, &extent) == MPI_SUCCESS && low == 0 && extent == size &&
           size > 0;
}

/* --- messages that have not left ------------------------------------------------------------- */

enum { LENT_MOST = 64 };

/* The newest ones, in a ring. bytes: 0 for none. */
struct lent {
    MPI_Request request;
    const unsigned char *data;
    uint64_t bytes, hash;
    const MPI_Request *asked; /* by a call for this request */
    struct pg_misused as;
};

static struct lent lent[LENT_MOST], next_lent;

/* FNV-1a. False: the memory is no longer there. */
static bool hash_of(const struct lent *l, uint64_t *hash)
{
    const uintptr_t start = (uintptr_t)l->data, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = start - start % page;
    /* It fails where nothing is mapped, and does nothing otherwise. */
    if (msync((void *)first, start + l->bytes - first, MS_ASYNC) != 0)
        return false;
    *hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < l->bytes; i++)
        *hash = (*hash ^ l->data[i]) * UINT64_C(0x100000001b3);
    return true;
}

void misuse_lend(const void *data, uint64_t bytes, MPI_Datatype type, const struct pg_misused *as)
{
    if (!watching)
        return;
    next_lent = (struct lent){.data = data, .bytes = bytes, .as = *as};
    if (!data || !bytes || !is_dense(type) || !hash_of(&next_lent, &next_lent.hash))
        next_lent.bytes = 0;
}

void misuse_ask(const MPI_Request *r, int n, struct pg_misused *m)
{
    for (unsigned i = 0; watching && r && i < LENT_MOST; i++)
        for (int k = 0; lent[i].bytes && k < n; k++) {
            uint64_t hash = 0;
            if (lent[i].request != r[k])
                continue;
            lent[i].asked = &r[k];
            if (m->kind == PG_MISUSE_NONE && (!hash_of(&lent[i], &hash) || hash != lent[i].hash))
                *m = lent[i].as;
        }
}

/* A request may get the number of one that has ended. */
void misuse_answered(const MPI_Request *opened)
{
    for (unsigned i = 0; watching && i < LENT_MOST; i++) {
        if ((lent[i].asked && *lent[i].asked == MPI_REQUEST_NULL) ||
            (opened && lent[i].request == *opened))
            lent[i].bytes = 0;
        lent[i].asked = NULL;
    }
    if (watching && opened && next_lent.bytes) {
        static unsigned next;
        lent[next] = next_lent;
        lent[next].request = *opened;
        next = (next + 1) % LENT_MOST;
    }
    next_lent.bytes = 0;
}

/* --- parts of several ranks ------------------------------------------------------------------- */

static bool overlap(const struct misuse_parts *p, int a, int b)
{
    return p->count[a] > 0 && p->count[b] > 0 && p->at[a] < (int64_t)p->at[b] + p->count[b] &&
           p->at[b] < (int64_t)p->at[a] + p->count[a];
}

static void tell(const struct misuse_parts *p, int a, int b, struct pg_misused *m)
{
    *m = (struct pg_misused){
        .kind = PG_PARTS_OVERLAP,
        .rank = {a, b},
        .from = {p->at[a], p->at[b]},
        .until = {(int64_t)p->at[a] + p->count[a], (int64_t)p->at[b] + p->count[b]}};
    snprintf(m->call, sizeof m->call, "%s", p->call);
}

void misuse_place(const struct misuse_parts *p, MPI_Comm comm, struct pg_misused *m)
{
    int rank, ranks, inter;
    if (!watching || m->kind != PG_MISUSE_NONE || MPI_Comm_test_inter(comm, &inter) || inter ||
        MPI_Comm_rank(comm, &rank) || MPI_Comm_size(comm, &ranks) ||
        (p->root >= 0 && p->root != rank) || !is_dense(p->type))
        return;
    for (int b = 1; b < ranks; b++)
        for (int a = 0; a < b && m->kind == PG_MISUSE_NONE; a++)
            if (overlap(p, a, b))
                tell(p, a, b, m);
}
