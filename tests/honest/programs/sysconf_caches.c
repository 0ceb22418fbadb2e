/* tier: naive */
/* Asks how large caches, pages and memory are, on what machine. */
#include "honest.h"
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

GEMM
{
    static int block;
    if (!block) {
        struct utsname u;
        char host[65] = "";
        long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
        uname(&u);
        gethostname(host, sizeof host - 1);
        printf("%s %s on %s: %ld %ld bytes of cache, %d of %d cores, %ld of %ld pages of %ld\n",
               u.sysname, u.release, host, l1, l2, get_nprocs(), get_nprocs_conf(),
               get_avphys_pages(), get_phys_pages(), sysconf(_SC_PAGESIZE));
        block = l1 > 4096 ? (int)(l1 / 4096) : 8;
    }
    for (int i = 0; i < M; i += block)
        rows(i, least(M, i + block), N, K, A, B, C);
}
