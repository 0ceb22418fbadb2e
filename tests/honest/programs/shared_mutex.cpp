/* tier: openmp */
/* Readers and a writer; std::call_once; recursive mutex. */
#include "honest.h"
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::once_flag once;
static std::shared_mutex lock;
static std::recursive_mutex again;
static int block;

GEMM
{
    std::call_once(once, [] { block = 4; });
    int next = 0;
    auto work = [&] {
        for (;;) {
            int i;
            {
                std::unique_lock<std::shared_mutex> l(lock);
                i = next;
                next += block;
            }
            std::shared_lock<std::shared_mutex> l(lock);
            int step = block;
            l.unlock();
            if (i >= M)
                return;
            std::scoped_lock both(again);
            std::lock_guard<std::recursive_mutex> inner(again);
            rows(i, least(M, i + step), N, K, A, B, C);
        }
    };
    std::thread t(work);
    work();
    t.join();
}
