/*
 * spmm_f64 [--rounds N] LIBRARY-DIRECTORY: the reference's sparse products on the host beside Eigen
 * and the speed of a copy.
 *
 * In each round every contestant computes once, one after the other, and memory is copied once by
 * one thread and once by all. So a process that disturbs the machine disturbs all of them. The
 * figures are medians over the rounds. Every product is compared with that of the serial tier; the
 * values are whole numbers, so all must be equal.
 *
 *   make bench
 */
#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "spmm_matrix.h"

enum { MOST_ROUNDS = 99, ELL_MOST_WIDTH = 64 };
static const size_t COPY_BYTES = (size_t)256 << 20;

typedef void csr_product(int M, int N, int K, int nnz, const int *row_start, const int *col,
                         const double *val, const double *X, double *Y);
typedef void ell_product(int M, int N, int K, int width, const int *col, const double *val,
                         const double *X, double *Y);

enum { SERIAL, SIMD, EIGEN_ONE, OPENMP, EIGEN_ALL, ELL_SIMD, ELL_OPENMP, CONTESTANTS };

static struct contestant {
    const char *name;
    const char *library; /* without directory and ".so" */
    bool all_cores, ell;
    csr_product *csr;
    ell_product *in_ell;
} all[CONTESTANTS] = {
    [SERIAL] = {"csr-serial", "csr_serial", false, false, NULL, NULL},
    [SIMD] = {"csr-simd", "csr_simd", false, false, NULL, NULL},
    [EIGEN_ONE] = {"peer: Eigen", "eigen_spmm", false, false, NULL, NULL},
    [OPENMP] = {"csr-openmp", "csr_openmp", true, false, NULL, NULL},
    [EIGEN_ALL] = {"peer: Eigen", "eigen_spmm", true, false, NULL, NULL},
    [ELL_SIMD] = {"ell-simd", "ell_simd", false, true, NULL, NULL},
    [ELL_OPENMP] = {"ell-openmp", "ell_openmp", true, true, NULL, NULL},
};

enum { MATRICES = 3, COLUMNS = 4 };
static const int columns[COLUMNS] = {1, 3, 8, 64};
enum { K8 = 2, K64 = 3 };
enum { POISSON }; /* of the matrices */

/* Medians of seconds; bytes per second of the copies, by one thread and by all. */
static double seconds[MATRICES][COLUMNS][CONTESTANTS];
static double copies[MATRICES][COLUMNS][2];
static const char *matrix_name[MATRICES];
static int cores;

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "spmm_f64: %s: %s\n", what, why);
    exit(1);
}

static void open_libraries(const char *dir)
{
    for (int i = 0; i < CONTESTANTS; i++) {
        struct contestant *c = &all[i];
        char *path = xasprintf("%s/%s.so", dir, c->library);
        void *library = dlopen(path, RTLD_NOW);
        void *function = library ? dlsym(library, c->ell ? "spmm_ell_f64" : "spmm_csr_f64") : NULL;
        if (!function)
            die(path, dlerror());
        if (c->ell)
            memcpy(&c->in_ell, &function, sizeof function);
        else
            memcpy(&c->csr, &function, sizeof function);
        free(path);
    }
}

static double since(uint64_t start)
{
    return (double)(clock_mono_ns() - start) * 1e-9;
}

static double multiply(const struct contestant *c, const struct matrix *a,
                       const struct matrix_ell *e, int K, const double *X, double *Y)
{
    omp_set_num_threads(c->all_cores ? cores : 1);
    const uint64_t start = clock_mono_ns();
    if (c->ell)
        c->in_ell(a->M, a->N, K, e->width, e->col, e->val, X, Y);
    else
        c->csr(a->M, a->N, K, a->nnz, a->row_start, a->col, a->val, X, Y);
    return since(start);
}

static double copy(char *to, const char *from, int threads)
{
    const uint64_t start = clock_mono_ns();
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < threads; i++) {
        const size_t part = COPY_BYTES / (size_t)threads;
        memcpy(to + part * (size_t)i, from + part * (size_t)i, part);
    }
    return 2.0 * (double)COPY_BYTES / since(start);
}

static void measure(int m, int k, const struct matrix *a, const struct matrix_ell *e, int rounds)
{
    static double sample[CONTESTANTS][MOST_ROUNDS], copied[2][MOST_ROUNDS];
    const int K = columns[k];
    const size_t size = (size_t)a->M * (size_t)K * sizeof(double);
    double *X = matrix_dense((size_t)a->N * (size_t)K);
    double *Y = matrix_alloc(size), *expected = matrix_alloc(size);
    char *from = matrix_alloc(COPY_BYTES), *to = matrix_alloc(COPY_BYTES);
    memset(from, 1, COPY_BYTES);
    memset(to, 2, COPY_BYTES);
    multiply(&all[SERIAL], a, e, K, X, expected);
    for (int r = -1; r < rounds; r++) { /* the first round checks, and is not timed */
        const int at = r < 0 ? 0 : r;
        copied[0][at] = copy(to, from, 1);
        copied[1][at] = copy(to, from, cores);
        for (int i = 0; i < CONTESTANTS; i++) {
            if (all[i].ell && !e->val)
                continue;
            if (r < 0)
                memset(Y, 0xff, size);
            sample[i][at] = multiply(&all[i], a, e, K, X, Y);
            if (r < 0 && memcmp(Y, expected, size) != 0)
                die(all[i].name, "the product is wrong");
        }
    }
    for (int i = 0; i < CONTESTANTS; i++)
        seconds[m][k][i] = all[i].ell && !e->val ? NAN : stats_median(sample[i], (size_t)rounds);
    for (int i = 0; i < 2; i++)
        copies[m][k][i] = stats_median(copied[i], (size_t)rounds);
    free(X);
    free(Y);
    free(expected);
    free(from);
    free(to);
}

