/* What a tier is compiled for, and what compilers say of functions that need more. */
#include "base/strbuf.h"
#include "unit.h"

#include <string.h>

#include "build/instruction_sets.h"

TEST(texts)
{
    static const char *const table[][2] = {
        {"gcc -O2 a.c", "any x86-64 processor, which has SSE2 only (no option -mavx2)"},
        {"gcc -O3 -mavx2 a.c", "AVX2 only (-mavx2)"},
        {"gcc -mavx2 -mfma", "AVX2 and FMA only (-mavx2 -mfma)"},
        {"gcc -mavx -mf16c -mavx512f", "AVX, F16C and AVX-512F only (-mavx -mf16c -mavx512f)"},
        {"gcc -march=native a.c", NULL},
        {"gcc -march=x86-64-v3 -mfma", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = instruction_sets_text(table[i][0]);
        if (!text != !table[i][1] || (text && strcmp(text, table[i][1]) != 0))
            fail_msg("%s: '%s'", table[i][0], text ? text : "(none)");
    }
}

TEST(missing)
{
    static const char gcc[] =
        "In file included from /usr/lib/gcc/x86_64-linux-gnu/12/include/immintrin.h:49,\n"
        "simd.c: In function 'gemm_i32':\n"
        "/usr/lib/gcc/avx512fintrin.h:3810:1: error: inlining failed in call to 'always_inline' "
        "'_mm512_add_epi32': target specific option mismatch\n"
        " 3810 | _mm512_add_epi32 (__m512i __A, __m512i __B)\n"
        "simd.c:9:19: note: called from here\n";
    static const char clang[] =
        "simd.c:9:19: error: always_inline function '_mm512_add_epi32' requires target feature "
        "'avx512f', but would be inlined into function 'gemm_i32' that is compiled without it\n";
    static const char gxx[] =
        "immintrin.h:573:1: error: inlining failed in call to 'always_inline' "
        "'__m512i _mm512_add_epi32(__m512i, __m512i)': target specific option mismatch\n"
        "simd.c:9:21: note: called from here\n";
    static const char says[] = "simd.c:9: _mm512_add_epi32 needs instructions that this tier is "
                               "not compiled for: it is compiled for AVX2 only (-mavx2)";
    static const char *const table[][2] = {
        {"", NULL},
        {"simd.c:3:1: error: expected ';'\n", NULL},
        {"target specific option mismatch\n", NULL},
        {gcc, says},
        {gxx, says},
        {clang, says},
        {"x: error: target specific option mismatch",
         "a function needs instructions that this tier is not compiled for: it is compiled for "
         "AVX2 only (-mavx2)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = instruction_sets_missing(table[i][0], "gcc -O3 -mavx2");
        if (!text != !table[i][1] || (text && strcmp(text, table[i][1]) != 0))
            fail_msg("row %zu: '%s'", i, text ? text : "(none)");
    }
}

TESTS(NULL, NULL)
