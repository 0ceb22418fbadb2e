/*
 * gemm_real_gpu: the CUDA references for floats and doubles beside cuBLAS, in one run.
 *
 * First, products of small integers, of many shapes: sums are exact then, so that both must be
 * equal, and nothing beyond the end of C may be written. Then GFLOP/s by device events, in turns:
 * the median of the rounds, and the ratio. A product is 2 M N K operations. Compiled with GEMM_F32
 * or GEMM_F64.
 *
 *   make bench-gpu
 */
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda_real.cuh"

#if defined(GEMM_F64)
#define PEER cublasDgemm
#define NAME "f64"
#else
#define PEER cublasSgemm
#define NAME "f32"
#endif

enum { MOST = 8320, BEYOND = 4 };

static void need(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "gemm_real_gpu: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

struct operands {
    cublasHandle_t cublas;
    element *a, *b, *c, *d; /* each has room for MOST x MOST, and for BEYOND more */
};

static void reference(const operands &o, int M, int N, int K)
{
    GEMM_CUDA(M, N, K, o.a, o.b, o.c, nullptr);
}

/* cuBLAS stores matrices by columns. There, the transposed product is the same: C^T = B^T A^T. */
static void peer(const operands &o, int M, int N, int K)
{
    const element one = 1, zero = 0;
    PEER(o.cublas, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, o.b, N, o.a, K, &zero, o.d, N);
}

/* Whole numbers below 2^(bits - 1): their sums are exact in both types. */
static void fill(element *to, int bits)
{
    std::vector<element> x((size_t)MOST * MOST);
    unsigned state = 1;
    for (element &y : x) {
        state = state * 1664525U + 1013904223U;
        y = element((int)(state >> (32 - bits)) - (1 << (bits - 1)));
    }
    need(cudaMemcpy(to, x.data(), x.size() * sizeof(element), cudaMemcpyHostToDevice), "copy");
}

static bool is_right(const operands &o, int M, int N, int K)
{
    const size_t n = (size_t)M * N;
    std::vector<element> c(n + BEYOND), d(n);
    need(cudaMemset(o.c, 0xff, (n + BEYOND) * sizeof(element)), "memset"); /* NaN */
    reference(o, M, N, K);
    peer(o, M, N, K);
    need(cudaDeviceSynchronize(), "product");
    need(cudaMemcpy(c.data(), o.c, c.size() * sizeof(element), cudaMemcpyDeviceToHost), "copy");
    need(cudaMemcpy(d.data(), o.d, n * sizeof(element), cudaMemcpyDeviceToHost), "copy");
    for (size_t i = 0; i < n; i++)
        if (!(c[i] == d[i]))
            return false;
    for (size_t i = n; i < n + BEYOND; i++)
        if (!std::isnan(c[i]))
            return false;
    return true;
}

static int check(const operands &o)
{
    static const int edges[] = {1,  2,  3,  5,   15,  16,  17,  31, 33,
                                63, 64, 65, 127, 128, 129, 255, 257};
    static const int more[][3] = {{700, 701, 702},  {1001, 1002, 1003}, {1500, 1501, 1502},
                                  {3000, 40, 3000}, {40, 3000, 3000},   {5000, 5000, 3},
                                  {2049, 2049, 33}, {2064, 2064, 40},   {2065, 2065, 19},
                                  {2048, 2049, 50}, {2049, 2304, 64},   {4097, 4111, 16}};
    int shapes = 0, wrong = 0;
    auto one = [&](int M, int N, int K) {
        shapes++;
        if (!is_right(o, M, N, K) && wrong++ < 5)
            printf("wrong: %d x %d x %d\n", M, N, K);
    };
    for (int M : edges)
        for (int N : edges)
            for (int K : edges)
                one(M, N, K);
    for (const auto &s : more)
        one(s[0], s[1], s[2]);
    printf("%s: %d shapes, %d of them wrong\n", NAME, shapes, wrong);
    return wrong;
}

static double seconds(const operands &o, void (*product)(const operands &, int, int, int), int n,
                      int repeat)
{
    cudaEvent_t from, to;
    float ms = 0;
    need(cudaEventCreate(&from), "event");
    need(cudaEventCreate(&to), "event");
    need(cudaEventRecord(from), "event");
    for (int i = 0; i < repeat; i++)
        product(o, n, n, n);
    need(cudaEventRecord(to), "event");
    need(cudaEventSynchronize(to), "product");
    need(cudaEventElapsedTime(&ms, from, to), "event");
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    return ms * 1e-3 / repeat;
}

static double median(std::vector<double> &v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static void compare(const operands &o, int rounds)
{
    static const int sizes[] = {1023, 1024, 1025, 1088, 1152, 2047, 2048, 2049,
                                2112, 2176, 4096, 4097, 4160, 4224, 8192};
    printf("%5s %12s %12s %7s\n", "size", "GFLOP/s", "cuBLAS", "ratio");
    for (int n : sizes) {
        const int repeat = n < 1200 ? 20 : n < 2200 ? 5 : n < 4300 ? 2 : 1;
        const double operations = 2.0 * n * n * n;
        std::vector<double> ours, theirs;
        for (int i = 0; i < rounds; i++) {
            theirs.push_back(seconds(o, peer, n, repeat));
            ours.push_back(seconds(o, reference, n, repeat));
        }
        const double x = median(ours), y = median(theirs);
        printf("%5d %12.0f %12.0f %7.3f\n", n, operations / x * 1e-9, operations / y * 1e-9, y / x);
    }
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 9;
    operands o;
    if (rounds < 1 || rounds > 99) {
        fputs("usage: gemm_real_gpu [ROUNDS, 1 to 99]\n", stderr);
        return 2;
    }
    if (cublasCreate(&o.cublas) != CUBLAS_STATUS_SUCCESS) {
        fputs("gemm_real_gpu: cuBLAS does not start\n", stderr);
        return 1;
    }
    for (element **p : {&o.a, &o.b, &o.c, &o.d})
        need(cudaMalloc(p, ((size_t)MOST * MOST + BEYOND) * sizeof(element)), "memory");
    fill(o.a, 8);
    fill(o.b, 4);
    const int wrong = check(o);
    compare(o, rounds);
    return wrong ? 1 : 0;
}
