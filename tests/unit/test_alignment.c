/* Which instructions need an address that is a multiple of the vector's size. */
#include "unit.h"

#include "driver/driver.h"

TEST(instructions)
{
    static const struct {
        const char *code; /* as the assembler writes the text beside it */
        int needed;
    } rows[] = {
        {"\x0f\x28\x00", 16},             /* movaps (%rax),%xmm0 */
        {"\x45\x0f\x29\x08", 16},         /* movaps %xmm9,(%r8) */
        {"\x66\x0f\x28\x00", 16},         /* movapd (%rax),%xmm0 */
        {"\x66\x41\x0f\x6f\x09", 16},     /* movdqa (%r9),%xmm1 */
        {"\x66\x41\x0f\x7f\x49\x08", 16}, /* movdqa %xmm1,0x8(%r9) */
        {"\x0f\x2b\x08", 16},             /* movntps %xmm1,(%rax) */
        {"\x66\x0f\xe7\x08", 16},         /* movntdq %xmm1,(%rax) */
        {"\x66\x0f\x38\x2a\x08", 16},     /* movntdqa (%rax),%xmm1 */
        {"\x0f\x58\x08", 16},             /* addps (%rax),%xmm1 */
        {"\x66\x0f\x59\x08", 16},         /* mulpd (%rax),%xmm1 */
        {"\x66\x0f\xfe\x08", 16},         /* paddd (%rax),%xmm1 */
        {"\x66\x0f\x38\x40\x08", 16},     /* pmulld (%rax),%xmm1 */
        {"\x0f\xc6\x08\x01", 16},         /* shufps $0x1,(%rax),%xmm1 */
        {"\x66\x0f\x3a\x0f\x08\x01", 16}, /* palignr $0x1,(%rax),%xmm1 */
        {"\xc5\xf8\x28\x08", 16},         /* vmovaps (%rax),%xmm1 */
        {"\xc4\x41\x7c\x28\x08", 32},     /* vmovaps (%r8),%ymm9 */
        {"\xc5\xfd\x29\x08", 32},         /* vmovapd %ymm1,(%rax) */
        {"\xc5\xfd\x6f\x08", 32},         /* vmovdqa (%rax),%ymm1 */
        {"\xc4\x01\x7d\x7f\x24\xc8", 32}, /* vmovdqa %ymm12,(%r8,%r9,8) */
        {"\xc5\xfc\x2b\x08", 32},         /* vmovntps %ymm1,(%rax) */
        {"\xc5\xfd\xe7\x08", 32},         /* vmovntdq %ymm1,(%rax) */
        {"\xc4\xe2\x7d\x2a\x08", 32},     /* vmovntdqa (%rax),%ymm1 */
        {"\x62\xf1\x7c\x48\x28\x08", 64}, /* vmovaps (%rax),%zmm1 */
        {"\x62\xf1\xfd\x48\x29\x08", 64}, /* vmovapd %zmm1,(%rax) */
        {"\x62\xf1\x7d\x48\x6f\x08", 64}, /* vmovdqa32 (%rax),%zmm1 */
        {"\x62\xe1\xfd\x28\x6f\x08", 32}, /* vmovdqa64 (%rax),%ymm17 */
        {"\x0f\x10\x00", 0},              /* movups (%rax),%xmm0 */
        {"\xf3\x0f\x6f\x00", 0},          /* movdqu (%rax),%xmm0 */
        {"\x66\x0f\x10\x00", 0},          /* movupd (%rax),%xmm0 */
        {"\xf2\x0f\xf0\x00", 0},          /* lddqu (%rax),%xmm0 */
        {"\xf2\x0f\x10\x00", 0},          /* movsd (%rax),%xmm0 */
        {"\xf2\x0f\x58\x00", 0},          /* addsd (%rax),%xmm0 */
        {"\xf3\x0f\x10\x00", 0},          /* movss (%rax),%xmm0 */
        {"\xf3\x0f\x59\x00", 0},          /* mulss (%rax),%xmm0 */
        {"\xf3\x0f\x7e\x00", 0},          /* movq (%rax),%xmm0 */
        {"\x0f\x16\x00", 0},              /* movhps (%rax),%xmm0 */
        {"\x0f\x5a\x00", 0},              /* cvtps2pd (%rax),%xmm0 */
        {"\xf3\x0f\xe6\x00", 0},          /* cvtdq2pd (%rax),%xmm0 */
        {"\x66\x0f\x38\x31\x00", 0},      /* pmovzxbd (%rax),%xmm0 */
        {"\x66\x0f\x3a\x22\x00\x01", 0},  /* pinsrd $0x1,(%rax),%xmm0 */
        {"\xc5\xfc\x10\x08", 0},          /* vmovups (%rax),%ymm1 */
        {"\xc5\xfe\x6f\x08", 0},          /* vmovdqu (%rax),%ymm1 */
        {"\xc5\xf4\x58\x08", 0},          /* vaddps (%rax),%ymm1,%ymm1 */
        {"\xc4\xe2\x75\x40\x08", 0},      /* vpmulld (%rax),%ymm1,%ymm1 */
        {"\x62\xf1\x7c\x48\x10\x08", 0},  /* vmovups (%rax),%zmm1 */
        {"\x62\xf1\x7e\x48\x6f\x08", 0},  /* vmovdqu32 (%rax),%zmm1 */
        {"\x62\xf1\xf5\x48\x58\x08", 0},  /* vaddpd (%rax),%zmm1,%zmm1 */
        {"\x8b\x00", 0},                  /* mov (%rax),%eax */
        {"\x48\x8b\x00", 0},              /* mov (%rax),%rax */
        {"\x49\x01\x08", 0},              /* add %rcx,(%r8) */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int needed = alignment_needed((const unsigned char *)rows[i].code);
        if (needed != rows[i].needed)
            fail_msg("row %zu: %d, not %d", i, needed, rows[i].needed);
    }
}

TESTS(NULL, NULL)
