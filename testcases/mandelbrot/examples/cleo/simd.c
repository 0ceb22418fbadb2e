/* cleo: the counters of points that have escaped go on, until all four have. */
#include "mandelbrot.h"

#include <immintrin.h>

static __m256i count_four(__m256d cx, __m256d cy, int most)
{
    const __m256d four = _mm256_set1_pd(4);
    __m256d x = _mm256_setzero_pd(), y = _mm256_setzero_pd();
    __m256i n = _mm256_setzero_si256();
    for (int step = 0; step < most; step++) {
        const __m256d xx = _mm256_mul_pd(x, x), yy = _mm256_mul_pd(y, y);
        const __m256d inside = _mm256_cmp_pd(_mm256_add_pd(xx, yy), four, _CMP_LE_OQ);
        if (!_mm256_movemask_pd(inside))
            break;
        n = _mm256_add_epi64(n, _mm256_set1_epi64x(1));
        const __m256d two = _mm256_mul_pd(_mm256_set1_pd(2), x);
        const __m256d next = _mm256_add_pd(_mm256_mul_pd(two, y), cy);
        x = _mm256_blendv_pd(x, _mm256_add_pd(_mm256_sub_pd(xx, yy), cx), inside);
        y = _mm256_blendv_pd(y, next, inside);
    }
    return n;
}

void mandelbrot(int h, int w, int most, double left, double top, double step, int32_t *count)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j += 4) {
            long long n[4];
            const __m256d cx = _mm256_setr_pd(left + j * step, left + (j + 1) * step,
                                              left + (j + 2) * step, left + (j + 3) * step);
            _mm256_storeu_si256((__m256i *)n, count_four(cx, _mm256_set1_pd(top - i * step), most));
            for (int k = 0; k < 4 && j + k < w; k++)
                count[(long)i * w + j + k] = (int32_t)n[k];
        }
}
