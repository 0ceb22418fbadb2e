/* Linked with one reference kernel at a time: it must equal the definition on every shape, and
 * touch nothing beside C. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "gemm.h"

enum { CANARY = 64 };

static void product(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[(size_t)i * (size_t)K + (size_t)k] *
                       (uint32_t)B[(size_t)k * (size_t)N + (size_t)j];
            C[(size_t)i * (size_t)N + (size_t)j] = (int32_t)sum;
        }
}

static uint32_t state = 12345;

static int32_t draw(void)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)(state ^ (state >> 13) * 0x9e3779b9u);
}

static int32_t *matrix(size_t n)
{
    int32_t *m = aligned_alloc(64, (n * sizeof *m + 63) / 64 * 64);
    assert_non_null(m);
    for (size_t i = 0; i < n; i++)
        m[i] = draw();
    return m;
}

static void check(int M, int N, int K)
{
    size_t m = (size_t)M, n = (size_t)N, k = (size_t)K, c = m * n;
    int32_t *A = matrix(m * k), *B = matrix(k * n), *want = matrix(c);
    int32_t *space = matrix(c + 2 * (size_t)CANARY), *before = matrix(c + 2 * (size_t)CANARY);
    memcpy(before, space, (c + 2 * (size_t)CANARY) * sizeof *space);
    product(M, N, K, A, B, want);
    gemm_i32(M, N, K, A, B, space + CANARY);
    if (memcmp(space + CANARY, want, c * sizeof *want) != 0)
        fail_msg("%d x %d x %d: the product is wrong", M, N, K);
    if (memcmp(space, before, CANARY * sizeof *space) != 0 ||
        memcmp(space + CANARY + c, before + CANARY + c, CANARY * sizeof *space) != 0)
        fail_msg("%d x %d x %d: wrote outside C", M, N, K);
    free(A);
    free(B);
    free(want);
    free(space);
    free(before);
}

TEST(every_small_shape)
{
    static const int dims[] = {1, 2, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33};
    const size_t n = sizeof dims / sizeof dims[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k += 3)
                check(dims[i], dims[j], dims[k]);
}

TEST(block_edges)
{
    static const int shapes[][3] = {
        {63, 64, 65},   {95, 97, 255}, {96, 96, 256},  {97, 95, 257}, {193, 31, 513},
        {1, 2049, 3},   {2, 4100, 2},  {3000, 1, 3},   {1, 1, 5000},  {5, 2047, 300},
        {13, 37, 1021}, {128, 128, 1}, {127, 129, 64},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check(shapes[i][0], shapes[i][1], shapes[i][2]);
}

TESTS(NULL, NULL)
