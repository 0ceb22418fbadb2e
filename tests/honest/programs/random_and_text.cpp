/* tier: naive */
/* Random numbers, bit sets, strings and conversions of the C++ library. */
#include "honest.h"
#include <bitset>
#include <charconv>
#include <complex>
#include <random>
#include <string>
#include <string_view>

GEMM
{
    std::mt19937_64 g(M);
    std::uniform_int_distribution<int> d(1, 8);
    std::bitset<64> bits(g());
    std::string text = std::to_string(d(g)) + std::string(40, 'x');
    std::string_view view(text);
    int step = 1;
    std::from_chars(view.data(), view.data() + 1, step);
    step += std::stoi("3") + (int)std::abs(std::complex<double>(3, 4)) + (bits.count() > 99);
    for (int i = 0; i < M; i += step)
        rows(i, least(M, i + step), N, K, A, B, C);
}
