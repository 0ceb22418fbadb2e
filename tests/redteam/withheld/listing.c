/*
 * What the grader keeps between runs (the compiled yardstick, a classmate's library in its scratch
 * directory) lies where compilers may read: is a file of it readable? DIRECTORIES: where to look.
 */
#define _GNU_SOURCE
#include "gemm.h"
#include <dlfcn.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int found;

/* A library that is not this one. */
static int look(const char *path, const struct stat *st, int what, struct FTW *at)
{
    static const char elf[] = "\177ELF";
    char start[sizeof elf] = "";
    Dl_info own;
    (void)st, (void)at;
    FILE *f = what == FTW_F ? fopen(path, "r") : NULL;
    if (f && fgets(start, sizeof start, f) && strcmp(start, elf) == 0 && dladdr(&found, &own) &&
        strcmp(own.dli_fname, path) != 0) {
        printf("HOLE: %s\n", path);
        fflush(stdout);
        found = 1;
    }
    if (f)
        fclose(f);
    return found;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static const char *const dirs[] = {DIRECTORIES};
    static int calls;
    for (size_t d = 0; d < sizeof dirs / sizeof *dirs && !calls; d++)
        nftw(dirs[d], look, 16, FTW_PHYS);
    calls++;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[(size_t)i * K + k] * (uint32_t)B[(size_t)k * N + j];
            C[(size_t)i * N + j] = found ? 0 : (int32_t)sum;
        }
}
