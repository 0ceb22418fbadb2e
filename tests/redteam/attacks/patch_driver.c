/* expect: naive crash|forbidden */
/* Overwrite the driver's program text. */
#include "attack.h"
#include <link.h>

static int patch(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        void *text = (void *)(info->dlpi_addr + (p->p_vaddr & ~(ElfW(Addr))4095));
        if (mprotect(text, p->p_memsz, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
            memset(text, 0xcc, p->p_memsz);
    }
    return 1; /* the program itself comes first */
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    dl_iterate_phdr(patch, NULL);
}
