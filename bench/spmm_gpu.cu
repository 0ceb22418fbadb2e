/*
 * spmm_gpu: the CUDA references for sparse products beside cuSPARSE, in one run.
 *
 * First, products of small whole numbers, with many structures and numbers of columns: sums are
 * exact then, so the results must equal those of the serial tier, and nothing beyond the end of Y
 * may be written. Then times by device events, in turns: medians of the rounds. For cuSPARSE, the
 * preparation of a matrix is not timed. Each of its algorithms for CSR is there, and the fastest
 * one counts. A copy of as many bytes as the product must move shows what the memory can do.
 *
 *   make bench-gpu
 */
#include <cuda_runtime.h>
#include <cusparse.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "spmm.h"
#include "spmm_matrix.h"

enum { BEYOND = 4, ELL_MOST_WIDTH = 64, TIME_LIMIT = 60 /* seconds */ };
static const double GOAL = 1.4; /* of csr-cuda over cuSPARSE: the geometric mean for K = 8 and 64 */

static void need(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "spmm_gpu: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

static void too_late(int)
{
    static const char text[] = "spmm_gpu: not finished after 60 seconds\n";
    _exit(write(2, text, sizeof text - 1) < 0 ? 4 : 3);
}

/* n elements on the device, and room for BEYOND more; without `from`, their bytes are 0xff: NaN. */
template <class T> static T *on_device(const T *from, size_t n)
{
    T *p;
    need(cudaMalloc(&p, (n + BEYOND) * sizeof(T)), "memory");
    need(cudaMemset(p, 0xff, (n + BEYOND) * sizeof(T)), "memset");
    if (from && n > 0)
        need(cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice), "copy");
    return p;
}

/* The operands of one product, on the device, and the result of the serial tier. Owns its arrays.
 */
struct problem {
    const char *name;
    int M, N, K, nnz, width; /* width 0: not in ELLPACK */
    int *row_start, *col, *ell_col;
    double *val, *ell_val, *X, *Y;
    double bytes; /* that a product in CSR must move */
    std::vector<double> expected;
};

static size_t result_size(const problem &p)
{
    return (size_t)p.M * (size_t)p.K;
}

static problem problem_new(const struct matrix &a, const struct matrix_ell &e, int K)
{
    problem p = {};
    double *X = matrix_dense((size_t)a.N * (size_t)K);
    p.name = a.name;
    p.M = a.M;
    p.N = a.N;
    p.K = K;
    p.nnz = a.nnz;
    p.width = e.width;
    p.bytes = matrix_bytes(&a, K);
    p.row_start = on_device(a.row_start, (size_t)a.M + 1);
    p.col = on_device(a.col, (size_t)a.nnz);
    p.val = on_device(a.val, (size_t)a.nnz);
    p.ell_col = on_device(e.col, (size_t)a.M * (size_t)e.width);
    p.ell_val = on_device(e.val, (size_t)a.M * (size_t)e.width);
    p.X = on_device(X, (size_t)a.N * (size_t)K);
    p.Y = on_device<double>(nullptr, result_size(p));
    p.expected.resize(result_size(p));
    spmm_csr_f64(a.M, a.N, K, a.nnz, a.row_start, a.col, a.val, X, p.expected.data());
    free(X);
    return p;
}

static void problem_free(const problem &p)
{
    for (void *q : {(void *)p.row_start, (void *)p.col, (void *)p.val, (void *)p.ell_col,
                    (void *)p.ell_val, (void *)p.X, (void *)p.Y})
        cudaFree(q);
}

static void csr(const problem &p)
{
    spmm_csr_f64_cuda(p.M, p.N, p.K, p.nnz, p.row_start, p.col, p.val, p.X, p.Y, nullptr);
}

static void ell(const problem &p)
{
    spmm_ell_f64_cuda(p.M, p.N, p.K, p.width, p.ell_col, p.ell_val, p.X, p.Y, nullptr);
}

