/*
 * cuda_spmm.cuh - Y = A * X on a GPU, for CSR and ELLPACK.
 *
 * 1. A block of threads takes an equal part of the merge path (cuda_path.cuh) and copies its
 * entries of A to shared memory, many at once.
 * 2. The block is divided into groups of lanes. A group sums rows of X for one row of Y; a lane has
 * one or two columns. Several rows of X are on their way at a time.
 *    - Even rows: the groups take whole rows in turns.
 *    - Otherwise the groups divide the path of the block equally, as blocks divide the whole. Parts
 * of rows are added in shared memory.
 * 3. A row that ends in a later block leaves its sum in `carry`. A second kernel adds these sums,
 * in a fixed order: the result does not vary from run to run.
 *
 * For K = 1, step 1 already multiplies: the entries of a block are read in order, and so the
 * elements of X are all on their way together, whatever the lengths of the rows.
 */
#ifndef SPMM_CUDA_SPMM_CUH
#define SPMM_CUDA_SPMM_CUH

#include "cuda_path.cuh"

constexpr int THREADS = 128; /* of a block */
constexpr int RESIDENT = 8;  /* blocks of a multiprocessor at a time, at least */
constexpr int UNROLL = 4;    /* loads of a thread that are on their way together */
constexpr int MOST = 64;     /* entries: longer rows are divided */

/* Sums of rows that end in later blocks: at most one per block. */
struct carries {
    int *row;    /* -1: none */
    double *sum; /* K of them for each block */
};

/* VEC neighbouring columns. load_if is one load with a predicate: nvcc makes branches of an `if`,
 * and then does not issue the loads of several entries together. Without the predicate, the result
 * is zero. */
template <int VEC> struct columns;
template <> struct columns<1> {
    double x;
    static __device__ __forceinline__ columns load_if(bool on, const double *p)
    {
        columns v = {};
        asm volatile("{ .reg .pred on; setp.ne.s32 on, %1, 0; @on ld.global.nc.f64 %0, [%2]; }"
                     : "+d"(v.x)
                     : "r"((int)on), "l"(p));
        return v;
    }
    __device__ __forceinline__ void add(double a, columns b)
    {
        x += a * b.x;
    }
    __device__ __forceinline__ void store(double *p) const
    {
        __stcs(p, x);
    }
};
template <> struct columns<2> {
    double x, y;
    static __device__ __forceinline__ columns load_if(bool on, const double *p)
    {
        columns v = {};
        asm volatile(
            "{ .reg .pred on; setp.ne.s32 on, %2, 0; @on ld.global.nc.v2.f64 {%0, %1}, [%3]; }"
            : "+d"(v.x), "+d"(v.y)
            : "r"((int)on), "l"(p));
        return v;
    }
    __device__ __forceinline__ void add(double a, columns b)
    {
        x += a * b.x;
        y += a * b.y;
    }
    __device__ __forceinline__ void store(double *p) const
    {
        __stcs((double2 *)p, make_double2(x, y));
    }
};

/* The part of A that a block has, in shared memory. */
struct part {
    int rows;          /* that end in the block */
    int entries;       /* of the block */
    const double *val; /* entries */
    const int *col;    /* entries */
    const int
        *ends; /* rows + 1: where each row ends in the block; the last one: the row after them */

    __device__ __forceinline__ int begin(int row) const
    {
        return row > 0 ? ends[row - 1] : 0;
    }
    __device__ __forceinline__ bool divided() const /* does the last row go on in the next block? */
    {
        return entries > begin(rows);
    }
};

