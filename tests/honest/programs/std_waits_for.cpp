/* tier: openmp */
/* Condition variables with time limits, sleeps and chrono's clocks. */
#include "honest.h"
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

GEMM
{
    using namespace std::chrono_literals;
    std::timed_mutex slow;
    std::mutex lock;
    std::condition_variable changed;
    bool done = false;
    auto from = std::chrono::steady_clock::now();
    std::thread t([&] {
        std::this_thread::sleep_for(10us);
        if (slow.try_lock_for(1s))
            slow.unlock();
        rows(0, M, N, K, A, B, C);
        std::lock_guard<std::mutex> l(lock);
        done = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> l(lock);
        while (!changed.wait_for(l, 1ms, [&] { return done; }))
            ;
    }
    t.join();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    std::clog << took.count() << " s\n";
}
