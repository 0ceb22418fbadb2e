/* expect: pass: only one of the GPUs can be opened, and no file that CUDA does not need */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "kernel.h"

static int gpus_opened()
{
    int count = 0;
    for (int i = 0; i < 16; i++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        int fd = open(path, O_RDWR);
        count += fd >= 0;
        if (fd >= 0)
            close(fd);
    }
    static const char *const unneeded[] = {"/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"};
    for (int i = 0; i < 2; i++)
        count += 100 * (open(unneeded[i], O_RDONLY) >= 0);
    return count;
}

KERNEL(stream)
{
    static const int opened = gpus_opened();
    int visible = 0;
    dim3 block(32, 8);
    if (opened > 1 || cudaGetDeviceCount(&visible) != cudaSuccess || visible != 1) {
        printf("%d GPUs could be opened, %d are visible\n", opened, visible);
        return;
    }
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
