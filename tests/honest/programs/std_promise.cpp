/* tier: openmp */
/* Promises and packaged tasks between threads, shared futures. */
#include "honest.h"
#include <future>
#include <thread>
#include <utility>

GEMM
{
    const job j{M, N, K, A, B, C};
    std::promise<const job *> given;
    std::shared_future<const job *> taken = given.get_future().share();
    std::packaged_task<int(int)> half([taken](int i) {
        part(taken.get(), i, 2);
        return i;
    });
    auto done = half.get_future();
    std::thread t(std::move(half), 1);
    given.set_value(&j);
    part(taken.get(), 0, 2);
    if (done.get() != 1)
        std::abort();
    t.join();
}
