/* expect: naive pass|out-of-memory */
/* Page tables: one for each 2 MiB of a mapping in which one page was read, all of them the same
 * page of zeros. */
#include "attack.h"

enum { TABLES = 100000 };

static void attack(void)
{
    const size_t apart = 2 << 20, bytes = (size_t)TABLES * apart;
    volatile char *p =
        mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return;
    madvise((void *)p, bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < TABLES; i++)
        (void)p[i * apart];
    usleep(300000);
    HOLE("400 MB of page tables that are not counted");
}

ONCE(attack)
