/*
 * Runs one test case: reads the inputs, calls your function, compares every element of its output.
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

#undef main     /* an assignment may rename the main of the students' program: -Dmain=... */
#ifdef OWN_MAIN /* or your sources have one: see the end */
#define main check_case
#endif

enum { SHOWN = 10, TROUBLE = 70 };

/* Exactly so many bytes, so that tools see the first byte beside the matrix. */
static void *new_matrix(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, bytes) != 0) {
        fprintf(stderr, "out of memory\n");
        exit(TROUBLE);
    }
    return p;
}

static void *read_matrix(const char *name, size_t bytes)
{
    void *x = new_matrix(bytes);
    FILE *f = fopen(name, "rb");
    if (!f || fread(x, 1, bytes, f) != bytes) {
        fprintf(stderr, "%s: cannot be read: start the program in its own directory\n", name);
        exit(TROUBLE);
    }
    fclose(f);
    return x;
}

static int rank = 0, ranks = 1; /* in programs whose operands are on several ranks */

#ifdef OUTPUTS /* of a kernel in a file */
#include "outputs.h"
#else
struct problem {
    const void *in[INPUTS];
    ELEMENT *out;
    const ELEMENT *expected;
    /* How far element (i, j) may be from the expected one: row[i] * col[j]. NULL: not at all. */
    const double *row, *col;
};

static struct problem read_problem(void)
{
    static const struct {
        const char *file;
        size_t bytes;
    } input[INPUTS] = INPUT_FILES;
    struct problem p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < INPUTS; i++)
        p.in[i] = read_matrix(input[i].file, input[i].bytes);
    p.out = (ELEMENT *)new_matrix(sizeof(ELEMENT) * ROWS * COLS);
    p.expected = (const ELEMENT *)read_matrix("expected.bin", sizeof(ELEMENT) * ROWS * COLS);
    if (ROUNDED) {
        p.row = (const double *)read_matrix("tolerance_rows.bin", sizeof(double) * ROWS);
        p.col = (const double *)read_matrix("tolerance_cols.bin", sizeof(double) * COLS);
    }
    return p;
}

/* LeakSanitizer then reports only what your function does not free. */
static void free_problem(const struct problem *p)
{
    for (int i = 0; i < INPUTS; i++)
        free((void *)p->in[i]);
    free(p->out);
    free((void *)p->expected);
    free((void *)p->row);
    free((void *)p->col);
}

/* It must be equal, or, where results are rounded, near enough. */
static int is_right(const struct problem *p, size_t i, size_t j, double expected, double got)
{
    const double allowed = p->row ? p->row[i] * p->col[j] : 0;
    return got == expected || (got - expected <= allowed && expected - got <= allowed);
}

/* Print the first wrong elements. Returns how many are wrong. */
static size_t compare(const struct problem *p)
{
    size_t wrong = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLS; j++) {
            const double want = (double)p->expected[i * COLS + j];
            const double is = (double)p->out[i * COLS + j];
            if (!is_right(p, i, j, want, is) && ++wrong <= SHOWN)
                printf("%s[%zu][%zu]: expected %.17g, got %.17g\n", OUTPUT, i, j, want, is);
        }
    }
    if (wrong)
        printf("%zu of %zu elements wrong\n", wrong, (size_t)ROWS * COLS);
    return wrong;
}

/* The function must assign every element of the output, whatever it holds before. */
static int run_once(const struct problem *p)
{
    memset(p->out, 0x5a, sizeof(ELEMENT) * ROWS * COLS);
    launch_call(p->in, p->out);
    return compare(p) > 0;
}
#endif

static int run_here(int runs)
{
    struct problem p = read_problem();
    int failed = 0;
    for (int run = 0; run < runs; run++)
        failed += run_once(&p);
    free_problem(&p);
    if (rank == 0)
        printf("%d of %d runs failed\n", failed, runs);
    return failed > 0;
}

int main(int argc, char **argv)
{
    static const void *const none[INPUTS] = {NULL};
    const int leader = launch_begin(&argc, &argv);
    const int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    int status = 0;
#ifdef SPREAD
    launch_ranks(&rank, &ranks);
#endif
    if (leader || ranks > 1)
        status = run_here(runs);
    for (int run = 0; !leader && ranks == 1 && run < runs; run++)
        launch_call(none, NULL);
    launch_end();
    return status;
}

#ifdef OWN_MAIN
/* Your sources have the symbol `main`. The linker sends the start of the program here instead
 * (--wrap), and the start goes on with the function above. */
#undef main
typedef int main_function(int, char **, char **);
#ifdef __cplusplus
extern "C" {
#endif
int __real___libc_start_main(main_function *, int, char **, void (*)(void), void (*)(void),
                             void (*)(void), void *);
int __wrap___libc_start_main(main_function *yours, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
#ifdef __cplusplus
}
#endif

/* If it was something else that was called so. */
__attribute__((weak)) int main(void)
{
    return TROUBLE;
}

static int begin(int argc, char **argv, char **environment)
{
    (void)environment;
    return check_case(argc, argv);
}

int __wrap___libc_start_main(main_function *yours, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    (void)yours;
    return __real___libc_start_main(begin, argc, argv, init, fini, rtld_fini, stack_end);
}
#endif
