/*
 * simd: one core, vectors of eight (AVX2) or sixteen (AVX-512) integers, chosen at run time.
 *
 * The multiply-add rate is the ceiling: vpmulld and vpaddd on registers. A register tile of 6 x 16
 * needs 2 loads and 6 broadcasts for 12 multiply-adds, so the multiplier stays busy as long as
 * both packed operands come from the first two cache levels: gemm_block.h sees to that.
 *
 * build  gcc -std=c11 -O3 -mavx2 -fwrapv -fPIC -shared -I<abi> -o simd.so simd.c
 * run    paragrade check --tier simd reference/gemm
 */
#include "gemm.h"
#include "gemm_block.h"

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    struct gemm_micro u = gemm_choose();
    size_t lda = (size_t)K, ldb = (size_t)N, ldc = (size_t)N;
    int kc_most = gemm_least(GEMM_KC, K);
    int nc_most = gemm_packed_columns(N, u.nr);
    int mc_most = gemm_least(GEMM_MC, gemm_round_up(M, u.mr));
    element *a = gemm_alloc((size_t)mc_most * (size_t)kc_most);
    element *b = gemm_alloc((size_t)nc_most * (size_t)kc_most);
    if (!a || !b) {
        gemm_plain(M, N, K, A, lda, B, ldb, C, ldc);
    } else {
        for (int jc = 0; jc < N; jc += GEMM_NC) {
            int nc = gemm_least(GEMM_NC, N - jc);
            for (int pc = 0; pc < K; pc += GEMM_KC) {
                int kc = gemm_least(GEMM_KC, K - pc);
                gemm_pack_b(nc, kc, u.nr, B + (size_t)pc * ldb + jc, ldb, b, 0,
                            (nc + u.nr - 1) / u.nr);
                for (int ic = 0; ic < M; ic += GEMM_MC) {
                    int mc = gemm_least(GEMM_MC, M - ic);
                    gemm_pack_a(mc, kc, u.mr, A + (size_t)ic * lda + pc, lda, a);
                    gemm_block(&u, mc, nc, kc, a, b, C + (size_t)ic * ldc + jc, ldc, pc > 0);
                }
            }
        }
    }
    free(a);
    free(b);
}