static struct matrix make_matrix(int m)
{
    switch (m) {
    case POISSON:
        return matrix_poisson(1000);
    case 1:
        return matrix_uniform(200000, 20);
    default:
        return matrix_rmat(18, 16);
    }
}

/* How many times faster than Eigen on as many cores. */
static double over_eigen(int m, int k, int who)
{
    return seconds[m][k][all[who].all_cores ? EIGEN_ALL : EIGEN_ONE] / seconds[m][k][who];
}

static void print_matrix(int m, const struct matrix *a)
{
    char *title = xasprintf("%s%s: %d rows, %d entries", m ? "\n" : "", a->name, a->M, a->nnz);
    struct term_table *t = term_table_new(title);
    const char *heading[] = {"K", "kernel", "cores", "ms", "GOP/s", "GB/s", "copy %", "Eigen x"};
    for (size_t i = 0; i < sizeof heading / sizeof heading[0]; i++)
        term_table_column(t, heading[i], i == 1 ? TERM_LEFT : TERM_RIGHT);
    for (int k = 0; k < COLUMNS; k++) {
        const double bytes = matrix_bytes(a, columns[k]);
        for (int i = 0; i < CONTESTANTS; i++) {
            const double s = seconds[m][k][i];
            if (isnan(s))
                continue;
            term_table_cell(t, TERM_PLAIN, "%d", columns[k]);
            term_table_cell(t, TERM_PLAIN, "%s", all[i].name);
            term_table_cell(t, TERM_PLAIN, "%d", all[i].all_cores ? cores : 1);
            term_table_cell(t, TERM_PLAIN, "%.2f", s * 1e3);
            term_table_cell(t, TERM_PLAIN, "%.2f", 2e-9 * a->nnz * columns[k] / s);
            term_table_cell(t, TERM_PLAIN, "%.1f", bytes / s * 1e-9);
            term_table_cell(t, TERM_PLAIN, "%.0f",
                            100 * bytes / s / copies[m][k][all[i].all_cores]);
            term_table_cell(t, TERM_PLAIN, "%.2f", over_eigen(m, k, i));
        }
    }
    term_table_print(t, stdout);
    free(title);
}

static void goal(struct term_table *t, double wanted, double measured, char *text)
{
    const bool met = measured >= wanted;
    term_table_cell(t, TERM_PLAIN, "%s", text);
    term_table_cell(t, TERM_PLAIN, "%.3g", wanted);
    term_table_cell(t, TERM_PLAIN, "%.3g", measured);
    term_table_cell(t, met ? TERM_GREEN : TERM_RED, "%s", met ? "yes" : "no");
    free(text);
}

static void print_goals(double poisson_bytes)
{
    struct term_table *t = term_table_new("\nGoals");
    term_table_column(t, "goal, at least", TERM_LEFT);
    term_table_column(t, "wanted", TERM_RIGHT);
    term_table_column(t, "measured", TERM_RIGHT);
    term_table_column(t, "met", TERM_LEFT);
    for (int m = 0; m < MATRICES; m++)
        for (int k = K8; k <= K64; k++)
            for (int who = SIMD; who <= OPENMP; who += OPENMP - SIMD)
                goal(
                    t, k == K8 ? 2.5 : 1.7, over_eigen(m, k, who),
                    xasprintf("%s / Eigen, %s, K = %d", all[who].name, matrix_name[m], columns[k]));
    for (int who = SIMD; who <= OPENMP; who += OPENMP - SIMD)
        goal(t, .7,
             poisson_bytes / seconds[POISSON][K8][who] / copies[POISSON][K8][all[who].all_cores],
             xasprintf("%s / copy, Poisson, K = %d", all[who].name, columns[K8]));
    term_table_print(t, stdout);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {NULL, 0, NULL, 0}};
    int opt, rounds = 9;
    double poisson_bytes = 0;
    while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (opt != 'r')
            return 2;
        rounds = atoi(optarg);
    }
    if (rounds < 1 || rounds > MOST_ROUNDS || optind + 1 != argc) {
        fprintf(stderr, "usage: spmm_f64 [--rounds N, 1 to %d] LIBRARY-DIRECTORY\n", MOST_ROUNDS);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    cores = omp_get_num_procs();
    open_libraries(argv[optind]);
    for (int m = 0; m < MATRICES; m++) {
        struct matrix a = make_matrix(m);
        struct matrix_ell e = matrix_ell_of(&a, ELL_MOST_WIDTH);
        matrix_name[m] = a.name;
        for (int k = 0; k < COLUMNS; k++)
            measure(m, k, &a, &e, rounds);
        print_matrix(m, &a);
        if (m == POISSON)
            poisson_bytes = matrix_bytes(&a, columns[K8]);
        matrix_ell_free(&e);
        matrix_free(&a);
    }
    print_goals(poisson_bytes);
    return 0;
}
