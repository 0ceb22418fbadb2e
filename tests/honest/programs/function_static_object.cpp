/* tier: naive */
/* A static object made in the first call, ended when the process ends. */
#include "honest.h"
#include <cstdio>
#include <vector>

class workspace
{
    std::vector<int32_t> space;

  public:
    workspace()
    {
        std::puts("made");
    }
    ~workspace()
    {
        std::puts("ended");
    }
    int32_t *get(size_t n)
    {
        if (space.size() < n)
            space.resize(n);
        return space.data();
    }
};

GEMM
{
    static workspace w;
    int32_t *copy = w.get((size_t)K * N);
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
}