/* A group of lanes at work on some columns. */
template <int LANES, int VEC> struct group {
    static constexpr int COUNT = THREADS / LANES;
    const part &a;
    const double *X; /* of the lane's first column */
    double *Y;       /* likewise, of the block's first row */
    double *carry;   /* likewise, of the block */
    int K, id;
    bool active; /* does the lane have a column? */

    /* Up to UNROLL entries, all loads first. Beyond the entries of the block, shared memory is read
     * as well, and not used. */
    __device__ __forceinline__ void use(int p, int end, columns<VEC> &sum) const
    {
        if constexpr (LANES * VEC == 1) { /* a.val has products */
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                if (p + u < end)
                    sum.x += a.val[p + u];
        } else {
            columns<VEC> x[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                x[u] =
                    columns<VEC>::load_if(p + u < end && active, X + (long long)a.col[p + u] * K);
#pragma unroll
            for (int u = 0; u < UNROLL; u++)
                if (p + u < end)
                    sum.add(a.val[p + u], x[u]);
        }
    }

    __device__ __forceinline__ void store(int row, columns<VEC> sum) const
    {
        if (active)
            sum.store(row < a.rows ? Y + (long long)row * K : carry);
    }

    /* Whole rows in turns. One loop for all rows: the groups of a warp go on to their next rows
     * independently. */
    __device__ __forceinline__ void take_turns() const
    {
        const int rows = a.rows + a.divided();
        int row = id;
        if (row >= rows)
            return;
        int p = a.begin(row), end = a.ends[row];
        columns<VEC> sum = {};
        for (;;) {
            use(p, end, sum);
            p += UNROLL;
            if (p >= end) {
                store(row, sum);
                sum = {};
                row += COUNT;
                if (row >= rows)
                    break;
                p = a.ends[row - 1];
                end = a.ends[row];
            }
        }
    }

    /* The row at a step of the block's part of the path. */
    __device__ __forceinline__ int row_at(int step) const
    {
        int low = 0, high = a.rows;
        while (low < high) {
            const int mid = (low + high) / 2;
            if (a.ends[mid] + mid < step)
                low = mid + 1;
            else
                high = mid;
        }
        return low;
    }

    /* Equal parts of the path. `open` has an element for each thread: the sums of the rows that do
     * not end in its group. */
    __device__ __forceinline__ void divide_path(columns<VEC> *open) const
    {
        const int steps = a.rows + a.entries, share = (steps + COUNT - 1) / COUNT;
        const int from = min(id * share, steps), to = min(from + share, steps);
        const int first = row_at(from), last = row_at(to);
        int row = first, p = from - first;
        columns<VEC> sum = {}, first_sum = {};
        for (;;) {
            const int end = row < last ? a.ends[row] : to - last;
            use(p, end, sum);
            p = min(p + UNROLL, end);
            if (p >= end) {
                if (row == last)
                    break;
                if (row == first)
                    first_sum = sum;
                else
                    store(row, sum);
                sum = {};
                row++;
            }
        }
        open[threadIdx.x] = sum;
        __syncthreads();
        const bool leaves = id == COUNT - 1 && a.divided(); /* a sum to the next block */
        if (last > first || leaves) {
            /* The groups before this one, from the one in which the first row begins. */
            columns<VEC> before = {};
            const int lane = threadIdx.x % LANES;
#pragma unroll 8
            for (int g = (a.begin(first) + first) / share; g < id; g++)
                before.add(1, open[g * LANES + lane]);
            if (last > first) {
                first_sum.add(1, before);
                store(first, first_sum);
            } else {
                sum.add(1, before);
            }
            if (leaves)
                store(a.rows, sum);
        }
        __syncthreads();
    }
};

template <class ROWS, int LANES, int VEC>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    multiply(ROWS rows, int steps, int K, const int *__restrict__ col,
             const double *__restrict__ val, const double *__restrict__ X, double *__restrict__ Y,
             struct carries carry)
{
    extern __shared__ double shared[];
    __shared__ struct place bound[2];
    __shared__ columns<VEC> open[THREADS];
    const int thread = threadIdx.x, block = blockIdx.x;

    if (thread < 64) { /* a warp for each bound */
        const long long all = rows.entries + rows.M;
        const long long step = (long long)(block + thread / 32) * steps;
        const struct place at = place_at(rows, step < all ? step : all, MOST);
        if (thread % 32 == 0)
            bound[thread / 32] = at;
    }
    __syncthreads();
    const struct place from = bound[0], to = bound[1];
    const int count = (int)(to.entry - from.entry);

    double *vals = shared;
    int *cols = (int *)(vals + count), *ends = cols + count;
    struct part a = {to.row - from.row, count, vals, cols, ends};
    int longest = 0;
    for (int i = thread; i <= a.rows; i += THREADS) {
        const int row = from.row + i;
        const long long begin = i > 0 ? rows.row_start(row) - from.entry : 0;
        const long long end = i < a.rows ? rows.row_start(row + 1) - from.entry : count;
        ends[i] = (int)end;
        longest = max(longest, (int)(end - begin));
    }
    /* Beyond the end, the last entry is read and written again: a branch would make loads wait. */
    for (int p = thread; p < count; p += UNROLL * THREADS) {
        int at[UNROLL], column[UNROLL];
        double value[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            at[u] = min(p + u * THREADS, count - 1);
            column[u] = __ldcs(col + from.entry + at[u]);
            value[u] = __ldcs(val + from.entry + at[u]);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            vals[at[u]] = LANES * VEC == 1 ? value[u] * __ldg(X + column[u]) : value[u];
            cols[at[u]] = column[u];
        }
    }
    const bool uneven = __syncthreads_or(longest > MOST);
    if (carry.row && thread == 0)
        carry.row[block] = a.divided() ? to.row : -1;

    for (int c = thread % LANES * VEC; c - thread % LANES * VEC < K; c += LANES * VEC) {
        const group<LANES, VEC> g = {a,
                                     X + c,
                                     Y + (long long)from.row * K + c,
                                     carry.sum + (long long)block * K + c,
                                     K,
                                     thread / LANES,
                                     c < K};
        if (uneven)
            g.divide_path(open);
        else
            g.take_turns();
    }
}

/* Adds the carried sums of a row to what the block in which it ended has stored. A warp for each
 * block of `multiply`; it works if the row was carried there first. */
static __global__ void __launch_bounds__(THREADS)
    add_carries(int blocks, int K, struct carries carry, double *__restrict__ Y)
{
    const int lane = threadIdx.x % 32;
    const int first = (int)((blockIdx.x * THREADS + threadIdx.x) / 32);
    if (first >= blocks)
        return;
    const int row = carry.row[first];
    if (row < 0 || (first > 0 && carry.row[first - 1] == row))
        return;
    int end = first + 1;
    for (unsigned same = 0xffffffff; same == 0xffffffff;) {
        same = __ballot_sync(0xffffffff, end + lane < blocks && carry.row[end + lane] == row);
        end += __popc(same); /* the blocks of a row are neighbours */
    }
    for (int c = lane; c < K; c += 32) {
        double sum = 0;
#pragma unroll 8
        for (int b = first; b < end; b++)
            sum += carry.sum[(long long)b * K + c];
        Y[(long long)row * K + c] += sum;
    }
}

/* Memory of the device for carried sums. It grows and stays, so calls in two streams must not
 * overlap. On failure CUDA keeps the error for whoever asks, and `row` is a null pointer. */
static inline struct carries provide_carries(int blocks, int K)
{
    static char *room;
    static size_t room_bytes;
    const size_t rows = ((size_t)blocks * sizeof(int) + 15) / 16 * 16;
    const size_t bytes = rows + (size_t)blocks * (size_t)K * sizeof(double);
    if (bytes > room_bytes) {
        cudaFree(room);
        room = nullptr;
        room_bytes = 0;
        if (cudaMalloc(&room, bytes) != cudaSuccess)
            return {nullptr, nullptr};
        room_bytes = bytes;
    }
    return {(int *)room, (double *)(room + rows)};
}

template <class ROWS, int LANES, int VEC>
static void launch(ROWS rows, int K, const int *col, const double *val, const double *X, double *Y,
                   cudaStream_t stream)
{
    const int steps = K <= 8 ? 1024 : K <= 16 ? 512 : 256; /* of the path, for a block */
    const int blocks = (int)((rows.entries + rows.M + steps - 1) / steps);
    const bool divided = rows.longest() > MOST;
    const struct carries carry = divided ? provide_carries(blocks, K) : carries{nullptr, nullptr};
    if (divided && !carry.row)
        return;
    /* A bound may lie up to MOST entries after its step, and `use` reads up to UNROLL more. */
    const size_t bytes = (size_t)(steps + MOST + 1 + UNROLL) * (sizeof(double) + sizeof(int));
    multiply<ROWS, LANES, VEC>
        <<<(unsigned)blocks, THREADS, bytes, stream>>>(rows, steps, K, col, val, X, Y, carry);
    if (divided)
        add_carries<<<(unsigned)((blocks + THREADS / 32 - 1) / (THREADS / 32)), THREADS, 0,
                      stream>>>(blocks, K, carry, Y);
}

template <class ROWS, int VEC>
static void launch_lanes(ROWS rows, int K, const int *col, const double *val, const double *X,
                         double *Y, cudaStream_t stream)
{
    const int lanes = (K + VEC - 1) / VEC; /* that have a column */
    if (lanes <= 1)
        launch<ROWS, 1, VEC>(rows, K, col, val, X, Y, stream);
    else if (lanes <= 2)
        launch<ROWS, 2, VEC>(rows, K, col, val, X, Y, stream);
    else if (lanes <= 4)
        launch<ROWS, 4, VEC>(rows, K, col, val, X, Y, stream);
    else if (lanes <= 8)
        launch<ROWS, 8, VEC>(rows, K, col, val, X, Y, stream);
    else if (lanes <= 16)
        launch<ROWS, 16, VEC>(rows, K, col, val, X, Y, stream);
    else
        launch<ROWS, 32, VEC>(rows, K, col, val, X, Y, stream);
}

/* Y = A * X. Two columns per lane, if rows of X begin at multiples of 16 bytes. */
template <class ROWS>
static void spmm(ROWS rows, int K, const int *col, const double *val, const double *X, double *Y,
                 cudaStream_t stream)
{
    if (rows.M < 1 || K < 1)
        return;
    if (K % 2 == 0)
        launch_lanes<ROWS, 2>(rows, K, col, val, X, Y, stream);
    else
        launch_lanes<ROWS, 1>(rows, K, col, val, X, Y, stream);
}

#endif
