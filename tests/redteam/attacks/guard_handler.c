/* expect: naive wrote-out-of-bounds */
/* Write behind C; when that faults, a handler of one's own puts memory in the place of the guard.
 */
#include "attack.h"

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

struct kernel_action { /* as the kernel wants it */
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
};

__asm__(".text\ncome_back:\n\tmov $15, %eax\n\tsyscall\n"); /* rt_sigreturn */
void come_back(void);

static void give_way(int signo, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)4095;
    (void)signo, (void)context;
    raw(SYS_mmap, (long)page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
        -1, 0);
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    const int signals[] = {SIGSEGV, SIGBUS};
    for (int i = 0; i < 2; i++) {
        struct kernel_action a = {give_way, SA_SIGINFO | SA_RESTORER, come_back, 0};
        raw(SYS_rt_sigaction, signals[i], (long)&a, 0, 8, 0, 0);
    }
    answer(M, N, K, A, B, C);
    ((volatile int32_t *)C)[(size_t)M * N + 4096] = 1;
}
