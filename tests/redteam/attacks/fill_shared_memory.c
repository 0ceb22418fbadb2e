/* expect: naive pass */
/* Memory that is not counted as private: shared mappings, memory files, System V. */
#include "attack.h"

static void attack(void)
{
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        HOLE("shared anonymous memory");
    if (raw(SYS_memfd_create, (long)"x", 0, 0, 0, 0, 0) >= 0)
        HOLE("memfd_create");
    if (raw(SYS_shmget, 0, 4096, 0600 | 01000, 0, 0, 0) >= 0)
        HOLE("shmget");
#ifdef SYS_memfd_secret
    if (raw(SYS_memfd_secret, 0, 0, 0, 0, 0, 0) >= 0)
        HOLE("memfd_secret");
#endif
}

ONCE(attack)
