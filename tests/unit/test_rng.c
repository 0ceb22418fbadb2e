/* Random numbers as a pure function: the same everywhere, and random enough. */
#include "base/strbuf.h"
#include "unit.h"

#include <stdlib.h>

#include "../helpers/rng_unit.h"
#include "base/rng.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* SplitMix64's published outputs for the seed 1234567. */
TEST(finalizer_is_splitmix64)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    for (uint64_t i = 0; i < sizeof published / sizeof published[0]; i++)
        assert_true(rng_mix64(1234567 + (i + 1) * GOLDEN) == published[i]);
    assert_true(rng_mix64(0) == 0); /* which is why streams start at counter + 1 */
}

/* Cases depend on these: when they change, every assignment's cases change. */
TEST(streams_never_change)
{
    static const struct {
        uint64_t key, counter, word, child;
    } table[] = {
        {0, 0, UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x927a7c57dc016e42)},
        {1, 7, UINT64_C(0x2f9a1f13648eab6e), UINT64_C(0x61d0141f0bf7d7d3)},
        {20261121, 12345, UINT64_C(0x60ab67139fcaff4a), UINT64_C(0x2449c1dfcc3407ef)},
        {UINT64_MAX, UINT64_MAX, UINT64_C(0x4bffd802ebfb15e4), UINT64_C(0x45582f8fd62d5442)},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint64_t w = rng_at(table[i].key, table[i].counter);
        uint64_t c = rng_child(table[i].key, table[i].counter);
        if (w != table[i].word || c != table[i].child)
            fail_msg("key %llu, counter %llu: word 0x%llx, child 0x%llx",
                     (unsigned long long)table[i].key, (unsigned long long)table[i].counter,
                     (unsigned long long)w, (unsigned long long)c);
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A bijection of the counter: no word comes twice. Nor do neighbouring streams or children meet. */
TEST(words_differ)
{
    const size_t N = 20000;
    OWNED uint64_t *w = calloc(4 * N, sizeof *w);
    assert_non_null(w);
    for (uint64_t i = 0; i < N; i++) {
        w[i] = rng_at(1, i);
        w[N + i] = rng_at(2, i);
        w[2 * N + i] = rng_at(rng_child(1, 0), i);
        w[3 * N + i] = rng_child(1, i);
    }
    qsort(w, 4 * N, sizeof *w, by_value);
    for (size_t i = 1; i < 4 * N; i++)
        assert_true(w[i] != w[i - 1]);
}

/* One bit of the key or of the counter changes half of the word. */
TEST(avalanche)
{
    enum { TRIES = 200 };
    for (int bit = 0; bit < 64; bit++) {
        long by_key = 0, by_counter = 0, by_child = 0;
        for (uint64_t i = 0; i < TRIES; i++) {
            uint64_t key = rng_mix64(i + 17), at = rng_mix64(i + 1000);
            uint64_t flip = UINT64_C(1) << bit;
            by_key += __builtin_popcountll(rng_at(key, at) ^ rng_at(key ^ flip, at));
            by_counter += __builtin_popcountll(rng_at(key, at) ^ rng_at(key, at ^ flip));
            by_child += __builtin_popcountll(rng_child(key, at) ^ rng_child(key, at ^ flip));
        }
        assert_in_range(by_key, 30 * TRIES, 34 * TRIES);
        assert_in_range(by_counter, 30 * TRIES, 34 * TRIES);
        assert_in_range(by_child, 30 * TRIES, 34 * TRIES);
    }
}

TEST(unit_interval)
{
    assert_true(rng_unit(0) == 0);
    assert_true(rng_unit(UINT64_MAX) < 1);
    assert_true(rng_unit(UINT64_C(1) << 63) == 0.5);
    enum { N = 64000, BINS = 64 };
    int bins[BINS] = {0};
    for (uint64_t i = 0; i < N; i++) {
        double x = rng_unit(rng_at(3, i));
        assert_true(x >= 0 && x < 1);
        bins[(int)(x * BINS)]++;
    }
    const double expected = (double)N / BINS;
    double chi2 = 0; /* 63 degrees of freedom: 117 once in 10^4.5 good generators */
    for (int b = 0; b < BINS; b++)
        chi2 += (bins[b] - expected) * (bins[b] - expected) / expected;
    assert_true(chi2 > 25 && chi2 < 117);
}

TESTS(NULL, NULL)
