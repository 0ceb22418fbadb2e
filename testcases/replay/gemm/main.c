/*
 * Runs one test case: reads A and B, calls your function, compares every element of C.
 *
 * case.h says which case it is. launch.c calls the function.
 *
 *     ./program [RUNS]     exit status: 0 everything is right, 1 something is wrong
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "launch.h"

#undef main /* an assignment may rename the main of the students' program: -Dmain=... */

enum { SHOWN = 10, TROUBLE = 70 };

/* Exactly so many bytes, so that tools see the first byte beside the matrix. */
static ELEMENT *new_matrix(size_t elements)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, elements * sizeof(ELEMENT)) != 0) {
        fprintf(stderr, "out of memory\n");
        exit(TROUBLE);
    }
    return (ELEMENT *)p;
}

static ELEMENT *read_matrix(const char *name, size_t elements)
{
    ELEMENT *x = new_matrix(elements);
    FILE *f = fopen(name, "rb");
    if (!f || fread(x, sizeof *x, elements, f) != elements) {
        fprintf(stderr, "%s: cannot be read: start the program in its own directory\n", name);
        exit(TROUBLE);
    }
    fclose(f);
    return x;
}

/* Is C[i][j] right? It must be equal, or, where sums are rounded, near enough. */
static int is_right(const ELEMENT *A, const ELEMENT *B, int i, int j, double expected, double got)
{
    double a = 0, b = 0; /* squares of the norms of row i and column j */
    if (got == expected || ERROR_MOST == 0)
        return got == expected;
    for (size_t k = 0; k < K; k++) {
        a += (double)A[(size_t)i * K + k] * (double)A[(size_t)i * K + k];
        b += (double)B[k * N + (size_t)j] * (double)B[k * N + (size_t)j];
    }
    return (got - expected) * (got - expected) <= ERROR_MOST * ERROR_MOST * a * b;
}

/* Print the first wrong elements. Returns how many are wrong. */
static size_t compare(const ELEMENT *A, const ELEMENT *B, const ELEMENT *expected,
                      const ELEMENT *got)
{
    size_t wrong = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            const size_t at = (size_t)i * N + (size_t)j;
            const double want = (double)expected[at], is = (double)got[at];
            if (!is_right(A, B, i, j, want, is) && ++wrong <= SHOWN)
                printf("C[%d][%d]: expected %.17g, got %.17g\n", i, j, want, is);
        }
    }
    if (wrong)
        printf("%zu of %zu elements wrong\n", wrong, (size_t)M * N);
    return wrong;
}

/* The function must assign every element of C, whatever C holds before. */
static int run_once(const ELEMENT *A, const ELEMENT *B, ELEMENT *C, const ELEMENT *expected)
{
    memset(C, 0x5a, (size_t)M * N * sizeof *C);
    launch_call(A, B, C);
    return compare(A, B, expected, C) > 0;
}

static int run_here(int runs)
{
    const ELEMENT *A = read_matrix("A.bin", (size_t)M * K);
    const ELEMENT *B = read_matrix("B.bin", (size_t)K * N);
    const ELEMENT *expected = read_matrix("expected.bin", (size_t)M * N);
    ELEMENT *C = new_matrix((size_t)M * N);
    int failed = 0;
    for (int run = 0; run < runs; run++)
        failed += run_once(A, B, C, expected);
    printf("%d of %d runs failed\n", failed, runs);
    return failed > 0;
}

int main(int argc, char **argv)
{
    const int leader = launch_begin(&argc, &argv);
    const int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    int status = 0;
    if (leader)
        status = run_here(runs);
    for (int run = 0; !leader && run < runs; run++)
        launch_call(NULL, NULL, NULL);
    launch_end();
    return status;
}
