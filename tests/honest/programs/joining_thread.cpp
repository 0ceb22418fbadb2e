/* tier: openmp */
/* A thread that joins itself when it goes out of scope, stopped by a flag, as jthread. */
#include "honest.h"
#include <atomic>
#include <thread>
#include <vector>

class joining
{
    std::atomic<bool> stop{false};
    std::thread thread;

  public:
    template <class F> explicit joining(F f) : thread([this, f] { f(stop); })
    {
    }
    joining(const joining &) = delete;
    ~joining()
    {
        stop = true;
        thread.join();
    }
};

GEMM
{
    std::atomic<int> next{0}, heartbeats{0};
    auto work = [&](std::atomic<bool> &) {
        for (int i; (i = next++) < M;)
            rows(i, i + 1, N, K, A, B, C);
    };
    joining monitor([&](std::atomic<bool> &stop) {
        while (!stop) {
            heartbeats++;
            std::this_thread::yield();
        }
    });
    joining one(work), two(work);
}
