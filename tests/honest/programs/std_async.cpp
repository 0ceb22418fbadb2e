/* tier: openmp */
/* std::async with a future per part. */
#include "honest.h"
#include <future>
#include <vector>

GEMM
{
    std::vector<std::future<int>> futures;
    int n = workers(), sum = 0;
    const job j{M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        futures.push_back(std::async(std::launch::async, [&j, i, n] {
            part(&j, i, n);
            return begin(j.M, i + 1, n) - begin(j.M, i, n);
        }));
    for (auto &f : futures)
        sum += f.get();
    if (sum != M)
        std::abort();
}
