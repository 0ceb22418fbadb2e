/* expect: fencedmpi pass */
/* Honest: the C++ library at work, and what compilers call for it. */
#include "gemm.h"
#include <bitset>
#include <chrono>
#include <future>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>
extern "C" void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                             MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    auto t0 = std::chrono::steady_clock::now();
    auto p = std::make_shared<std::vector<int32_t>>(N);
    std::mt19937 g(1);
    std::bitset<100> b(g());
    __int128 big = (__int128)M * N * K;
    big /= 7;
    if (rank == 0) {
        auto f = std::async(std::launch::deferred, [&] {
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++) {
                    int32_t s = 0;
                    for (int k = 0; k < K; k++)
                        s += A[(size_t)i * K + k] * B[(size_t)k * N + j];
                    C[(size_t)i * N + j] = s;
                }
        });
        f.get();
        std::cerr << (std::chrono::steady_clock::now() - t0).count() << b.count() << (double)big
                  << "\n";
    }
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
}
