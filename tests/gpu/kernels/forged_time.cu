/* expect: forbidden
 * Says "done, in no time at all" to the grader before the driver can. */
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "kernel.h"
#include "protocol.h"

KERNEL(stream)
{
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaDeviceSynchronize();
    const pg_done done = {PG_DONE, 2, 1e-9, 0};
    for (int fd = 3; fd < 256; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
            send(fd, &done, sizeof done, MSG_NOSIGNAL);
    }
}
