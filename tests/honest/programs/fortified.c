/* tier: naive */
/* Compiled with the checks of _FORTIFY_SOURCE, longjmp's among them. */
#define _FORTIFY_SOURCE 2
#include "honest.h"
#include <setjmp.h>

static jmp_buf failed;

static void report(const char *what, int n)
{
    char text[40];
    snprintf(text, sizeof text, "%s %d", what, n);
    strncat(text, ".", sizeof text - strlen(text) - 1);
    if (n > 50)
        fprintf(stderr, "%s\n", text);
    longjmp(failed, 1);
}

GEMM
{
    if (setjmp(failed) == 0)
        report("rows:", M);
    rows(0, M, N, K, A, B, C);
}
