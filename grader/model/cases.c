#include "model/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/larger.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/kernel.h"
#include "kernel/outputs.h"
#include "model/weak.h"

/* Independent random streams that come from the seed of the run. */
enum { STREAM_EDGE = 1, STREAM_RANDOM = 2, STREAM_PERFORMANCE = 3 };

/* 2^(f / 2^32), scaled by 2^32: a product of the roots 2^(1/2), 2^(1/4), ... It uses integers only,
 * because libm differs between machines and the same assignment must give the same cases on all. */
static uint64_t exp2_fraction(uint32_t f)
{
    /* 2^(2^-i) - 1, scaled by 2^32, i = 1..16 */
    static const uint32_t roots[] = {
        1779033703, 812638371, 388727751, 190154447, 94047537, 46769127, 23321247, 11644837,
        5818477,    2908254,   1453881,   726878,    363424,   181708,   90853,    45426};
    uint64_t r = UINT64_C(1) << 32;
    for (int i = 0; i < 16; i++)
        if (f & (UINT32_C(1) << (31 - i)))
            r += r / 65536 * roots[i] / 65536;
    return r;
}

/* log2(x) scaled by 2^32, by repeated squaring (after D. Knuth, The Art of Computer Programming,
 * vol. 1, 1.2.2, exercise 25: digit by digit). */
static uint64_t log2_scaled(uint32_t x)
{
    uint64_t whole = 0;
    while (x >> (whole + 1))
        whole++;
    uint64_t m = ((uint64_t)x << 31) >> whole, fraction = 0; /* 1 <= m < 2, scaled by 2^31 */
    for (int i = 0; i < 32; i++) {
        m = m * m >> 31;
        fraction <<= 1;
        if (m >> 32) {
            fraction |= 1;
            m >>= 1;
        }
    }
    return whole << 32 | fraction;
}

/* A number that is log-uniform on [low, high]. `word`: 64 random bits. */
static int random_dim(uint64_t word, int low, int high)
{
    uint64_t a = log2_scaled((uint32_t)low), b = log2_scaled((uint32_t)high + 1);
    uint64_t span = b - a;
    uint64_t at = a + (span >> 20) * (word >> 44) + ((span & 0xfffff) * (word >> 44) >> 20);
    uint64_t v = exp2_fraction((uint32_t)at) << (at >> 32) >> 32;
    if (v < (uint64_t)low)
        return low;
    return v > (uint64_t)high ? high : (int)v;
}

/* The shape is complete. */
/* key: of the case. Its seed does not tell the key: a kernel can find out the seed from the values
 * it sees, and the key would tell the seed of all cases, which may be secret. */
static struct test_case *append(struct case_list *l, enum case_kind kind, struct shape s,
                                uint64_t key)
{
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    struct test_case *c = &l->item[l->count];
    *c = (struct test_case){
        .index = (int)l->count, .kind = kind, .shape = s, .seed = digest_word(key)};
    l->count++;
    return c;
}

/* Is this a case of that kind already? */
static bool listed(const struct case_list *l, enum case_kind kind, struct shape_rule r,
                   struct shape s)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].kind == kind && shape_rule_equal(l->item[i].rule, r) &&
            shape_equal(l->item[i].shape, s))
            return true;
    return false;
}

static void add_edges(struct case_list *l, const struct kernel *k, struct shape_rule r,
                      uint64_t seed)
{
    uint64_t stream = rng_child(seed, STREAM_EDGE);
    struct err ignored = ERR_INIT;
    for (int i = 0; i < k->edges_count; i++) {
        struct shape s = shape_fit(r, k->edges[i]);
        if (kernel_complete(k, &s, &ignored) != 0 || !shape_allowed(r, s) ||
            listed(l, CASE_EDGE, r, s))
            continue;
        struct test_case *c = append(l, CASE_EDGE, s, rng_child(stream, (uint64_t)i));
        c->rule = r;
        c->values = k->values[i % k->values_count];
    }
}

