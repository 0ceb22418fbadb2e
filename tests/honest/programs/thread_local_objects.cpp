/* tier: openmp */
/* Thread-local objects with constructors and destructors. */
#include "honest.h"
#include <atomic>
#include <thread>
#include <vector>

static std::atomic<int> alive;

struct buffer {
    std::vector<int32_t> row;
    buffer()
    {
        alive++;
    }
    ~buffer()
    {
        alive--;
    }
};
static thread_local buffer mine;

GEMM
{
    std::thread t([=] {
        mine.row.resize(N);
        for (int i = 0; i < M; i++) {
            rows(0, 1, N, K, A + (size_t)i * K, B, mine.row.data());
            memcpy(C + (size_t)i * N, mine.row.data(), N * sizeof *C);
        }
    });
    t.join();
    if (alive > 1)
        std::abort();
}
