// openmp: Containers, and exceptions that end loops: also one that a thread hands on.
#include <deque>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>
extern "C" {
#include "lists.h"
}

struct finished : std::runtime_error {
    using std::runtime_error::runtime_error;
};

static void search(int n, const std::vector<int32_t> &begin, const std::vector<int32_t> &list,
                   int32_t *parent)
{
    std::vector<bool> seen(static_cast<size_t>(n));
    std::deque<int32_t> queue{0};
    seen.at(0) = true;
    parent[0] = 0;
    for (;;) {
        if (queue.empty())
            throw finished("nothing is left");
        const int32_t at = queue.front();
        queue.pop_front();
        for (auto k = begin.at(static_cast<size_t>(at)); k < begin.at(static_cast<size_t>(at) + 1);
             k++) {
            const int32_t next = list[static_cast<size_t>(k)];
            if (seen[static_cast<size_t>(next)])
                continue;
            seen[static_cast<size_t>(next)] = true;
            parent[next] = at;
            queue.push_back(next);
        }
    }
}

extern "C" void bfs(int n, int m, const int32_t *from, const int32_t *to, int32_t *parent)
{
    std::vector<int32_t> begin(static_cast<size_t>(n) + 1), list(2 * static_cast<size_t>(m) + 1);
    make_lists(n, m, from, to, begin.data(), list.data());
    for (int i = 0; i < n; i++)
        parent[i] = -1;
    std::exception_ptr why;
    std::thread other([&] {
        try {
            search(n, begin, list, parent);
        } catch (...) {
            why = std::current_exception();
        }
    });
    other.join();
    try {
        std::rethrow_exception(why);
    } catch (const finished &) {
    }
}
