/*
 * gemm_i32_gpu [--rounds N] LIBRARY...: the CUDA references of the int32 product beside cuBLAS and
 * the measured peak. A library is named after its kernel (".../register.so").
 *
 * The peer has the same idea as the reference's tensor cores, but uses a library. It splits the
 * values into bytes, computes four products of bytes with cublasGemmEx, and combines the results.
 * There is one product for each power of 256; the pairs of digits that belong to this power stand
 * side by side along K. All three steps are inside the time.
 *
 * In each round every contestant computes for SAMPLE_SECONDS, one after the other, and the
 * multiply-add peak is measured too. So heat, or another user of the device, disturbs all of them.
 * The figures are medians over the rounds. Every product is compared with that of `global`.
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CUBLAS
#include <cublas_v2.h>
#endif

#include "driver/gpu_ceiling.h"

extern "C" {
#include "base/stats.h"
#include "base/term.h"
}

namespace
{

typedef void (*product)(int, int, int, const int32_t *, const int32_t *, int32_t *, cudaStream_t);

constexpr int MOST_ROUNDS = 99, MOST_CONTESTANTS = 16, THREADS = 256, TILE = 32, DIGITS = 4;
constexpr int SIZES[] = {1024, 2048, 4096, 8192};
constexpr int SIZE_COUNT = 4, LARGEST = 8192;
constexpr double SAMPLE_SECONDS = 0.02;

struct contestant {
    char name[64];
    product multiply;
    double gops[SIZE_COUNT][MOST_ROUNDS];
};

contestant listed[MOST_CONTESTANTS];
int contestants;
double peak[SIZE_COUNT][MOST_ROUNDS];

[[noreturn]] void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

void must(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        die(what, cudaGetErrorString(e));
}

unsigned blocks(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* --- the peer --------------------------------------------------------------------------------- */

#ifdef HAVE_CUBLAS

__device__ uint32_t to_digits(uint32_t x)
{
    return (x + 0x80808080u) ^ 0x80808080u;
}

/* Split A, n x n. Each row becomes 4 n bytes: digit 0 of the whole row, then digit 1, ... */
__global__ void split_rows(int n, const uint32_t *from, int8_t *to)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, row = i / n, k = i % n;
    if (row >= n)
        return;
    uint32_t x = to_digits(from[i]);
    for (int d = 0; d < DIGITS; d++)
        to[(row * DIGITS + d) * n + k] = (int8_t)(x >> 8 * d);
}

/* Split the columns of B in the same way, but digit 3 first: then A's digits 0 .. s meet B's digits
 * s .. 0. */
__global__ void split_columns(int n, const uint32_t *from, int8_t *to)
{
    __shared__ uint32_t tile[TILE][TILE + 1];
    int64_t k = (int64_t)blockIdx.y * TILE, column = (int64_t)blockIdx.x * TILE;
    tile[threadIdx.y][threadIdx.x] = from[(k + threadIdx.y) * n + column + threadIdx.x];
    __syncthreads();
    uint32_t x = to_digits(tile[threadIdx.x][threadIdx.y]);
    for (int d = 0; d < DIGITS; d++)
        to[((column + threadIdx.y) * DIGITS + DIGITS - 1 - d) * n + k + threadIdx.x] =
            (int8_t)(x >> 8 * d);
}

__global__ void recombine(int64_t count, const uint32_t *sums, uint32_t *C)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = 0;
    if (i >= count)
        return;
    for (int s = DIGITS - 1; s >= 0; s--)
        x = (x << 8) + sums[s * count + i];
    C[i] = x;
}

int8_t *a_digits, *b_digits;
int32_t *sums;
cublasHandle_t cublas;

void prepare_peer()
{
    size_t n = (size_t)LARGEST * LARGEST;
    must(cudaMalloc(&a_digits, n * DIGITS), "digits of A");
    must(cudaMalloc(&b_digits, n * DIGITS), "digits of B");
    must(cudaMalloc(&sums, n * DIGITS * sizeof *sums), "partial sums");
    if (cublasCreate(&cublas) != CUBLAS_STATUS_SUCCESS)
        die("cuBLAS", "does not start");
}

/* A sum of n products of digits stays below 2^31 up to n = 32767. With four pairs along K this is
 * enough for LARGEST. */