/* Operands of a kernel in a file can grow with a power of a dimension, as exp2(k): a random size
 * that the expressions allow may need more memory than there is. */
enum { ELEMENTS_MOST = 1 << 23 };

static bool too_large(const struct kernel *k, struct shape s)
{
    size_t most = 0;
    for (int i = 0; i < k->inputs; i++)
        most = larger(most, operand_elements(&k->in[i], s));
    for (int i = 0; i < kernel_outputs(k); i++)
        most = larger(most, operand_elements(kernel_output(k, i), s));
    return k->file && most > ELEMENTS_MOST;
}

static void add_random(struct case_list *l, const struct kernel *k, const struct correctness *c,
                       struct shape_rule r, uint64_t seed)
{
    uint64_t stream = rng_child(seed, STREAM_RANDOM);
    for (int i = 0; i < c->random; i++) {
        uint64_t key = rng_child(stream, (uint64_t)i);
        struct shape s = {0};
        struct err ignored = ERR_INIT;
        uint64_t n = (uint64_t)k->dims;
        for (int d = 0; d < k->dims; d++)
            s.dim[d] = random_dim(rng_at(key, r.square ? 0 : (uint64_t)d), c->min_dim, c->max_dim);
        const enum value_dist values = k->values[rng_at(key, n++) % (uint64_t)k->values_count];
        if (k->structures_count)
            s.structure = k->structures[rng_at(key, n) % (uint64_t)k->structures_count];
        s = shape_fit(r, s);
        if (kernel_complete(k, &s, &ignored) != 0 || too_large(k, s))
            continue;
        struct test_case *t = append(l, CASE_RANDOM, s, key);
        t->rule = r;
        t->values = values;
    }
}

static void add_weak(struct case_list *l, const struct assignment *a, const struct tier *t,
                     uint64_t stream, uint64_t *n)
{
    const unsigned launches = t->idle ? 0 : tier_launch_count(t);
    for (unsigned i = 0; i < t->weak_count * launches; i++) {
        const struct shape s = weak_size(a, t, i / launches, tier_launch(t, i % launches));
        if (listed(l, CASE_PERFORMANCE, (struct shape_rule){0}, s))
            continue;
        struct test_case *c = append(l, CASE_PERFORMANCE, s, rng_child(stream, (*n)++));
        c->values = a->kernel->timed;
        c->weak = true;
    }
}

static void add_performance(struct case_list *l, const struct kernel *k, const struct assignment *a,
                            uint64_t seed)
{
    uint64_t stream = rng_child(seed, STREAM_PERFORMANCE);
    uint64_t n = 0;
    for (unsigned t = 0; t < a->tiers_count; t++) {
        for (unsigned i = 0; i < tier_size_count(a, &a->tiers[t]); i++) {
            struct shape s = tier_size(a, &a->tiers[t], i);
            if (!listed(l, CASE_PERFORMANCE, (struct shape_rule){0}, s))
                append(l, CASE_PERFORMANCE, s, rng_child(stream, n++))->values = k->timed;
        }
    }
    for (unsigned t = 0; t < a->tiers_count; t++)
        add_weak(l, a, &a->tiers[t], stream, &n);
}

void cases_make(const struct assignment *a, uint64_t seed, struct case_list *out)
{
    const struct kernel *k = a->kernel;
    *out = (struct case_list){0};
    for (unsigned t = 0; t < a->tiers_count; t++) {
        const struct shape_rule r = a->tiers[t].shapes;
        bool done = false;
        for (unsigned before = 0; before < t; before++)
            done = done || shape_rule_equal(a->tiers[before].shapes, r);
        if (!done && a->correctness.edges)
            add_edges(out, k, r, seed);
        if (!done)
            add_random(out, k, &a->correctness, r, seed);
    }
    add_performance(out, k, a, seed);
}

void case_list_free(struct case_list *l)
{
    free(l->item);
    *l = (struct case_list){0};
}