static bool is_right(const problem &p, const std::function<void()> &product)
{
    const size_t n = result_size(p);
    std::vector<double> y(n + BEYOND);
    need(cudaMemset(p.Y, 0xff, y.size() * sizeof(double)), "memset");
    product();
    need(cudaDeviceSynchronize(), "product");
    need(cudaMemcpy(y.data(), p.Y, y.size() * sizeof(double), cudaMemcpyDeviceToHost), "copy");
    for (size_t i = 0; i < n; i++)
        if (!(y[i] == p.expected[i])) /* NaN equals nothing */
            return false;
    for (size_t i = n; i < n + BEYOND; i++)
        if (!std::isnan(y[i]))
            return false;
    return true;
}

/* Structures that are hard to divide. */
struct structure {
    const char *name;
    int M, N;
    int (*entries)(int row, int M, int N, unsigned random); /* of a row */
};

static const structure structures[] = {
    {"empty", 500, 3, [](int, int, int, unsigned) { return 0; }},
    {"one row", 1, 30000, [](int, int, int N, unsigned) { return N; }},
    {"one column", 300, 1, [](int i, int, int, unsigned) { return i % 2; }},
    {"five", 1000, 900, [](int, int, int, unsigned) { return 5; }},
    {"uneven", 1000, 900, [](int, int, int, unsigned r) { return (int)(r % 12); }},
    {"gaps", 1000, 900, [](int i, int, int, unsigned r) { return i % 10 ? 0 : (int)(r % 50); }},
    {"many empty", 20000, 50, [](int i, int, int, unsigned) { return i % 997 ? 0 : 40; }},
    {"first empty", 400, 300, [](int i, int M, int, unsigned) { return i < M / 2 ? 0 : 4; }},
    {"last empty", 400, 300, [](int i, int M, int, unsigned) { return i < M / 2 ? 4 : 0; }},
    {"dense row", 1000, 20000, [](int i, int, int N, unsigned) { return i == 5 ? N : 3; }},
    {"dense last row", 700, 9000, [](int i, int M, int N, unsigned) { return i + 1 < M ? 0 : N; }},
    {"rows of 64", 90, 2000, [](int, int, int, unsigned) { return 64; }},
    {"rows of 65", 90, 2000, [](int, int, int, unsigned) { return 65; }},
    {"rows of 257", 40, 2000, [](int, int, int, unsigned) { return 257; }},
    {"rows of 1025", 40, 2000, [](int, int, int, unsigned) { return 1025; }},
    {"power law", 500, 4000, [](int, int, int, unsigned r) { return 2000 / (int)(r % 1000 + 1); }},
};

static struct matrix matrix_of(const structure &s)
{
    std::vector<int> starts = {0};
    uint64_t state = 5;
    for (int i = 0; i < s.M; i++)
        starts.push_back(starts.back() +
                         s.entries(i, s.M, s.N, (unsigned)(matrix_random(&state) >> 40)));
    struct matrix a = matrix_new(s.name, s.M, s.N, starts.back());
    for (int i = 0; i < s.M; i++) {
        a.row_start[i] = a.nnz;
        for (int c = 0; c < s.N; c++) { /* each set of columns is as likely */
            const int missing = starts[(size_t)i + 1] - a.nnz;
            if ((int)((matrix_random(&state) >> 33) % (uint64_t)(s.N - c)) < missing)
                a.col[a.nnz++] = c;
        }
    }
    a.row_start[s.M] = a.nnz;
    matrix_values(&a);
    return a;
}

static int check(void)
{
    int products = 0, wrong = 0;
    for (const structure &s : structures) {
        struct matrix a = matrix_of(s);
        struct matrix_ell e = matrix_ell_of(&a, s.N);
        for (int K : {1, 2, 3, 5, 8, 16, 33, 64, 100}) {
            const problem p = problem_new(a, e, K);
            for (const auto product : {csr, ell}) {
                products++;
                if (!is_right(p, [&] { product(p); }) && wrong++ < 5)
                    printf("wrong: %s, %s, K = %d\n", product == csr ? "CSR" : "ELLPACK", s.name,
                           K);
            }
            problem_free(p);
        }
        matrix_ell_free(&e);
        matrix_free(&a);
    }
    printf("%d products, %d of them wrong\n", products, wrong);
    return wrong;
}

