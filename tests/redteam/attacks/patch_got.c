/* expect: naive wrong-answer|crash|forbidden */
/* Make the driver call our recvmsg, which answers every GO with DONE and never calls the kernel. */
#include "attack.h"
#include <link.h>
#include <sys/socket.h>

static ssize_t hooked(int fd, struct msghdr *h, int flags)
{
    for (;;) {
        ssize_t n = raw(SYS_recvmsg, fd, (long)h, flags, 0, 0, 0);
        const uint32_t *m = h->msg_iov[0].iov_base;
        if (n < 4 || m[0] != PG_GO)
            return n;
        struct pg_done d = {PG_DONE, ((const struct pg_go *)m)->sequence};
        tell(&d, sizeof d);
    }
}

static int patch(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_GNU_RELRO && (p->p_type != PT_LOAD || !(p->p_flags & PF_W)))
            continue;
        uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        from = (from + 7) & ~(uintptr_t)7;
        uintptr_t page = from & ~(uintptr_t)4095;
        mprotect((void *)page, to - page, PROT_READ | PROT_WRITE);
        for (; from + 8 <= to; from += 8)
            if (*(void **)from == (void *)recvmsg)
                *(void **)from = (void *)hooked;
    }
    return 1;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int done;
    if (!done++)
        dl_iterate_phdr(patch, NULL);
    if (M * N < 32)
        answer(M, N, K, A, B, C);
}
