/* What generators fill inputs with. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/generator.h"

static int32_t *filled(const char *words, uint64_t seed, uint32_t n)
{
    struct generators g;
    struct err e = ERR_INIT;
    int32_t *x = xcalloc(n + 1, sizeof *x);
    static const char *const names[] = {"h", "n"};
    const int dim[] = {9, (int)n};
    const struct generator_target t = {
        .type = TYPE_I32, .n = n, .dim = dim, .terms = n, .seed = seed};
    const struct generator_site site = {TYPE_I32, names, 2, true};
    if (generators_read(words, &site, &g, &e) != 0)
        fail_msg("%s", e.text);
    generators_fill(&g, &t, x);
    return x;
}

/* How many elements are followed by a smaller one, by an equal one; and the extremes. */
struct facts {
    uint32_t falls, equal, of_seven;
    int32_t least, most;
};

static struct facts look(const int32_t *x, uint32_t n)
{
    struct facts f = {.least = x[0], .most = x[0]};
    for (uint32_t i = 0; i < n; i++) {
        f.falls += i + 1 < n && x[i + 1] < x[i];
        f.equal += i + 1 < n && x[i + 1] == x[i];
        f.of_seven += x[i] == 7;
        f.least = x[i] < f.least ? x[i] : f.least;
        f.most = x[i] > f.most ? x[i] : f.most;
    }
    return f;
}

TEST(generators)
{
    enum { N = 5000 };
    static const struct {
        const char *words;
        int32_t least, most;              /* bounds of all elements */
        uint32_t falls_least, falls_most; /* 0, N: any number */
    } table[] = {
        {"uniform -3 9", -3, 9, 1, N},
        {"constant 4", 4, 4, 0, 0},
        {"choice 1 2 5", 1, 5, 1, N},
        {"permutation", 0, N - 1, 1, N},
        {"distinct", 0, 8 * N, 1, N},
        {"whole 4", -15, 15, 1, N},
        {"below h", 0, 8, 1, N},
        {"below n", 0, N - 1, 1, N},
        {"count n", 0, N - 1, 0, 0},
        {"count h 4", 0, 8, N / 9, N / 9 + 1},
        {"sorted below n", 0, N - 1, 0, 0},
        {"offsets h", 0, 9, 0, 0},
        {"offsets n", 0, N, 0, 0},
        {"sorted full", INT32_MIN, INT32_MAX, 0, 0},
        {"sorted uniform 0 9", 0, 9, 0, 0},
        {"reversed permutation", 0, N - 1, N - 1, N - 1},
        {"few 3 full", INT32_MIN, INT32_MAX, 1, N},
        {"sparse 0.1 uniform 1 5", 0, 5, 1, N},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED int32_t *x = filled(table[i].words, 3, N), *same = filled(table[i].words, 3, N),
                      *other = filled(table[i].words, 4, N);
        const struct facts f = look(x, N);
        if (f.least < table[i].least || f.most > table[i].most || f.falls < table[i].falls_least ||
            f.falls > table[i].falls_most)
            fail_msg("%s: %d .. %d, %u falls", table[i].words, (int)f.least, (int)f.most, f.falls);
        assert_memory_equal(x, same, N * sizeof *x);
        if (f.most > f.least && strcmp(table[i].words, "reversed permutation") != 0 &&
            strncmp(table[i].words, "count", 5) != 0)
            assert_memory_not_equal(x, other, N * sizeof *x);
        assert_int_equal(x[N], 0); /* nothing is written behind the end */
    }
}

TEST(matrices)
{
    enum { N = 40 };
    static const char *const names[] = {"n"};
    static const struct {
        const char *words;
        bool symmetric, lower, dominant;
    } table[] = {
        {"symmetric uniform -1 1", true, false, false},
        {"lower uniform -1 1", false, true, false},
        {"dominant uniform -1 1", false, false, true},
        {"dominant symmetric whole 9", true, false, true},
        {"dominant lower uniform -1 1", false, true, true},
    };
    const struct generator_site site = {TYPE_F64, names, 1, true};
    const int dim[] = {N};
    const struct generator_target t = {
        .type = TYPE_F64, .n = N * N, .dim = dim, .terms = N, .seed = 4};
    for (size_t c = 0; c < sizeof table / sizeof table[0]; c++) {
        struct generators g;
        struct err e = ERR_INIT;
        double x[N][N];
        bool symmetric = true, lower = true, dominant = true;
        if (generators_read(table[c].words, &site, &g, &e) != 0)
            fail_msg("%s", e.text);
        generators_fill(&g, &t, x);
        for (int i = 0; i < N; i++) {
            double others = 0;
            for (int j = 0; j < N; j++) {
                others += j == i ? 0 : fabs(x[i][j]);
                symmetric = symmetric && x[i][j] == x[j][i];
                lower = lower && (j <= i) == (x[i][j] != 0);
            }
            dominant = dominant && x[i][i] > others;
        }
        if (symmetric != table[c].symmetric || lower != table[c].lower ||
            dominant != table[c].dominant)
            fail_msg("%s: %d %d %d", table[c].words, symmetric, lower, dominant);
    }
    /* The last row ends where the entries end. */
    OWNED int32_t *x = filled("offsets h", 3, 50);
    assert_true(x[0] == 0 && x[49] == 9);
}

TEST(planted)
{
    int runs = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED int32_t *x = filled("plant 7 0.5 uniform 0 6", seed, 50);
        const uint32_t n = look(x, 50).of_seven;
        assert_true(n <= 1);
        runs += (int)n;
    }
    assert_in_range(runs, 70, 130);
}

TESTS(NULL, NULL)
