/* tier: naive */
/* One call of itself for each row, as deep as there are rows. */
#include "honest.h"

static int last;

static int down(const struct job *j, int i)
{
    char frame[1024];
    snprintf(frame, sizeof frame, "row %d of %d", i, j->M);
    rows(i, i + 1, j->N, j->K, j->A, j->B, j->C);
    int deeper = i + 1 < j->M ? down(j, i + 1) : 0;
    return deeper + (int)strlen(frame);
}

GEMM
{
    const struct job j = {M, N, K, A, B, C};
    last = down(&j, 0);
}
