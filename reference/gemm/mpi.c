/*
 * mpi: the ranks of a node work on one copy of everything in shared memory (MPI-3 windows;
 * T. Hoefler et al.: MPI + MPI, Computing 95, 2013): what can be looked at need not be sent.
 *
 *   - The node's leader packs B panel by panel into the window, and copies A beside it. A rank
 *     starts as soon as its first panel is there, while the leader goes on.
 *   - Blocks of C are claimed from a counter in the window, column block by column block: all ranks
 *     use the same NC columns of B, which are in the shared cache. The leader joins when it has
 *     packed everything; blocks get smaller towards the end, so that all finish together.
 *   - The leader computes into C itself. What others computed it copies from the window, as soon as
 *     a block is finished: only the last blocks are left at the end.
 *   - Between nodes, rows are dealt out in proportion to ranks: leaders receive B by broadcast and
 *     their rows of A, and return their rows of C.
 *
 * OpenMP threads inside a rank claim blocks like ranks do.
 *
 * build  mpicc -std=c11 -O3 -mavx2 -fwrapv -fopenmp -DPARAGRADE_MPI -fPIC -shared -I<abi> \
 *            -o mpi.so mpi.c
 * run    paragrade check --tier mpi reference/gemm
 */
#include "gemm.h"
#include "gemm_block.h"

#include <omp.h>
#include <stdbool.h>

/* At the start of the window. */
struct progress {
    _Atomic int rows_of_a; /* copied so far */
    _Atomic int panels;    /* of B packed so far */
    _Atomic int next_row;  /* to be claimed */
    /* For a block of rows that is finished, at its first row: how many they are, negative if they
     * are in the leader's C already. 0: not finished, or no block begins there. */
    _Atomic int finished[];
};

enum { PAGE = 4096 };

/* The window is kept from call to call: making one costs more than a small product. */
static struct {
    MPI_Comm of;    /* the communicator it was made for */
    MPI_Comm node;  /* its ranks on this node */
    MPI_Comm heads; /* the nodes' leaders; MPI_COMM_NULL elsewhere */
    int rank;       /* on the node; 0: its leader */
    MPI_Win win;
    size_t capacity;
    char *base;
} shared = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL, 0, MPI_WIN_NULL, 0, NULL};

static void split_by_node(MPI_Comm comm)
{
    if (shared.of == comm)
        return;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared.node);
    MPI_Comm_rank(shared.node, &shared.rank);
    MPI_Comm_split(comm, shared.rank == 0 ? 0 : MPI_UNDEFINED, 0, &shared.heads);
    shared.of = comm;
}

/* Collective on the node: a window of at least this size, held by the leader. */
static void reserve(size_t bytes, bool leader)
{
    if (bytes <= shared.capacity)
        return;
    if (shared.win != MPI_WIN_NULL)
        MPI_Win_free(&shared.win);
    int unit;
    MPI_Aint size;
    void *mine, *base;
    MPI_Win_allocate_shared(leader ? (MPI_Aint)(bytes + PAGE) : 0, 1, MPI_INFO_NULL, shared.node,
                            &mine, &shared.win);
    MPI_Win_shared_query(shared.win, 0, &size, &unit, &base);
    /* Aligned to pages: the same place in every rank, since all map the same pages. */
    shared.base = (char *)(((uintptr_t)base + PAGE - 1) / PAGE * PAGE);
    shared.capacity = bytes;
}

/* One product on one node. Its rows are numbered column block by column block: row i of the block
 * that begins at column c * NC has the number c * M + i. */
struct job {
    struct gemm_micro u;
    int M, N, K;
    const element *A; /* on the leader: the caller's; elsewhere the window's */
    const element *B; /* on the leader only */
    element *C;       /* on the leader: the caller's; elsewhere the window's */
    int leader;
    int workers; /* threads of all ranks of the node */
    int rows;    /* of all column blocks */
    struct progress *p;
    element *a, *b, *c; /* in the window: A, packed B, C */
    int fetched;        /* by the leader: rows that are complete */
};

/* Where the packed panel (jc, pc) starts: all panels of a column block lie together. */
static size_t panel_at(const struct job *j, int jc, int pc)
{
    size_t before = (size_t)(jc / GEMM_NC) * (size_t)gemm_packed_columns(GEMM_NC, j->u.nr);
    return before * (size_t)j->K + (size_t)pc * (size_t)gemm_packed_columns(j->N - jc, j->u.nr);
}

static void copy_rows_of_a(const struct job *j, int from, int to)
{
    memcpy(j->a + (size_t)from * (size_t)j->K, j->A + (size_t)from * (size_t)j->K,
           (size_t)(to - from) * (size_t)j->K * sizeof *j->a);
    atomic_store_explicit(&j->p->rows_of_a, to, memory_order_release);
}

/* How many rows from this one on are claimed together: a quarter of a fair share of what is left,
 * and not beyond the column block. */
static int rows_of_claim(const struct job *j, int from)
{
    int share = (j->rows - from + 4 * j->workers - 1) / (4 * j->workers);
    int rows = gemm_least(gemm_round_up(share, j->u.mr), GEMM_MC);
    return gemm_least(rows, j->M - from % j->M);
}

