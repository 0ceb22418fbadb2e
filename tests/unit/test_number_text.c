/* Numbers are written as printf() writes them. */
#include "unit.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"

static void check(double v, int significant)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    char text[64];
    snprintf(text, sizeof text, "%.*g", significant, v);
    number_add(&sb, v, significant);
    if (strcmp(sb.s, text) != 0)
        fail_msg("%a, %d: '%s' for '%s'", v, significant, sb.s, text);
}

static void check_all(double v)
{
    for (int significant = 0; significant < 20; significant++) {
        check(v, significant);
        check(-v, significant);
    }
}

TEST(numbers)
{
    static const double table[] = {0,
                                   1,
                                   10,
                                   100000,
                                   1e15,
                                   1e16,
                                   1e17,
                                   1e300,
                                   0.1,
                                   0.0001,
                                   0.00001,
                                   1e-11,
                                   1e-27,
                                   5e-324,
                                   2.2250738585072014e-308,
                                   1.7976931348623157e308,
                                   3.197290277777778e-05,
                                   360448,
                                   0.5,
                                   2.5,
                                   3.5, /* ties */
                                   1.125,
                                   1.375,
                                   4503599627370496.5,
                                   9.5,
                                   99.5,
                                   0.95,
                                   0.99999999999999989,
                                   9.9999999999999982,
                                   999999.99999999988};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        check_all(table[i]);
    check_all((double)NAN);
    check_all((double)INFINITY);
}

/* Powers of two and of ten, and their neighbours. */
TEST(limits)
{
    for (int n = -40; n < 40; n++)
        for (int k = 0; k < 2; k++) {
            const double v = k ? pow(10, n) : ldexp(1, 3 * n);
            check_all(v);
            check_all(nextafter(v, 0));
            check_all(nextafter(v, INFINITY));
        }
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

TEST(random_numbers)
{
    uint64_t seed = 88172645463325252;
    for (int i = 0; i < 300000; i++) {
        const uint64_t bits = next(&seed);
        const int places = (int)(next(&seed) % 12);
        double any;
        memcpy(&any, &bits, sizeof any);
        check(any, 17);
        check(ldexp((double)(bits >> 11), -(int)(next(&seed) % 90)), 1 + i % 17);
        check(round((double)(bits >> 40)) / pow(10, places), 1 + i % 17); /* few digits */
    }
}

TEST(integers)
{
    static const long long table[] = {0, 1, -1, 9, 10, -10, 12345678901, LLONG_MAX, LLONG_MIN};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        char text[32];
        snprintf(text, sizeof text, "%lld", table[i]);
        number_add_int(&sb, table[i]);
        assert_string_equal(sb.s, text);
    }
}

TESTS(NULL, NULL)