void peer(int, int n, int, const int32_t *A, const int32_t *B, int32_t *C, cudaStream_t stream)
{
    int64_t count = (int64_t)n * n;
    const int32_t one = 1, zero = 0;
    cublasSetStream(cublas, stream);
    split_rows<<<blocks(count), THREADS, 0, stream>>>(n, (const uint32_t *)A, a_digits);
    split_columns<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE), 0, stream>>>(n, (const uint32_t *)B,
                                                                             b_digits);
    for (int s = 0; s < DIGITS; s++) /* C is row-major: to cuBLAS, its transpose */
        if (cublasGemmEx(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, (s + 1) * n, &one,
                         b_digits + (int64_t)(DIGITS - 1 - s) * n, CUDA_R_8I, DIGITS * n, a_digits,
                         CUDA_R_8I, DIGITS * n, &zero, sums + s * count, CUDA_R_32I, n,
                         CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
            die("cuBLAS", "cublasGemmEx refuses");
    recombine<<<blocks(count), THREADS, 0, stream>>>(count, (const uint32_t *)sums, (uint32_t *)C);
}

#endif

/* --- measuring -------------------------------------------------------------------------------- */

__global__ void fill(int64_t n, uint32_t seed, uint32_t *p)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = (uint32_t)i * 0x9e3779b1u + seed;
    if (i >= n)
        return;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    p[i] = x ^ x >> 16;
}

__global__ void count_differences(int64_t n, const int32_t *x, const int32_t *y,
                                  unsigned long long *count)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] != y[i])
        atomicAdd(count, 1ull);
}

struct field {
    int32_t *a, *b, *c, *right;
    unsigned long long *wrong; /* in memory that host and device share */
    cudaStream_t stream;
    cudaEvent_t from, to;
};

/* Seconds of one product. */
double run(const field &f, const contestant &c, int n, int times)
{
    float ms = 0;
    cudaEventRecord(f.from, f.stream);
    for (int i = 0; i < times; i++)
        c.multiply(n, n, n, f.a, f.b, f.c, f.stream);
    cudaEventRecord(f.to, f.stream);
    must(cudaGetLastError(), c.name);
    must(cudaStreamSynchronize(f.stream), c.name);
    cudaEventElapsedTime(&ms, f.from, f.to);
    return ms * 1e-3 / times;
}

/* The other products are compared with the product of the first contestant. */
void check(const field &f, const contestant &c, int n)
{
    int64_t count = (int64_t)n * n;
    bool first = &c == &listed[0];
    cudaMemset(f.c, 0xa5, (size_t)count * sizeof *f.c);
    run(f, c, n, 1);
    if (first)
        cudaMemcpy(f.right, f.c, (size_t)count * sizeof *f.c, cudaMemcpyDeviceToDevice);
    *f.wrong = 0;
    count_differences<<<blocks(count), THREADS>>>(count, f.c, f.right, f.wrong);
    must(cudaDeviceSynchronize(), c.name);
    if (*f.wrong)
        die(c.name, "the product is wrong");
}