/* The panels of the column block that begins at jc. */
static void pack_column_block(const struct job *j, int jc)
{
    int nc = gemm_least(GEMM_NC, j->N - jc);
    for (int pc = 0; pc < j->K; pc += GEMM_KC) {
        int kc = gemm_least(GEMM_KC, j->K - pc);
        gemm_pack_b(nc, kc, j->u.nr, j->B + (size_t)pc * (size_t)j->N + jc, (size_t)j->N,
                    j->b + panel_at(j, jc, pc), 0, (nc + j->u.nr - 1) / j->u.nr);
        atomic_fetch_add_explicit(&j->p->panels, 1, memory_order_release);
    }
}

/* What only the leader can do, in the order in which it is needed. */
static void provide(const struct job *j)
{
    int others = j->workers - 1, first = gemm_least(j->M, others * rows_of_claim(j, 0));
    if (others)
        copy_rows_of_a(j, 0, first);
    pack_column_block(j, 0);
    for (int i = first; others && i < j->M; i += GEMM_MC)
        copy_rows_of_a(j, i, gemm_least(j->M, i + GEMM_MC));
    for (int jc = GEMM_NC; jc < j->N; jc += GEMM_NC)
        pack_column_block(j, jc);
}

/* The next rows of C: [*from, return value). 0: all are claimed. */
static int claim(const struct job *j, int *from)
{
    int at = atomic_load(&j->p->next_row), rows;
    do {
        if (at >= j->rows)
            return 0;
        rows = rows_of_claim(j, at);
    } while (!atomic_compare_exchange_weak(&j->p->next_row, &at, at + rows));
    *from = at;
    return at + rows;
}

/* Rows [from, from + rows) of the columns from jc on. */
static void compute_rows(const struct job *j, int jc, int from, int rows, element *packed)
{
    size_t lda = (size_t)j->K, ldc = (size_t)j->N;
    int nc = gemm_least(GEMM_NC, j->N - jc);
    int panel = jc / GEMM_NC * ((j->K + GEMM_KC - 1) / GEMM_KC);
    if (!j->leader)
        gemm_wait(&j->p->rows_of_a, from + rows);
    for (int pc = 0; pc < j->K; pc += GEMM_KC) {
        int kc = gemm_least(GEMM_KC, j->K - pc);
        gemm_wait(&j->p->panels, ++panel);
        gemm_pack_a(rows, kc, j->u.mr, j->A + (size_t)from * lda + pc, lda, packed);
        gemm_block(&j->u, rows, nc, kc, packed, j->b + panel_at(j, jc, pc),
                   j->C + (size_t)from * ldc + jc, ldc, pc > 0);
    }
}

/* Copy the finished blocks of other ranks, up to the first one that is not finished. Only the
 * leader's first thread does so. */
static void fetch_finished(struct job *j)
{
    while (j->fetched < j->rows) {
        int from = j->fetched;
        int rows = atomic_load_explicit(&j->p->finished[from], memory_order_acquire);
        if (rows == 0)
            break;
        size_t jc = (size_t)(from / j->M) * GEMM_NC, at = (size_t)(from % j->M) * (size_t)j->N + jc;
        size_t nc = (size_t)gemm_least(GEMM_NC, j->N - (int)jc);
        for (int i = 0; i < rows; i++, at += (size_t)j->N)
            memcpy(j->C + at, j->c + at, nc * sizeof *j->C);
        j->fetched += rows < 0 ? -rows : rows;
    }
}

/* Every thread of every rank. */
static void work(struct job *j)
{
    int kc = gemm_least(GEMM_KC, j->K), from = 0, to;
    size_t need = (size_t)gemm_least(GEMM_MC, gemm_round_up(j->M, j->u.mr)) * (size_t)kc;
    element *packed = gemm_alloc(need);
    bool fetches = j->leader && omp_get_thread_num() == 0;
    if (fetches)
        provide(j);
    while (packed && (to = claim(j, &from)) > 0) {
        int rows = to - from;
        compute_rows(j, from / j->M * GEMM_NC, from % j->M, rows, packed);
        atomic_store_explicit(&j->p->finished[from], j->leader ? -rows : rows,
                              memory_order_release);
        if (fetches)
            fetch_finished(j);
    }
    free(packed);
}

