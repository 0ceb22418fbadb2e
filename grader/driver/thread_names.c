/*
 * CUDA names its threads: it writes to /proc/self/task/N/comm, and gives up if it cannot. The
 * sandbox allows this only to the process that the proctor has started. Below compute-sanitizer
 * this is another one, and nobody needs the names: they go to /dev/null.
 *
 * Functions of a program come before those of the C library, for libcuda as well, if the program
 * exports them. The linker does so for names that the C library has.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int is_thread_name(const char *path)
{
    static const char tasks[] = "/proc/self/task/", name[] = "/comm";
    const size_t n = strlen(path);
    return strncmp(path, tasks, sizeof tasks - 1) == 0 && n >= sizeof name &&
           strcmp(path + n - (sizeof name - 1), name) == 0;
}

static FILE *open_as(const char *function, const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, function);
    return real(is_thread_name(path) ? "/dev/null" : path, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    return open_as("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return open_as("fopen64", path, mode);
}
