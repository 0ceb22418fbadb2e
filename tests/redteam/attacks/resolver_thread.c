/* expect: naive pass|forbidden|build-error */
/* The resolver of an indirect function starts a thread at load time, before the driver has said
 * that it is ready. */
#include "attack.h"
#include <sched.h>

static char stack[16384] __attribute__((aligned(64)));

static void nothing(void)
{
}

/* No function of a library can be called yet. */
static void (*resolve(void))(void)
{
    const long flags =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    long rc = SYS_clone;
    register long none __asm__("r10") = 0, turns __asm__("r12") = 100000;
    __asm__ volatile("syscall\n"
                     "test %%rax, %%rax\n"
                     "jnz 2f\n"
                     "1: mov %[yield], %%eax\n"
                     "syscall\n"
                     "dec %%r12\n"
                     "jnz 1b\n"
                     "mov %[exit], %%eax\n"
                     "xor %%edi, %%edi\n"
                     "syscall\n"
                     "2:"
                     : "+a"(rc), "+r"(turns)
                     : "D"(flags), "S"(stack + sizeof stack), "d"(0L),
                       "r"(none), [yield] "i"(SYS_sched_yield), [exit] "i"(SYS_exit)
                     : "rcx", "r11", "memory");
    return nothing;
}

void indirect(void) __attribute__((ifunc("resolve")));

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    indirect();
    answer(M, N, K, A, B, C);
}
