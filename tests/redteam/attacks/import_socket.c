/* expect: fenced forbidden */
/* Ask another machine. */
#include "attack.h"
#include <sys/socket.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
        HOLE("a socket");
    answer(M, N, K, A, B, C);
}
