/* expect: naive pass */
/* Open the file behind the inputs again, for writing. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int done;
    FILE *maps = done++ ? NULL : fopen("/proc/self/maps", "r");
    char line[512], path[128];
    unsigned long from, to;
    while (maps && fgets(line, sizeof line, maps)) {
        if (!strstr(line, "memfd:") || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        if ((uintptr_t)A < from || (uintptr_t)A >= to)
            continue;
        snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", from, to);
        int fd = open(path, O_RDWR);
        if (fd >= 0 && mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED)
            HOLE("inputs can be mapped for writing");
        if (fd >= 0 && pwrite(fd, "x", 1, 0) == 1)
            HOLE("inputs can be written to as a file");
    }
    if (maps)
        fclose(maps);
    answer(M, N, K, A, B, C);
}
