/*
 * openmp: the simd product on all threads. They pack one panel of B together, then take blocks of
 * rows of C one after the other (dynamic: a thread that loses its core for a while holds up only
 * the block it has). Blocks are made smaller than MC when there are few of them per thread.
 *
 * build  gcc -std=c11 -O3 -mavx2 -fwrapv -fopenmp -fPIC -shared -I<abi> -o openmp.so openmp.c
 * run    OMP_NUM_THREADS is set by the launch: paragrade check --tier openmp reference/gemm
 */
#include "gemm.h"
#include "gemm_block.h"

#include <omp.h>

/* Rows per block: at most MC, a multiple of mr, at least four blocks per thread if possible. */
static int block_rows(int M, int mr, int threads)
{
    int mc = gemm_round_up((M + 4 * threads - 1) / (4 * threads), mr);
    return gemm_least(GEMM_MC, mc);
}

/* What one thread does; all threads of the team call it together. */
static void team_member(const struct gemm_micro *u, int M, int N, int K, const element *A,
                        const element *B, element *C, element *b, element *a, int mc_most)
{
    size_t lda = (size_t)K, ldb = (size_t)N, ldc = (size_t)N;
    for (int jc = 0; jc < N; jc += GEMM_NC) {
        int nc = gemm_least(GEMM_NC, N - jc), slivers = (nc + u->nr - 1) / u->nr;
        for (int pc = 0; pc < K; pc += GEMM_KC) {
            int kc = gemm_least(GEMM_KC, K - pc);
#pragma omp for schedule(static)
            for (int s = 0; s < slivers; s++)
                gemm_pack_b(nc, kc, u->nr, B + (size_t)pc * ldb + jc, ldb, b, s, s + 1);
                /* the implicit barrier above: the panel is complete */
#pragma omp for schedule(dynamic)
            for (int ic = 0; ic < M; ic += mc_most) {
                int mc = gemm_least(mc_most, M - ic);
                gemm_pack_a(mc, kc, u->mr, A + (size_t)ic * lda + pc, lda, a);
                gemm_block(u, mc, nc, kc, a, b, C + (size_t)ic * ldc + jc, ldc, pc > 0);
            }
            /* and here: nobody needs the panel any more */
        }
    }
}

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    struct gemm_micro u = gemm_choose();
    int threads = omp_get_max_threads();
    int kc = gemm_least(GEMM_KC, K), nc = gemm_least(GEMM_NC, gemm_round_up(N, u.nr));
    int mc = block_rows(M, u.mr, threads);
    size_t a_size = (size_t)mc * (size_t)kc;
    a_size = (a_size + 15) / 16 * 16;
    element *b = gemm_alloc((size_t)nc * (size_t)kc);
    element *a = gemm_alloc(a_size * (size_t)threads);
    if (!a || !b) {
        gemm_plain(M, N, K, A, (size_t)K, B, (size_t)N, C, (size_t)N);
    } else {
#pragma omp parallel num_threads(threads)
        team_member(&u, M, N, K, A, B, C, b, a + a_size * (size_t)omp_get_thread_num(), mc);
    }
    free(a);
    free(b);
}
