/* expect: open pass */
/* Nothing is forbidden by name: the C library's ways to start programs and to load code. */
#include "attack.h"
#include <dlfcn.h>
#include <spawn.h>

extern char **environ;

static void attack(void)
{
    char *argv[] = {(char[]){"/bin/true"}, NULL};
    pid_t pid;
    if (system("true") == 0 || popen("true", "r") || fork() >= 0 ||
        posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0)
        HOLE("a process was started");
    if (dlopen(SECRET_DIR "/evil.so", RTLD_NOW))
        HOLE("code from outside");
}

ONCE(attack)