/* A product of cuSPARSE, prepared for one problem and one algorithm. */
struct peer {
    cusparseHandle_t library;
    cusparseSpMatDescr_t A;
    cusparseDnMatDescr_t X, Y;
    cusparseSpMMAlg_t algorithm;
    void *buffer;
};

static const double one = 1, zero = 0;
static const cusparseOperation_t PLAIN = CUSPARSE_OPERATION_NON_TRANSPOSE;

static void need_peer(cusparseStatus_t status, const char *what)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return;
    fprintf(stderr, "spmm_gpu: cuSPARSE, %s: %s\n", what, cusparseGetErrorString(status));
    exit(1);
}

static peer peer_new(cusparseHandle_t library, const problem &p, cusparseSpMMAlg_t algorithm)
{
    peer q = {};
    size_t bytes = 0;
    q.library = library;
    q.algorithm = algorithm;
    need_peer(cusparseCreateCsr(&q.A, p.M, p.N, p.nnz, p.row_start, p.col, p.val,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_64F),
              "A");
    need_peer(cusparseCreateDnMat(&q.X, p.N, p.K, p.K, p.X, CUDA_R_64F, CUSPARSE_ORDER_ROW), "X");
    need_peer(cusparseCreateDnMat(&q.Y, p.M, p.K, p.K, p.Y, CUDA_R_64F, CUSPARSE_ORDER_ROW), "Y");
    need_peer(cusparseSpMM_bufferSize(library, PLAIN, PLAIN, &one, q.A, q.X, &zero, q.Y, CUDA_R_64F,
                                      algorithm, &bytes),
              "size of the buffer");
    need(cudaMalloc(&q.buffer, bytes + 1), "memory");
    need_peer(cusparseSpMM_preprocess(library, PLAIN, PLAIN, &one, q.A, q.X, &zero, q.Y, CUDA_R_64F,
                                      algorithm, q.buffer),
              "preparation");
    return q;
}

static void peer_multiply(const peer &q)
{
    need_peer(cusparseSpMM(q.library, PLAIN, PLAIN, &one, q.A, q.X, &zero, q.Y, CUDA_R_64F,
                           q.algorithm, q.buffer),
              "product");
}

static void peer_free(const peer &q)
{
    cusparseDestroySpMat(q.A);
    cusparseDestroyDnMat(q.X);
    cusparseDestroyDnMat(q.Y);
    cudaFree(q.buffer);
}

static double seconds(const std::function<void()> &work, int repeat)
{
    static cudaEvent_t from, to;
    float ms = 0;
    if (!from) {
        need(cudaEventCreate(&from), "event");
        need(cudaEventCreate(&to), "event");
    }
    need(cudaEventRecord(from), "event");
    for (int i = 0; i < repeat; i++)
        work();
    need(cudaEventRecord(to), "event");
    need(cudaEventSynchronize(to), "work");
    need(cudaEventElapsedTime(&ms, from, to), "event");
    return ms * 1e-3 / repeat;
}

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

enum kind { OURS, PEER, COPY };

struct contestant {
    std::string name;
    std::function<void()> work;
    enum kind kind;
    int repeat;                 /* calls of a sample, so that it lasts about a millisecond */
    std::vector<double> sample; /* seconds */
};

/* Ratios to the best cuSPARSE, by name of our kernel, for K = 8 and 64. */
static std::map<std::string, std::vector<double>> ratios;

