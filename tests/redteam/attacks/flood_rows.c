/* expect: naive forbidden */
/* Rows of a profile that nobody has asked for, without an end. */
#include "attack.h"

enum { PROFILE_ROW = 12 };

struct row { /* grader/abi/protocol.h */
    uint32_t type;
    int32_t activity;
    char name[200];
    uint64_t calls, total_ns;
    uint32_t registers, shared_bytes, block_threads;
    uint64_t grid_blocks;
    double occupancy;
};

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct row r = {.type = PROFILE_ROW, .name = "none", .calls = 1};
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    for (;;) {
        tell(&r, sizeof r);
        usleep(5000);
    }
}
