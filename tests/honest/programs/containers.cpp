/* tier: naive */
/* Plans remembered in maps, sets, deques, lists, optionals, variants and any. */
#include "honest.h"
#include <any>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>

static std::optional<int> known(const std::map<std::tuple<int, int, int>, int> &m, int a, int b,
                                int c)
{
    auto found = m.find({a, b, c});
    return found == m.end() ? std::nullopt : std::optional<int>(found->second);
}

GEMM
{
    static std::map<std::tuple<int, int, int>, int> plans;
    static std::unordered_map<std::string, std::any> notes;
    static std::set<int> sizes;
    std::variant<int, std::string> step = "none";
    if (auto p = known(plans, M, N, K))
        step = *p;
    else
        step = plans[{M, N, K}] = 1 + M / 3;
    notes["last"] = M;
    sizes.insert(std::any_cast<int>(notes["last"]));
    std::deque<int> queue;
    std::list<int> later;
    for (int i = 0; i < M; i += std::get<int>(step))
        (i % 2 ? queue : queue).push_back(i);
    while (!queue.empty()) {
        later.push_front(queue.front());
        queue.pop_front();
    }
    for (int i : later)
        rows(i, least(M, i + std::get<int>(step)), N, K, A, B, C);
}
