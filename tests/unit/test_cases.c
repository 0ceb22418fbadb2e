#include "base/strbuf.h"
#include "unit.h"

#include <string.h>

#include "base/digest.h"
#include "base/rng.h"
#include "model/cases.h"

static struct shape sizes[] = {{.dim = {64, 64, 64}}, {.dim = {128, 128, 128}}};
static struct shape other_sizes[] = {{.dim = {64, 64, 64}}, {.dim = {32, 32, 32}}};

static struct tier tiers[2] = {
    {.name = (char[]){"a"}, .kernel = &kernel_gemm_i32},
    {.name = (char[]){"b"}, .kernel = &kernel_gemm_i32, .sizes = other_sizes, .sizes_count = 2},
};

static struct assignment make(int random, bool edges)
{
    return (struct assignment){
        .kernel = &kernel_gemm_i32,
        .correctness = {.random = random, .min_dim = 1, .max_dim = 300, .edges = edges},
        .performance = {.sizes = sizes, .sizes_count = 2},
        .tiers = tiers,
        .tiers_count = 2,
    };
}

TEST(pure)
{
    struct assignment a = make(20, true);
    FREED_BY(case_list_free) struct case_list x = {0}, y = {0}, z = {0};
    cases_make(&a, 42, &x);
    cases_make(&a, 42, &y);
    cases_make(&a, 43, &z);
    assert_int_equal(x.count, y.count);
    int differ = 0;
    for (size_t i = 0; i < x.count; i++) {
        assert_int_equal(x.item[i].index, i);
        assert_true(shape_equal(x.item[i].shape, y.item[i].shape));
        assert_true(x.item[i].seed == y.item[i].seed && x.item[i].values == y.item[i].values);
        differ += x.item[i].seed != z.item[i].seed;
    }
    assert_int_equal(differ, x.count);
}

/* The i-th random case does not depend on how many there are, nor on the edges. */
TEST(stable)
{
    struct assignment few = make(5, false), many = make(50, true);
    FREED_BY(case_list_free) struct case_list x = {0}, y = {0};
    cases_make(&few, 7, &x);
    cases_make(&many, 7, &y);
    size_t edges = 0;
    while (y.item[edges].kind == CASE_EDGE)
        edges++;
    assert_in_range(edges, 30, 50);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(x.item[i].kind, CASE_RANDOM);
        assert_true(shape_equal(x.item[i].shape, y.item[edges + i].shape));
        assert_true(x.item[i].seed == y.item[edges + i].seed);
    }
}

/* Log-uniform: as many dimensions from 1 to 17 as from 18 to 300, roughly; never outside. */
TEST(distribution)
{
    struct assignment a = make(2000, false);
    FREED_BY(case_list_free) struct case_list l = {0};
    cases_make(&a, 1, &l);
    int small = 0, ones = 0, most = 0, n = 0, kinds[4] = {0};
    for (size_t i = 0; i < l.count && l.item[i].kind == CASE_RANDOM; i++) {
        const int d[] = {l.item[i].shape.dim[0], l.item[i].shape.dim[1], l.item[i].shape.dim[2]};
        for (int j = 0; j < 3; j++, n++) {
            assert_in_range(d[j], 1, 300);
            small += d[j] <= 17;
            ones += d[j] == 1;
            most = d[j] > most ? d[j] : most;
        }
        kinds[l.item[i].values]++;
    }
    assert_int_equal(n, 6000);
    assert_in_range(small, 2700, 3300);
    assert_in_range(ones, 500, 900);
    assert_in_range(most, 290, 300);
    for (int k = 0; k < 4; k++)
        assert_in_range(kinds[k], 400, 600);
}

/* The edges where products go wrong are all there, each once, and every distribution of values
 * occurs among them often. */
TEST(edges)
{
    struct assignment a = make(0, true);
    FREED_BY(case_list_free) struct case_list l = {0};
    cases_make(&a, 1, &l);
    static const int around[] = {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65};
    int distributions[4] = {0}, m1 = 0, n1 = 0, k1 = 0, tall = 0, wide = 0, deep = 0;
    unsigned found = 0;
    size_t n = 0;
    for (; n < l.count && l.item[n].kind == CASE_EDGE; n++) {
        const struct shape s = l.item[n].shape;
        distributions[l.item[n].values]++;
        m1 += s.dim[0] == 1 && s.dim[1] > 1 && s.dim[2] > 1;
        n1 += s.dim[1] == 1 && s.dim[0] > 1 && s.dim[2] > 1;
        k1 += s.dim[2] == 1 && s.dim[0] > 1 && s.dim[1] > 1;
        tall += s.dim[0] > 50 * s.dim[1];
        wide += s.dim[1] > 50 * s.dim[0];
        deep += s.dim[2] > 50 * s.dim[0] && s.dim[2] > 50 * s.dim[1];
        for (unsigned i = 0; i < sizeof around / sizeof around[0]; i++)
            if (s.dim[0] == around[i] && s.dim[1] == s.dim[0] && s.dim[2] == s.dim[0])
                found |= 1u << i;
        for (size_t i = 0; i < n; i++) {
            assert_false(shape_equal(l.item[i].shape, s));
            assert_true(l.item[i].seed != l.item[n].seed);
        }
    }
    assert_int_equal(found, (1u << 12) - 1);
    assert_true(m1 && n1 && k1 && tall && wide && deep);
    for (int k = 0; k < 4; k++)
        assert_in_range(distributions[k], n / 4 - 1, n / 4 + 1);
}

