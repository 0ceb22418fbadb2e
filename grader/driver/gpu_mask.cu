#include "driver/gpu_mask.h"

enum { THREADS = 256, WORDS_PER_THREAD = 4 };

__global__ void unmask(uint64_t *word, uint64_t words, unsigned input, struct pg_key key)
{
    uint64_t first = (uint64_t)blockIdx.x * THREADS * WORDS_PER_THREAD + threadIdx.x;
#pragma unroll
    for (int i = 0; i < WORDS_PER_THREAD; i++) {
        uint64_t k = first + (uint64_t)i * THREADS;
        if (k < words)
            word[k] ^= pg_mask_word(key, input, k);
    }
}

extern "C" void gpu_unmask(uint64_t *word, uint64_t words, unsigned input, struct pg_key key,
                           cudaStream_t stream)
{
    const uint64_t per_block = THREADS * WORDS_PER_THREAD;
    unmask<<<(unsigned)((words + per_block - 1) / per_block), THREADS, 0, stream>>>(word, words,
                                                                                    input, key);
}
