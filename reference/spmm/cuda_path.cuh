/*
 * cuda_path.cuh - where the work of a block of threads begins and ends.
 *
 * Work is counted along the merge path (D. Merrill, M. Garland: Merge-Based Parallel Sparse
 * Matrix-Vector Multiplication, SC 2016): a step is either to use an entry of A or to finish a row.
 * There are nnz + M steps, and every block takes equally many, whatever the rows are like: a row
 * with a million entries is the work of many blocks, and a million empty rows are, too.
 */
#ifndef SPMM_CUDA_PATH_CUH
#define SPMM_CUDA_PATH_CUH

#include <cuda_runtime.h>

/* A position on the path: all rows before `row` are finished, all entries before `entry` used. */
struct place {
    int row;
    long long entry;
};

/* The two formats. longest(): no row has more entries. row_start(i): the entries before row i.
 * row_at(step): the row that is being worked on at a step of the path; all lanes of a warp call it
 * together. */
struct csr_rows {
    int M;
    long long entries;
    const int *starts;

    long long longest() const
    {
        return entries; /* all that the host knows */
    }

    __device__ __forceinline__ long long row_start(int i) const
    {
        return __ldg(starts + i);
    }

    /* The last row whose own first step, row_start(i) + i, is not after `step`. Each round compares
     * 32 rows, which divides what is left by 33. */
    __device__ __forceinline__ int row_at(long long step) const
    {
        const int lane = threadIdx.x % 32;
        long long low = step > entries ? step - entries : 0; /* at most `entries` are used */
        long long high = (step < M ? step : M) + 1;
        while (high - low > 1) {
            const long long apart = (high - low + 32) / 33;
            const long long i = low + (lane + 1) * apart;
            const bool before = i < high && row_start((int)i) + i <= step;
            const int count = __popc(__ballot_sync(0xffffffff, before));
            const long long beyond = low + (count + 1) * apart;
            low += count * apart;
            high = beyond < high ? beyond : high;
        }
        return (int)low;
    }
};

struct ell_rows {
    int M;
    long long entries;
    int width;

    long long longest() const
    {
        return width;
    }

    __device__ __forceinline__ long long row_start(int i) const
    {
        return (long long)i * width;
    }

    __device__ __forceinline__ int row_at(long long step) const
    {
        return (int)(step / (width + 1LL));
    }
};

/* The place at a step of the path. A row with at most `most` entries is not divided: its end is the
 * place for all of its steps. */
template <class ROWS>
__device__ __forceinline__ struct place place_at(const ROWS &a, long long step, int most)
{
    const int row = a.row_at(step);
    struct place at = {row, step - row};
    if (row < a.M && at.entry > a.row_start(row)) {
        const long long end = a.row_start(row + 1);
        if (end - a.row_start(row) <= most)
            at = {row + 1, end};
    }
    return at;
}

#endif
