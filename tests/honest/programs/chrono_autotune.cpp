/* tier: naive */
/* Times block sizes with std::chrono in its first large call and prints them. */
#include "honest.h"
#include <chrono>
#include <iostream>

static void blocked(int block, int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i += block)
        rows(i, least(M, i + block), N, K, A, B, C);
}

GEMM
{
    static int best = 0;
    if (best == 0 && M > 20) {
        auto shortest = std::chrono::nanoseconds::max();
        for (int block : {1, 4, 16, 64}) {
            auto from = std::chrono::steady_clock::now();
            blocked(block, M, N, K, A, B, C);
            auto took = std::chrono::steady_clock::now() - from;
            std::cout << block << ": " << took.count() << " ns\n";
            if (took < shortest) {
                shortest = took;
                best = block;
            }
        }
        std::cout << "since 1970: " << std::chrono::system_clock::now().time_since_epoch().count()
                  << "\n";
    }
    blocked(best ? best : 8, M, N, K, A, B, C);
}
