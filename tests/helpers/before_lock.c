/*
 * To be preloaded: when the program is about to lock a run, the command in BEFORE_LOCK runs first,
 * so what the program has read of the run is out of date.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int lstat(const char *path, struct stat *st)
{
    int (*real)(const char *, struct stat *) =
        (int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "lstat");
    const char *command = getenv("BEFORE_LOCK"), *name = strrchr(path, '/');
    if (command && name && strcmp(name, "/lock") == 0) {
        char *once = strdup(command);
        unsetenv("BEFORE_LOCK");
        unsetenv("LD_PRELOAD");
        if (!once || system(once) != 0)
            abort();
        free(once);
    }
    return real(path, st);
}