/* Ranges of one value and the widest there is: never outside, ends included. */
TEST(ranges)
{
    static const int table[][2] = {{1, 1}, {7, 7}, {46340, 46340}, {1, 2}, {1, 46340}, {300, 301}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment a = make(3000, false);
        FREED_BY(case_list_free) struct case_list l = {0};
        int low = 0, high = 0;
        a.correctness.min_dim = table[i][0];
        a.correctness.max_dim = table[i][1];
        cases_make(&a, 99, &l);
        for (size_t k = 0; l.item[k].kind == CASE_RANDOM; k++) {
            assert_in_range(l.item[k].shape.dim[0], table[i][0], table[i][1]);
            low += l.item[k].shape.dim[0] == table[i][0];
            high += l.item[k].shape.dim[0] > table[i][1] - table[i][1] / 50 - 1;
        }
        assert_true(low > 0 && high > 0);
    }
}

/* M, N and K do not go together. */
TEST(independent)
{
    struct assignment a = make(2000, false);
    FREED_BY(case_list_free) struct case_list l = {0};
    cases_make(&a, 5, &l);
    int octants[8] = {0};
    for (size_t i = 0; l.item[i].kind == CASE_RANDOM; i++) {
        const struct shape s = l.item[i].shape;
        octants[(s.dim[0] > 17) | (s.dim[1] > 17) << 1 | (s.dim[2] > 17) << 2]++;
    }
    for (int i = 0; i < 8; i++)
        assert_in_range(octants[i], 190, 310);
}

/* Golden values: the same on every machine and for ever, or old receipts lose their meaning. */
TEST(golden)
{
    struct assignment a = make(3, false);
    struct case_list l;
    cases_make(&a, 20261121, &l);
    static const struct shape want[] = {
        {.dim = {40, 6, 18}}, {.dim = {8, 23, 69}}, {.dim = {227, 18, 5}}};
    for (int i = 0; i < 3; i++)
        assert_true(shape_equal(l.item[i].shape, want[i]));
    /* Whoever knows the seed of a case does not know its key, rng_child(rng_child(seed, 2), 0). */
    assert_true(l.item[0].seed == digest_word(rng_child(rng_child(20261121, 2), 0)));
    assert_true(l.item[0].seed == UINT64_C(0x49b609a8b92102b5));
    case_list_free(&l);
    a = make(0, true);
    cases_make(&a, 20261121, &l);
    assert_true(l.item[5].seed == UINT64_C(0x1eccfeaaf9bc075b));
    assert_true(l.item[l.count - 1].seed == UINT64_C(0xd10ab70c954d09e6));
    case_list_free(&l);
}

TEST(sizes_of_tiers)
{
    struct assignment a = make(1, false);
    FREED_BY(case_list_free) struct case_list l = {0};
    cases_make(&a, 1, &l);
    assert_int_equal(l.count, 4); /* one random; 64, 128, 32 */
    int at_a = 0, at_b = 0;
    for (size_t i = 0; i < l.count; i++) {
        at_a += case_applies(&a, &tiers[0], &l.item[i]);
        at_b += case_applies(&a, &tiers[1], &l.item[i]);
    }
    assert_int_equal(at_a, 3);
    assert_int_equal(at_b, 3);
}

/* A tier with a rule has cases of its own, all allowed; the cases of the others stay as they are.
 */
TEST(rules)
{
    struct tier ruled[3] = {tiers[0], tiers[0], tiers[0]};
    ruled[1].shapes = (struct shape_rule){.square = true};
    ruled[2].shapes = (struct shape_rule){.multiple_of = 16};
    struct assignment a = make(20, true), b = a;
    struct case_list x, y;
    b.tiers = ruled;
    b.tiers_count = 3;
    cases_make(&a, 7, &x);
    cases_make(&b, 7, &y);
    unsigned count[3] = {0}, edges = 0;
    for (size_t i = 0; i < y.count; i++) {
        const struct test_case *c = &y.item[i];
        for (int t = 0; t < 3; t++)
            if (case_applies(&b, &ruled[t], c)) {
                count[t]++;
                assert_true(shape_allowed(ruled[t].shapes, c->shape));
            }
        if (case_applies(&b, &ruled[0], c) && c->kind != CASE_PERFORMANCE) {
            assert_true(shape_equal(c->shape, x.item[i].shape));
            assert_true(c->seed == x.item[i].seed);
        }
        edges += c->kind == CASE_EDGE && case_applies(&b, &ruled[1], c);
    }
    assert_int_equal(edges, 13);
    assert_int_equal(count[1], 13 + 20 + 2);
    assert_in_range(count[2], 10 + 20 + 2, 38 + 20 + 2);
    case_list_free(&x);
    case_list_free(&y);
    /* Without a tier that takes every shape, there are no other cases. */
    b.tiers = ruled + 1;
    b.tiers_count = 1;
    cases_make(&b, 7, &y);
    assert_int_equal(y.count, count[1]);
    case_list_free(&y);
}

