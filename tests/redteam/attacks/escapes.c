/* expect: naive pass */
/* Bytes that terminals, CSV and JSON take for something else. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static const char noise[] =
        "\0\033]0;owned\007\033[2J\r\n\",=cmd|'/c calc'!A1\xff\xfe\xc0\x80\n";
    answer(M, N, K, A, B, C);
    fwrite(noise, 1, sizeof noise, stdout);
    fflush(stdout);
}