static int given_values(const struct kernel *k, const char *name, enum value_dist *v, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    *v = k->values[0];
    if (!name || kernel_values_find(k, name, v))
        return 0;
    for (int i = 0; i < k->values_count; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", kernel_values_name(k, k->values[i]));
    err_input(e, "'%.60s' is no kind of values of this assignment; there are: %s", name, known.s);
    return -1;
}

int cases_add_given(struct case_list *l, const struct assignment *a, const struct tier *t,
                    const struct given_case *g, struct err *e)
{
    struct shape s;
    enum value_dist values;
    char rule[SHAPE_TEXT];
    if (kernel_shape_fixed(t->kernel, a->fixed, g->size, a->matrices, &s, e) != 0 ||
        given_values(t->kernel, g->values, &values, e) != 0)
        return -1;
    shape_rule_text(t->shapes, rule);
    if (!shape_allowed(t->shapes, s))
        return err_input(e, "the tier %s takes %s, and %.60s is none", t->name, rule, g->size);
    struct test_case *c = append(l, CASE_RANDOM, s, 0);
    c->rule = t->shapes;
    c->values = values;
    c->seed = g->seed; /* as somebody gives it: it is no secret */
    return c->index;
}

bool case_applies(const struct assignment *a, const struct tier *t, const struct test_case *c)
{
    const struct subset *only = &a->only;
    if (c->kind != CASE_PERFORMANCE)
        return shape_rule_equal(c->rule, t->shapes) && tier_takes(t, c->shape) &&
               (!only->one_case || c->index == only->case_index);
    if (only->untimed || (only->size.dim[0] && !shape_equal(only->size, c->shape)))
        return false;
    for (unsigned i = 0; i < tier_size_count(a, t); i++)
        if (shape_equal(tier_size(a, t, i), c->shape))
            return true;
    return weak_has(a, t, c->shape);
}

bool case_is_timed(const struct assignment *a, const struct tier *t, const struct test_case *c,
                   struct launch l)
{
    if (c->kind != CASE_PERFORMANCE || !case_applies(a, t, c))
        return false;
    for (unsigned i = 0; i < tier_size_count(a, t); i++)
        if (shape_equal(tier_size(a, t, i), c->shape))
            return true;
    return weak_has_for(a, t, c->shape, l);
}

bool case_is_checked(const struct assignment *a, const struct tier *t, const struct test_case *c)
{
    return c->kind != CASE_PERFORMANCE && case_applies(a, t, c);
}

unsigned cases_to_check(const struct case_list *l, const struct assignment *a, const struct tier *t)
{
    unsigned cases = 0;
    for (size_t i = 0; i < l->count; i++)
        cases += case_is_checked(a, t, &l->item[i]);
    unsigned launches = 0;
    for (unsigned i = 0; i < tier_check_count(a, t); i++)
        launches += tier_checks(t, i);
    return cases * launches;
}

long long case_run_number(const struct kernel *k, const struct test_case *c, uint64_t run, int i)
{
    uint64_t value = 0; /* room for any number */
    k->generate(k, c->shape, c->values, case_run_seed(c, run), i, &value);
    return (long long)element_real(k->in[i].type, &value, 0);
}

const char *case_kind_name(enum case_kind k)
{
    static const char *const names[] = {"edge", "random", "performance"};
    return names[k];
}

uint64_t case_first_run(unsigned launch)
{
    return (uint64_t)launch * CASE_RUNS_PER_LAUNCH;
}

uint64_t case_run_seed(const struct test_case *c, uint64_t run)
{
    return rng_child(c->seed, run);
}

bool case_timed_beside(const struct assignment *a, const char *yardstick, const struct test_case *c)
{
    if (c->kind != CASE_PERFORMANCE)
        return false;
    for (unsigned t = 0; t < a->tiers_count; t++)
        if (strcmp(tier_yardstick(a, &a->tiers[t]), yardstick) == 0 &&
            case_applies(a, &a->tiers[t], c))
            return true;
    return false;
}