/* Of a sparse matrix: the structure belongs to the case, and what follows from it is known. */
TEST(sparse)
{
    struct tier pair[2] = {{.name = (char[]){"a"}, .kernel = &kernel_spmm_csr_f64},
                           {.name = (char[]){"b"}, .kernel = &kernel_spmm_ell_f64}};
    struct shape size = {0};
    struct err e = ERR_INIT;
    FREED_BY(case_list_free) struct case_list l = {0};
    struct assignment a = make(200, true);
    assert_int_equal(kernel_shape(&kernel_spmm_csr_f64, "rmat-16:262144x8", NULL, &size, &e), 0);
    a.kernel = &kernel_spmm_csr_f64;
    a.tiers = pair;
    a.performance.sizes = &size;
    a.performance.sizes_count = 1;
    a.correctness.max_dim = 20000;
    cases_make(&a, 3, &l);
    int seen[STRUCTURE_EMPTY + 1] = {0}, for_csr = 0, for_ell = 0;
    for (size_t i = 0; i < l.count; i++) {
        const struct test_case *c = &l.item[i];
        struct shape again = c->shape;
        seen[c->shape.structure.family]++;
        assert_int_equal(kernel_complete(a.kernel, &again, &e), 0);
        assert_memory_equal(again.derived, c->shape.derived, sizeof again.derived);
        assert_true(!structure_is_square(c->shape.structure) || c->shape.dim[0] == c->shape.dim[1]);
        for_csr += case_applies(&a, &pair[0], c);
        for_ell += case_applies(&a, &pair[1], c);
    }
    for (int f = STRUCTURE_POISSON; f <= STRUCTURE_EMPTY; f++)
        assert_true(seen[f] > 0);
    assert_int_equal(for_csr, l.count);
    assert_true(for_ell < for_csr); /* ELLPACK does not take all of them */
}

/* Every correctness case of the tier's rule, under every launch and every stress launch. */
TEST(checks_of_tiers)
{
    static int one[] = {1}, some[] = {1, 2}, stress[] = {3, 5};
    static const struct {
        unsigned ranks, threads;
        bool squares;
        unsigned checks;
    } table[] = {
        {1, 1, false, 7},     /* one launch with one thread: no stress */
        {1, 2, false, 4 * 7}, /* two launches, and two of stress */
        {2, 2, false, 6 * 7}, /* four launches, and two of stress */
        {1, 1, true, 7},      /* seven cases of its own rule */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct tier t[2] = {tiers[0], tiers[1]};
        struct assignment a = make(7, false);
        FREED_BY(case_list_free) struct case_list l = {0};
        a.tiers = t;
        a.correctness.stress_threads = stress;
        a.correctness.stress_threads_count = 2;
        t[1].shapes.square = table[i].squares;
        t[1].ranks = some;
        t[1].ranks_count = table[i].ranks;
        t[1].threads = table[i].threads == 1 ? one : some;
        t[1].threads_count = table[i].threads;
        cases_make(&a, 1, &l);
        assert_int_equal(cases_to_check(&l, &a, &t[1]), table[i].checks);
    }
}

/* A matrix times a vector: the third dimension is 1 in every case, and nothing else changes. */
TEST(fixed)
{
    struct assignment any = make(20, true), vector = any;
    struct tier t[2] = {tiers[0], tiers[1]};
    FREED_BY(case_list_free) struct case_list x = {0}, y = {0};
    t[0].shapes.fixed[2] = t[1].shapes.fixed[2] = 1;
    vector.tiers = t;
    cases_make(&any, 7, &x);
    cases_make(&vector, 7, &y);
    size_t edges = 0, randoms = 0, first = 0;
    while (x.item[first].kind != CASE_RANDOM)
        first++;
    for (size_t i = 0; i < y.count; i++) {
        const struct test_case *c = &y.item[i];
        assert_int_equal(c->shape.dim[2], 1);
        for (size_t k = 0; k < i; k++)
            assert_true(c->kind != CASE_EDGE || !shape_equal(y.item[k].shape, c->shape));
        edges += c->kind == CASE_EDGE;
        if (c->kind != CASE_RANDOM)
            continue;
        assert_memory_equal(c->shape.dim, x.item[first + randoms].shape.dim, 2 * sizeof(int));
        randoms++;
    }
    assert_int_equal(randoms, 20);
    assert_in_range(edges, 10, first);
}

TESTS(NULL, NULL)