static size_t aligned(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static void node_product(int M, int N, int K, const element *A, const element *B, element *C)
{
    int ranks;
    MPI_Comm_size(shared.node, &ranks);
    struct job j = {.u = gemm_choose(), .M = M, .N = N, .K = K, .A = A, .B = B, .C = C};
    j.rows = M * ((N + GEMM_NC - 1) / GEMM_NC);
    size_t a_bytes = aligned((size_t)M * (size_t)K * sizeof(element));
    int last = (N - 1) / GEMM_NC * GEMM_NC; /* column block: its first column */
    size_t b_bytes = aligned(panel_at(&j, last, K) * sizeof(element));
    size_t c_bytes = aligned((size_t)M * (size_t)N * sizeof(element));
    size_t p_bytes = aligned(sizeof *j.p + (size_t)j.rows * sizeof j.p->finished[0]);
    reserve(p_bytes + a_bytes + b_bytes + c_bytes, shared.rank == 0);
    j.p = (struct progress *)shared.base;
    j.a = (element *)(void *)(shared.base + p_bytes);
    j.b = (element *)(void *)(shared.base + p_bytes + a_bytes);
    j.c = (element *)(void *)(shared.base + p_bytes + a_bytes + b_bytes);
    j.leader = shared.rank == 0;
    j.workers = ranks * omp_get_max_threads();
    if (j.leader) {
        atomic_store(&j.p->rows_of_a, 0);
        atomic_store(&j.p->panels, 0);
        atomic_store(&j.p->next_row, 0);
        for (int i = 0; i < j.rows; i++)
            atomic_store_explicit(&j.p->finished[i], 0, memory_order_relaxed);
    } else {
        j.A = j.a;
        j.C = j.c;
    }
    MPI_Barrier(shared.node);
#pragma omp parallel
    work(&j);
    MPI_Barrier(shared.node);
    if (!j.leader)
        return;
    fetch_finished(&j);
    while (j.fetched < j.rows) { /* no thread had memory to pack A */
        int from = j.fetched % M, jc = j.fetched / M * GEMM_NC;
        gemm_plain(M - from, gemm_least(GEMM_NC, N - jc), K, A + (size_t)from * (size_t)K,
                   (size_t)K, B + jc, (size_t)N, C + (size_t)from * (size_t)N + jc, (size_t)N);
        j.fetched += M - from;
    }
}

static _Noreturn void out_of_memory(void)
{
    MPI_Abort(shared.of, 1);
    abort();
}

/* Rows per node, in proportion to its ranks, and where they start. */
static void deal_rows(int M, int heads, const int *ranks, int *rows, int *start)
{
    long long total = 0, before = 0;
    for (int i = 0; i < heads; i++)
        total += ranks[i];
    for (int i = 0; i < heads; i++) {
        start[i] = (int)(M * before / total);
        before += ranks[i];
        rows[i] = (int)(M * before / total) - start[i];
    }
}

static void between_nodes(int M, int N, int K, const element *A, const element *B, element *C,
                          int heads)
{
    int head = -1, my_ranks, my_rows = 0;
    int *ranks = NULL, *rows = NULL, *start = NULL;
    element *a = NULL, *b = NULL, *c = NULL;
    MPI_Datatype row_of_a = MPI_DATATYPE_NULL, row_of_c = MPI_DATATYPE_NULL;
    MPI_Comm_size(shared.node, &my_ranks);
    if (shared.heads != MPI_COMM_NULL) {
        MPI_Comm_rank(shared.heads, &head);
        ranks = calloc((size_t)heads * 3, sizeof *ranks);
        b = head == 0 ? NULL : gemm_alloc((size_t)K * (size_t)N);
        if (!ranks || (head && !b))
            out_of_memory();
        rows = ranks + heads;
        start = rows + heads;
        MPI_Allgather(&my_ranks, 1, MPI_INT, ranks, 1, MPI_INT, shared.heads);
        deal_rows(M, heads, ranks, rows, start);
        my_rows = rows[head];
        /* Whole rows as units: element counts would overflow an int for large matrices. */
        MPI_Type_contiguous(K, ELEMENT_MPI, &row_of_a);
        MPI_Type_contiguous(N, ELEMENT_MPI, &row_of_c);
        MPI_Type_commit(&row_of_a);
        MPI_Type_commit(&row_of_c);
        if (head) {
            a = gemm_alloc((size_t)my_rows * (size_t)K + 1);
            c = gemm_alloc((size_t)my_rows * (size_t)N + 1);
            if (!a || !c)
                out_of_memory();
        }
        MPI_Bcast(head ? b : (void *)(uintptr_t)B, K, row_of_c, 0, shared.heads);
        MPI_Scatterv(A, rows, start, row_of_a, head ? a : MPI_IN_PLACE, my_rows, row_of_a, 0,
                     shared.heads);
    }
    MPI_Bcast(&my_rows, 1, MPI_INT, 0, shared.node);
    if (my_rows)
        node_product(my_rows, N, K, head ? a : A, head ? b : B, head ? c : C);
    if (shared.heads != MPI_COMM_NULL) {
        MPI_Gatherv(head ? c : MPI_IN_PLACE, my_rows, row_of_c, C, rows, start, row_of_c, 0,
                    shared.heads);
        MPI_Type_free(&row_of_a);
        MPI_Type_free(&row_of_c);
    }
    free(ranks);
    free(a);
    free(b);
    free(c);
}

void GEMM_MPI(int M, int N, int K, const element *A, const element *B, element *C, MPI_Comm comm)
{
    int ranks, on_node;
    split_by_node(comm);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_size(shared.node, &on_node);
    if (on_node == ranks) {
        node_product(M, N, K, A, B, C);
        return;
    }
    int heads = 0;
    if (shared.heads != MPI_COMM_NULL)
        MPI_Comm_size(shared.heads, &heads);
    between_nodes(M, N, K, A, B, C, heads);
}
