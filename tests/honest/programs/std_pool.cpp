/* tier: openmp */
/* A pool of std::thread kept between calls: queue of std::function, condition variables. */
#include "honest.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
class pool
{
    std::mutex lock;
    std::condition_variable more, none;
    std::deque<std::function<void()>> queue;
    std::vector<std::thread> threads;
    int left = 0;
    bool stop = false;

    void run()
    {
        std::unique_lock<std::mutex> l(lock);
        for (;;) {
            more.wait(l, [this] { return stop || !queue.empty(); });
            if (stop)
                return;
            auto f = std::move(queue.front());
            queue.pop_front();
            l.unlock();
            f();
            l.lock();
            if (--left == 0)
                none.notify_all();
        }
    }

  public:
    explicit pool(int n)
    {
        for (int i = 0; i < n; i++)
            threads.emplace_back([this] { run(); });
    }
    ~pool()
    {
        {
            std::lock_guard<std::mutex> l(lock);
            stop = true;
        }
        more.notify_all();
        for (auto &t : threads)
            t.join();
    }
    void put(std::function<void()> f)
    {
        std::lock_guard<std::mutex> l(lock);
        queue.push_back(std::move(f));
        left++;
        more.notify_one();
    }
    void wait()
    {
        std::unique_lock<std::mutex> l(lock);
        none.wait(l, [this] { return left == 0; });
    }
};
} // namespace

GEMM
{
    static pool workshop(workers());
    for (int i = 0; i < M; i += 8)
        workshop.put([=] { rows(i, least(M, i + 8), N, K, A, B, C); });
    workshop.wait();
}
