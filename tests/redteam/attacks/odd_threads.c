/* expect: open pass */
/* Threads of kinds that no library makes: whose maker sleeps until they end, traced ones, ones in
 * another namespace, with descriptors of their own. */
#include "attack.h"
#include <sched.h>

static int nothing(void *unused)
{
    (void)unused;
    return 0;
}

static void attack(void)
{
    static char stack[16384] __attribute__((aligned(64)));
    static const struct {
        const char *name;
        int flag;
    } odd[] = {
        {"CLONE_VFORK", CLONE_VFORK},         {"CLONE_PTRACE", CLONE_PTRACE},
        {"CLONE_NEWNS", CLONE_NEWNS},         {"CLONE_NEWUTS", CLONE_NEWUTS},
        {"CLONE_NEWIPC", CLONE_NEWIPC},       {"CLONE_NEWUSER", CLONE_NEWUSER},
        {"CLONE_NEWPID", CLONE_NEWPID},       {"CLONE_NEWNET", CLONE_NEWNET},
        {"CLONE_NEWCGROUP", CLONE_NEWCGROUP},
    };
    const int thread =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
        if (clone(nothing, stack + sizeof stack, thread | odd[i].flag, NULL) >= 0)
            HOLE(odd[i].name);
        usleep(1000);
    }
    /* Not with all that threads share. */
    if (clone(nothing, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, NULL) >= 0)
        HOLE("a thread with descriptors of its own");
    usleep(1000);
}

ONCE(attack)
