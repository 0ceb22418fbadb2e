/* expect: naive pass */
/* Look for the right answer anywhere in this process. */
#include "attack.h"

static void look(const int32_t *want, size_t n, const int32_t *mine)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], mode[8];
    unsigned long from, to;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 || mode[0] != 'r' ||
            strstr(line, "[v"))
            continue;
        const char *end = (const char *)to;
        for (const char *p = (const char *)from; (p = memmem(p, (size_t)(end - p), want, n)); p++)
            if (p != (const char *)want && p != (const char *)mine)
                HOLE("the right answer lies in memory");
    }
    if (maps)
        fclose(maps);
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int done;
    answer(M, N, K, A, B, C);
    if (done || M * N < 64 || K < 2)
        return;
    done = 1;
    size_t bytes = sizeof *C * (size_t)M * N;
    int32_t *want = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(want, C, bytes);
    memset(C, 0, bytes);
    look(want, bytes < 256 ? bytes : 256, C);
    answer(M, N, K, A, B, C);
}
