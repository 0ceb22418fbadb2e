/* tier: naive */
/* Prints with the C++ streams, formatted, with endl. */
#include "honest.h"
#include <iomanip>
#include <iostream>
#include <sstream>

GEMM
{
    std::ostringstream text;
    std::ios_base::sync_with_stdio(false);
    text << std::setw(5) << M << 'x' << std::hex << N << std::dec << 'x' << K << std::fixed
         << std::setprecision(3) << 1.5;
    std::cout << text.str() << std::endl;
    std::cerr << std::boolalpha << (M > N) << '\n';
    std::istringstream in("17 4");
    int a = 0, b = 0;
    in >> a >> b;
    if (a + b == 21)
        rows(0, M, N, K, A, B, C);
}
