/* tier: naive */
/* Remembers a block size per shape in a hash table and a tree of the C library's. */
#include "honest.h"
#include <search.h>

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

GEMM
{
    static void *tree;
    static int made, block[1000];
    char key[40];
    if (!made++ && !hcreate(1000))
        abort();
    snprintf(key, sizeof key, "%dx%dx%d", M, N, K);
    if (!tfind(key, &tree, compare))
        tsearch(strdup(key), &tree, compare);
    ENTRY *e = hsearch((ENTRY){.key = key}, FIND);
    if (!e) {
        block[made] = 1 + K / 2;
        e = hsearch((ENTRY){strdup(key), &block[made]}, ENTER);
    }
    int size = e ? *(int *)e->data : 32;
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0; k0 < K; k0 += size)
        for (int i = 0; i < M; i++)
            for (int k = k0; k < least(K, k0 + size); k++)
                for (int j = 0; j < N; j++)
                    C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}
