/* expect: naive crash|wrong-answer|forbidden|timeout */
/* Jump back into a call that has ended. */
#include "attack.h"
#include <setjmp.h>

static jmp_buf back;
static int calls;

static void save(void)
{
    if (setjmp(back))
        _exit(0);
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (!calls++)
        save();
    else
        longjmp(back, 1);
    answer(M, N, K, A, B, C);
}