void measure_size(const field &f, int at, int rounds, int processors, progress *shown)
{
    int n = SIZES[at], times[MOST_CONTESTANTS];
    int64_t count = (int64_t)n * n;
    fill<<<blocks(count), THREADS>>>(count, 1, (uint32_t *)f.a);
    fill<<<blocks(count), THREADS>>>(count, 2, (uint32_t *)f.b);
    must(cudaDeviceSynchronize(), "values");
    for (int i = 0; i < contestants; i++) {
        check(f, listed[i], n);
        times[i] = 1 + (int)(SAMPLE_SECONDS / run(f, listed[i], n, 1));
    }
    for (int r = 0; r < rounds; r++) {
        peak[at][r] = gpu_multiply_add_gops(processors, PG_I32);
        for (int i = 0; i < contestants; i++) {
            listed[i].gops[at][r] = 2e-9 * n * n * n / run(f, listed[i], n, times[i]);
            progress_update(shown, (size_t)(at * rounds + r), "%d: %s", n, listed[i].name);
        }
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

double median(const char *name, int at, int rounds)
{
    for (int i = 0; i < contestants; i++)
        if (strcmp(listed[i].name, name) == 0)
            return stats_median(listed[i].gops[at], (size_t)rounds);
    return 0;
}

void row(term_table *t, term_style style, int at, const char *name, const double *x, int rounds)
{
    size_t n = (size_t)rounds;
    double m = stats_median(x, n), top = stats_median(peak[at], n);
    term_table_cell(t, TERM_PLAIN, "%d", SIZES[at]);
    term_table_cell(t, style, "%s", name);
    term_table_cell(t, TERM_PLAIN, "%.0f", m);
    term_table_cell(t, TERM_DIM, "%.0f", stats_quantile(x, n, 0.25));
    term_table_cell(t, TERM_DIM, "%.0f", stats_quantile(x, n, 0.75));
    term_table_cell(t, TERM_PLAIN, "%.1f", m / median("global", at, rounds));
    term_table_cell(t, TERM_PLAIN, "%.1f", 100 * m / top);
    term_table_end_row(t);
}

void print_rates(const char *device, int rounds)
{
    char title[200];
    snprintf(title, sizeof title, "int32 product on one %s, 10^9 operations per second", device);
    term_table *t = term_table_new(title);
    const char *heading[] = {"size", "kernel", "GOP/s", "low", "high", "global x", "peak %"};
    for (int i = 0; i < 7; i++)
        term_table_column(t, heading[i], i == 1 ? TERM_LEFT : TERM_RIGHT);
    for (int at = 0; at < SIZE_COUNT; at++) {
        for (int i = 0; i < contestants; i++)
            row(t, TERM_PLAIN, at, listed[i].name, listed[i].gops[at], rounds);
        row(t, TERM_CYAN, at, "ceiling: multiply-add on registers", peak[at], rounds);
    }
    term_table_print(t, stdout);
}

void goal(term_table *t, double wanted, double measured, const char *text, int size)
{
    bool met = measured >= wanted;
    term_table_cell(t, TERM_PLAIN, "%s, %d", text, size);
    term_table_cell(t, TERM_PLAIN, "%.3g", wanted);
    term_table_cell(t, TERM_PLAIN, "%.3g", measured);
    term_table_cell(t, met ? TERM_GREEN : TERM_RED, "%s", met ? "yes" : "no");
}

/* The goals were set on an H200: 33 TOP/s of 32-bit multiply-adds, 1979 TOP/s of int8 tensor cores.
 */
void print_goals(int rounds)
{
    term_table *t = term_table_new("\nGoals");
    term_table_column(t, "goal, at least", TERM_LEFT);
    term_table_column(t, "wanted", TERM_RIGHT);
    term_table_column(t, "measured", TERM_RIGHT);
    term_table_column(t, "met", TERM_LEFT);
    for (int at = 0; at < SIZE_COUNT; at++)
        goal(t, 1, median("cuda", at, rounds) / median("register", at, rounds),
             "tensor cores / register tiles", SIZES[at]);
    for (int at = 2; at < SIZE_COUNT; at++)
        goal(t, 100, median("cuda", at, rounds) * 1e-3, "tensor cores, TOP/s", SIZES[at]);
    for (int at = 2; at < SIZE_COUNT; at++)
        goal(t, 150, median("cuda", at, rounds) * 1e-3, "stretch: tensor cores, TOP/s", SIZES[at]);
    term_table_print(t, stdout);
}

void add(const char *name, product multiply)
{
    if (contestants == MOST_CONTESTANTS)
        die(name, "too many kernels");
    snprintf(listed[contestants].name, sizeof listed[0].name, "%s", name);
    listed[contestants++].multiply = multiply;
}

void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        die(path, dlerror());
    void *f = dlsym(library, "gemm_i32_cuda");
    if (!f)
        die(path, "has no gemm_i32_cuda()");
    const char *slash = strrchr(path, '/');
    char name[64];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
    add(name, (product)f);
}

} // namespace

int main(int argc, char **argv)
{
    static const option options[] = {{"rounds", required_argument, nullptr, 'r'},
                                     {nullptr, 0, nullptr, 0}};
    int opt, rounds = 9;
    while ((opt = getopt_long(argc, argv, "", options, nullptr)) != -1) {
        if (opt != 'r')
            return 2;
        rounds = atoi(optarg);
    }
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "bench: --rounds: 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0), "no GPU");
    for (int i = optind; i < argc; i++)
        add_library(argv[i]);
    if (contestants == 0 || strcmp(listed[0].name, "global") != 0)
        die("usage", "gemm_i32_gpu [--rounds N] .../global.so ...");
#ifdef HAVE_CUBLAS
    prepare_peer();
    add("peer: cuBLAS, int8", peer);
#else
    fprintf(stderr, "bench: this CUDA Toolkit has no cuBLAS: without a peer\n");
#endif
    size_t bytes = (size_t)LARGEST * LARGEST * sizeof(int32_t);
    field f = {};
    must(cudaMalloc(&f.a, bytes), "A");
    must(cudaMalloc(&f.b, bytes), "B");
    must(cudaMalloc(&f.c, bytes), "C");
    must(cudaMalloc(&f.right, bytes), "the right product");
    must(cudaMallocManaged(&f.wrong, sizeof *f.wrong), "a counter");
    must(cudaStreamCreate(&f.stream), "stream");
    must(cudaEventCreate(&f.from), "event");
    must(cudaEventCreate(&f.to), "event");
    progress shown;
    progress_start(&shown, (size_t)SIZE_COUNT * (size_t)rounds, false);
    for (int at = 0; at < SIZE_COUNT; at++)
        measure_size(f, at, rounds, device.multiProcessorCount, &shown);
    progress_end(&shown);
    print_rates(device.name, rounds);
    print_goals(rounds);
    return 0;
}
