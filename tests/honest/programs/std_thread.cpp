/* tier: openmp */
/* std::thread, joined in each call, with lambdas that hold references. */
#include "honest.h"
#include <thread>
#include <vector>

GEMM
{
    std::vector<std::thread> threads;
    int n = workers();
    const job j{M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        threads.emplace_back([&j, i, n] { part(&j, i, n); });
    for (auto &t : threads)
        t.join();
}
