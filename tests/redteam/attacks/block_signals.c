/* expect: naive timeout */
/* Block and ignore every signal, and never return. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    sigset_t all;
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    for (int s = 1; s < 65; s++)
        signal(s, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        ;
}
