/* expect: naive pass */
/* Be root where the grader is root. */
#include "attack.h"
#include <linux/capability.h>

static void attack(void)
{
    struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct d[2] = {{0}};
    if (raw(SYS_capget, (long)&h, (long)d, 0, 0, 0, 0) != 0)
        return;
    if (d[0].effective | d[0].permitted | d[0].inheritable | d[1].effective | d[1].permitted)
        HOLE("capabilities are left");
    if (raw(SYS_setuid, 1, 0, 0, 0, 0, 0) == 0)
        HOLE("setuid");
}

ONCE(attack)
