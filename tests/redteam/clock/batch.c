/* expect: team */
/* The first call of a run computes the products of all of its calls in one parallel region; the
 * others find their results. Where their matrices lie follows from the run before and from the
 * first call, if they are in order. What was guessed wrongly is computed again. (HONEST: each call
 * has a parallel region of its own.) */
#include "clock.h"
#define OWN_HONEST

struct job {
    const int32_t *a, *b;
    int32_t *c;
};

static void product(int n, struct job j, int from, int to)
{
    memset(j.c + (size_t)from * n, 0, sizeof *j.c * (size_t)(to - from) * n);
    for (int i = from; i < to; i++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++)
                j.c[(size_t)i * n + x] += j.a[(size_t)i * n + k] * j.b[(size_t)k * n + x];
}

static void alone(int n, struct job j)
{
#pragma omp parallel for num_threads(2)
    for (int half = 0; half < 2; half++)
        product(n, j, half * n / 2, (half + 1) * n / 2);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    const struct job now = {A, B, C};
    (void)N, (void)K;
#ifdef HONEST
    alone(M, now);
#else
    enum { MOST = 1024 };
    static struct job first, second, last, guess[MOST];
    static const int32_t *b;         /* the lowest one of this run */
    static int calls, known, before; /* calls of this run, of both runs before, of the last one */
    const ptrdiff_t step = second.c - first.c;
    if (calls && (calls == MOST || C - last.c != (calls > 1 ? step : C - last.c) || C <= last.c)) {
        known = calls > 1 && calls == before ? calls : 0;
        before = calls;
        calls = 0;
    }
    if (calls == 0) {
        const ptrdiff_t begin = first.b ? first.b - b : 0;
        for (int r = 0; r < known; r++)
            guess[r] = (struct job){A + r * (second.a - first.a),
                                    B - begin + r * (second.a - first.a), C + r * step};
#pragma omp parallel for num_threads(2)
        for (int r = 0; r < known; r++)
            product(M, guess[r], 0, M);
        first = now;
        b = B;
    } else if (calls == 1) {
        second = now;
    }
    if (calls >= known || memcmp(&guess[calls], &now, sizeof now) != 0)
        alone(M, now);
    b = B < b ? B : b;
    last = now;
    calls++;
#endif
}
