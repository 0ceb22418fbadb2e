/* tier: openmp */
/* OpenMP inside a std::thread, and exceptions inside OpenMP. */
#include "honest.h"
#include <stdexcept>
#include <thread>

GEMM
{
    std::thread t([=] {
#pragma omp parallel for
        for (int i = 0; i < M; i++)
            try {
                if (i % 3 == 0)
                    throw std::out_of_range("every third");
                rows(i, i + 1, N, K, A, B, C);
            } catch (const std::out_of_range &) {
                rows(i, i + 1, N, K, A, B, C);
            }
    });
    t.join();
}
