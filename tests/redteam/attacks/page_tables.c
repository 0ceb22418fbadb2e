/* expect: naive out-of-memory */
/* Pages of zeros belong to nobody, but the tables that lead to them take memory: 4 KiB for one page
 * in each 2 MiB. Up to 1 GiB of these, held for a while. */
#include "attack.h"
#include <time.h>

static void attack(void)
{
    const size_t table = 2 << 20, tables = 262144;
    volatile const char *p =
        mmap(NULL, tables * table, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return;
    madvise((void *)p, tables * table, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < tables; i++)
        (void)p[i * table];
    nanosleep(&(struct timespec){0, 600000000}, NULL);
}

ONCE(attack)
