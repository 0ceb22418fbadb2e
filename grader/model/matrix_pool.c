#include "model/matrix_pool.h"

/* With 16 copies, speed-ups repeat no better, and touching the pages costs 0.09 s more. */
enum { COPIES = 8 };
#define HOST_MOST (UINT64_C(64) << 20)

/* With 96 MiB of outputs and 64 MiB of inputs, an H200 multiplied sparse matrices up to 44 % slower
 * than by its own events: runs of 2 to 15 calls of 30 to 60 us took 75 to 100 us beside them. */
#define DEVICE_INPUT_MOST (UINT64_C(256) << 20)
#define DEVICE_OUTPUT_MOST (UINT64_C(512) << 20)

static uint64_t copies(uint64_t n, uint64_t largest, uint64_t most)
{
    const uint64_t room = largest > most / n ? most : n * largest;
    const uint64_t least = largest > MATRIX_POOL_LEAST ? largest : MATRIX_POOL_LEAST;
    return room > least ? room : least;
}

struct matrix_pool matrix_pool_for(uint64_t largest, bool device)
{
    const uint64_t host = copies(COPIES, largest, HOST_MOST);
    if (!device)
        return (struct matrix_pool){host, host, host};
    return (struct matrix_pool){host, copies(COPIES, largest, DEVICE_INPUT_MOST),
                                copies(RUN_PROBLEMS_MOST, largest, DEVICE_OUTPUT_MOST)};
}
