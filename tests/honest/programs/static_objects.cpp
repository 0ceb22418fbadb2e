/* tier: naive */
/* Global objects with constructors: maps, strings, a table computed at start. */
#include "honest.h"
#include <array>
#include <map>
#include <string>
#include <vector>

static const std::map<std::string, int> blocks = {{"small", 4}, {"large", 64}};
static std::vector<int> sizes(100, 16);
static const std::string name = "a string that is longer than what fits in place";
struct counter {
    int calls = 0;
    counter()
    {
        sizes[0] = 8;
    }
    ~counter()
    {
        sizes.clear();
    }
};
static counter count;

GEMM
{
    int block = M < 32 ? blocks.at("small") : blocks.at("large");
    block += sizes[0] + ++count.calls % 2 + (int)name.size() % 2;
    for (int i = 0; i < M; i += block)
        rows(i, least(M, i + block), N, K, A, B, C);
}
