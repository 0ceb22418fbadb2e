/*
 * openmp: the simd product on all threads, without a barrier. The work is a row of tasks, panel by
 * panel of B: first those that pack the panel, then one for each block of rows of C, which gets its
 * share of this panel. Threads take tasks in this order. A task waits only for tasks before it, so
 * one can always go on:
 *
 *   - packing, until the panel before the last one, whose buffer it takes, is used up;
 *   - a block of rows, until the panel is packed and the block has its share of the panel before.
 *
 * A thread that loses its core for a while holds up only the task it has. At the end of a panel,
 * threads go on with the next one.
 *
 * build  gcc -std=c11 -O3 -mavx2 -fwrapv -fopenmp -fPIC -shared -I<abi> -o openmp.so openmp.c
 * run    OMP_NUM_THREADS is set by the launch: paragrade check --tier openmp reference/gemm
 */
#include "gemm.h"
#include "gemm_block.h"

#include <omp.h>

struct team {
    struct gemm_micro u;
    int M, N, K;
    const element *A, *B;
    element *C;
    int panels, parts, blocks; /* panels of B; tasks that pack one; blocks of rows of C */
    int mc;                    /* rows of a block */
    element *b;                /* two packed panels, of panel_size elements each */
    size_t panel_size;
    _Atomic int next;    /* task */
    _Atomic int *packed; /* for each panel: its parts that are packed */
    _Atomic int *shares; /* for each block of rows: panels whose share it has */
};

/* A panel: rows pc and on of B, columns jc and on. */
struct panel {
    int jc, nc, pc, kc;
    element *b;
};

static struct panel panel(const struct team *t, int p)
{
    int deep = (t->K + GEMM_KC - 1) / GEMM_KC;
    int jc = p / deep * GEMM_NC, pc = p % deep * GEMM_KC;
    return (struct panel){jc, gemm_least(GEMM_NC, t->N - jc), pc, gemm_least(GEMM_KC, t->K - pc),
                          t->b + (p % 2 ? t->panel_size : 0)};
}

static void pack_part(const struct team *t, int p, int part)
{
    struct panel b = panel(t, p);
    int slivers = (b.nc + t->u.nr - 1) / t->u.nr;
    for (int i = 0; i < t->blocks; i++)
        gemm_wait(&t->shares[i], p - 1);
    gemm_pack_b(b.nc, b.kc, t->u.nr, t->B + (size_t)b.pc * (size_t)t->N + b.jc, (size_t)t->N, b.b,
                slivers * part / t->parts, slivers * (part + 1) / t->parts);
    atomic_fetch_add_explicit(&t->packed[p], 1, memory_order_release);
}

static void add_share(const struct team *t, int p, int block, element *a)
{
    struct panel b = panel(t, p);
    int ic = block * t->mc, mc = gemm_least(t->mc, t->M - ic);
    size_t lda = (size_t)t->K, ldc = (size_t)t->N;
    gemm_pack_a(mc, b.kc, t->u.mr, t->A + (size_t)ic * lda + b.pc, lda, a);
    gemm_wait(&t->packed[p], t->parts);
    gemm_wait(&t->shares[block], p);
    gemm_block(&t->u, mc, b.nc, b.kc, a, b.b, t->C + (size_t)ic * ldc + b.jc, ldc, b.pc > 0);
    atomic_store_explicit(&t->shares[block], p + 1, memory_order_release);
}

/* What each thread does. a: room for a packed block of A. */
static void team_member(struct team *t, element *a)
{
    int per_panel = t->parts + t->blocks, task;
    while ((task = atomic_fetch_add(&t->next, 1)) < t->panels * per_panel) {
        int p = task / per_panel, i = task % per_panel;
        if (i < t->parts)
            pack_part(t, p, i);
        else
            add_share(t, p, i - t->parts, a);
    }
}

/* Rows per block: at most MC, a multiple of mr, at least four blocks per thread if possible. */
static int block_rows(int M, int mr, int threads)
{
    int mc = gemm_round_up((M + 4 * threads - 1) / (4 * threads), mr);
    return gemm_least(GEMM_MC, mc);
}

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    int threads = omp_get_max_threads();
    struct team t = {.u = gemm_choose(), .M = M, .N = N, .K = K, .A = A, .B = B, .C = C};
    int kc = gemm_least(GEMM_KC, K), nc = gemm_packed_columns(N, t.u.nr);
    t.mc = block_rows(M, t.u.mr, threads);
    t.blocks = (M + t.mc - 1) / t.mc;
    t.panels = ((N + GEMM_NC - 1) / GEMM_NC) * ((K + GEMM_KC - 1) / GEMM_KC);
    t.parts = gemm_least(threads, nc / t.u.nr);
    t.panel_size = (size_t)nc * (size_t)kc;
    size_t a_size = ((size_t)t.mc * (size_t)kc + 15) / 16 * 16;
    t.b = gemm_alloc(2 * t.panel_size);
    t.packed = calloc((size_t)t.panels + (size_t)t.blocks, sizeof *t.packed);
    t.shares = t.packed ? t.packed + t.panels : NULL;
    element *a = gemm_alloc(a_size * (size_t)threads);
    if (!a || !t.b || !t.packed) {
        gemm_plain(M, N, K, A, (size_t)K, B, (size_t)N, C, (size_t)N);
    } else {
#pragma omp parallel num_threads(threads)
        team_member(&t, a + a_size * (size_t)omp_get_thread_num());
    }
    free(a);
    free(t.b);
    free(t.packed);
}
