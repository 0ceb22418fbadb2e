/* tier: naive */
/* std::function, lambdas that call themselves, bind and member pointers. */
#include "honest.h"
#include <functional>

struct block {
    int32_t sum = 0;
    void add(int32_t x)
    {
        sum += x;
    }
};

GEMM
{
    std::function<void(int, int)> halve = [&](int from, int to) {
        if (to - from > 4) {
            int middle = (from + to) / 2;
            halve(from, middle);
            halve(middle, to);
            return;
        }
        for (int i = from; i < to; i++)
            for (int j = 0; j < N; j++) {
                block b;
                auto add = std::bind(&block::add, &b, std::placeholders::_1);
                for (int k = 0; k < K; k++)
                    add(A[(size_t)i * K + k] * B[(size_t)k * N + j]);
                C[(size_t)i * N + j] = b.sum;
            }
    };
    halve(0, M);
}
