/* tier: openmp */
/* An exception carried from one thread to the other. */
#include "honest.h"
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

GEMM
{
    std::exception_ptr carried;
    std::thread t([&] {
        try {
            throw std::runtime_error("no");
        } catch (...) {
            carried = std::current_exception();
        }
    });
    t.join();
    auto f = std::async(std::launch::async, []() -> int { throw 7; });
    int seen = 0;
    try {
        std::rethrow_exception(carried);
    } catch (const std::exception &) {
        seen++;
    }
    try {
        f.get();
    } catch (int) {
        seen++;
    }
    if (seen == 2)
        rows(0, M, N, K, A, B, C);
}