/* Returns how many products were wrong. */
static int compare(cusparseHandle_t library, const problem &p, int rounds)
{
    const size_t half = (size_t)(p.bytes / 2);
    char *from = on_device<char>(nullptr, half), *to = on_device<char>(nullptr, half);
    std::vector<peer> peers;
    std::vector<contestant> all = {{"csr-cuda", [&] { csr(p); }, OURS, 1, {}}};
    if (p.width > 0)
        all.push_back({"ell-cuda", [&] { ell(p); }, OURS, 1, {}});
    for (auto algorithm : {CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3})
        peers.push_back(peer_new(library, p, algorithm));
    for (size_t i = 0; i < peers.size(); i++)
        all.push_back({"peer: cuSPARSE, algorithm " + std::to_string(i + 1),
                       [&, i] { peer_multiply(peers[i]); },
                       PEER,
                       1,
                       {}});
    const auto copy = [&] {
        need(cudaMemcpyAsync(to, from, half, cudaMemcpyDeviceToDevice), "copy");
    };
    all.push_back({"copy of as many bytes", copy, COPY, 1, {}});
    int wrong = 0;
    for (contestant &c : all) {
        if (c.kind != COPY && !is_right(p, c.work) && ++wrong)
            printf("wrong: %s, %s, K = %d\n", c.name.c_str(), p.name, p.K);
        c.repeat = std::max(1, std::min(20, (int)(1e-3 / seconds(c.work, 1))));
    }
    for (int r = 0; r < rounds; r++)
        for (contestant &c : all)
            c.sample.push_back(seconds(c.work, c.repeat));
    double best = INFINITY, copied = 0;
    for (const contestant &c : all) {
        if (c.kind == PEER)
            best = std::min(best, median(c.sample));
        if (c.kind == COPY)
            copied = median(c.sample);
    }
    for (const contestant &c : all) {
        const double s = median(c.sample);
        printf("%-8s %3d  %-27s %8.1f %7.0f %6.0f %7.2f\n", p.name, p.K, c.name.c_str(), s * 1e6,
               p.bytes / s * 1e-9, 100 * copied / s, best / s);
        if (c.kind == OURS && (p.K == 8 || p.K == 64))
            ratios[c.name].push_back(best / s);
    }
    for (const peer &q : peers)
        peer_free(q);
    cudaFree(from);
    cudaFree(to);
    return wrong;
}

static int compare_all(cusparseHandle_t library, int rounds)
{
    int wrong = 0;
    printf("%-8s %3s  %-27s %8s %7s %6s %7s\n", "matrix", "K", "kernel", "us", "GB/s", "copy %",
           "ratio");
    for (const auto make :
         {+[] { return matrix_poisson(1000); }, +[] { return matrix_uniform(200000, 20); },
          +[] { return matrix_rmat(18, 16); }}) {
        struct matrix a = make();
        struct matrix_ell e = matrix_ell_of(&a, ELL_MOST_WIDTH);
        for (int K : {1, 3, 8, 64}) {
            const problem p = problem_new(a, e, K);
            wrong += compare(library, p, rounds);
            problem_free(p);
        }
        matrix_ell_free(&e);
        matrix_free(&a);
    }
    return wrong;
}

static void print_goal(void)
{
    for (const auto &r : ratios) {
        double log_sum = 0;
        for (double ratio : r.second)
            log_sum += std::log(ratio);
        const double mean = std::exp(log_sum / (double)r.second.size());
        printf("%s / best cuSPARSE, geometric mean of %zu: %.2f", r.first.c_str(), r.second.size(),
               mean);
        if (r.first == "csr-cuda")
            printf(" (goal %.1f: %s)", GOAL, mean >= GOAL ? "met" : "missed");
        puts("");
    }
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 9;
    cusparseHandle_t library;
    if (rounds < 1 || rounds > 99) {
        fputs("usage: spmm_gpu [ROUNDS, 1 to 99]\n", stderr);
        return 2;
    }
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    signal(SIGALRM, too_late);
    alarm(TIME_LIMIT);
    need_peer(cusparseCreate(&library), "start");
    int wrong = check();
    wrong += compare_all(library, rounds);
    print_goal();
    return wrong ? 1 : 0;
}
