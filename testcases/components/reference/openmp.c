/* openmp.c - threads share the edges, and join trees by compare and exchange. */
#include "components.h"

/* What other threads change meanwhile. */
static int load(const int *x)
{
    return __atomic_load_n(x, __ATOMIC_RELAXED);
}

static int root(int *parent, int i)
{
    for (int p; (p = load(&parent[i])) != i;) {
        const int above = load(&parent[p]);
        if (above != p)
            __atomic_compare_exchange_n(&parent[i], &p, above, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
        i = above;
    }
    return i;
}

/* The larger root hangs below the smaller one, if it is still a root. */
static void join(int *parent, int a, int b)
{
    while ((a = root(parent, a)) != (b = root(parent, b))) {
        int large = a > b ? a : b;
        const int small = a > b ? b : a;
        if (__atomic_compare_exchange_n(&parent[large], &large, small, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
    }
}

void components(int n, int m, const int *from, const int *to, int *label)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            label[i] = i;
#pragma omp for
        for (int e = 0; e < m; e++)
            join(label, from[e], to[e]);
#pragma omp for
        for (int i = 0; i < n; i++)
            __atomic_store_n(&label[i], root(label, i), __ATOMIC_RELAXED);
    }
}
