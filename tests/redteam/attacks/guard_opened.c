/* expect: naive wrote-out-of-bounds */
/* Open the guard behind C to oneself, write there, and hide one's mappings from the other
 * processes of the user. */
#include "attack.h"
#include <sys/prctl.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    uintptr_t end = ((uintptr_t)(C + (size_t)M * N) + 4095) & ~(uintptr_t)4095;
    raw(SYS_mprotect, (long)end, 4096, PROT_READ | PROT_WRITE, 0, 0, 0);
    raw(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0, 0);
    answer(M, N, K, A, B, C);
    *(volatile int32_t *)end = 1;
}
