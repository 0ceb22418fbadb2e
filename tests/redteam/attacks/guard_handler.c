/* expect: naive wrote-out-of-bounds|crash|forbidden */
/* Write behind C, and hide it: a handler of one's own puts a page where the guard was. */
#include "attack.h"

static void on_fault(int sig, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)4095;
    (void)context;
    if (mmap((void *)page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) == MAP_FAILED)
        signal(sig, SIG_DFL);
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &sa, NULL);
    answer(M, N, K, A, B, C);
    ((volatile int32_t *)C)[(size_t)M * N + 4096] = 1;
}
