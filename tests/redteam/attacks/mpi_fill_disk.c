/* expect: mpi output-limit */
/* Fill the directories that MPI needs, with many files. */
#include "attack.h"

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    static char block[1 << 20];
    char path[256];
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)comm;
    for (int i = 0; i < 4000; i++) {
        snprintf(path, sizeof path, "%s/fill-%d-%d", getenv("TMPDIR"), getpid(), i);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        for (int j = 0; j < 8; j++)
            if (write(fd, block, sizeof block) < 0)
                break;
        close(fd);
    }
    sleep(100);
}
