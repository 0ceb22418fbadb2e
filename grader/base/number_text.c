/*
 * A double is m * 2^q, with m below 2^53. Its decimal digits are those of v * 10^k, rounded, where
 * k moves the last one that is wanted before the point. With k up to 27, 5^k has 63 bits and m *
 * 5^k fits into 128, so nothing is lost: what is rounded off is known exactly. Other numbers, which
 * times are not, are left to printf().
 */
#include "base/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SIGNIFICANT_MOST = 17, POWER_MOST = 27, MANTISSA = 52, BIAS = 1075 };

__extension__ typedef unsigned __int128 wide;

/* Digits of v from the end of `out` on. Returns where they begin. */
static char *put_digits(char *end, uint64_t v)
{
    do
        *--end = (char)('0' + v % 10);
    while (v /= 10);
    return end;
}

void number_add_int(struct strbuf *sb, long long v)
{
    char text[24], *end = text + sizeof text;
    char *s = put_digits(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    if (v < 0)
        *--s = '-';
    strbuf_add(sb, s, (size_t)(end - s));
}

static uint64_t power(unsigned base, int n)
{
    uint64_t v = 1;
    while (n-- > 0)
        v *= base;
    return v;
}

/* The digits of v > 0, and the power of ten of the first one. False: left to printf(). */
static bool round_to(double v, int significant, uint64_t *digits, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const int biased = (int)(bits >> MANTISSA);
    if (biased == 0 || significant < 1 || significant > SIGNIFICANT_MOST)
        return false;
    const uint64_t m = (bits & ((UINT64_C(1) << MANTISSA) - 1)) | UINT64_C(1) << MANTISSA,
                   end = power(10, significant);
    const int q = biased - BIAS;
    /* floor(log10(2^n)), which is that of v or one less */
    int e = (int)(((q + MANTISSA) * INT64_C(1292913986)) >> 32);
    for (int turn = 0; turn < 2; turn++, e++) {
        const int k = significant - 1 - e, shift = -(q + k);
        if (k < 0 || k > POWER_MOST || shift < 1 || shift > 127)
            return false;
        const wide all = (wide)m * power(5, k), whole = all >> shift;
        if (whole >= end)
            continue;
        const wide rest = all - (whole << shift), half = (wide)1 << (shift - 1);
        *digits = (uint64_t)whole + (rest > half || (rest == half && whole % 2));
        *exponent = e;
        if (*digits == end) {
            *digits /= 10;
            ++*exponent;
        }
        return true;
    }
    return false;
}

void number_add(struct strbuf *sb, double v, int significant)
{
    char text[64], *end = text + sizeof text;
    uint64_t digits = 0;
    int e = 0;
    if (v != 0 && (!isfinite(v) || !round_to(fabs(v), significant, &digits, &e))) {
        strbuf_addf(sb, "%.*g", significant, v);
        return;
    }
    while (digits && digits % 10 == 0)
        digits /= 10;
    const char *s = put_digits(end, digits);
    const int n = (int)(end - s);
    const bool scientific = v != 0 && (e < -4 || e >= significant);
    if (signbit(v))
        strbuf_add(sb, "-", 1);
    if (!scientific && e < 0)
        strbuf_add(sb, "0.0000", (size_t)(1 - e));
    const int before = scientific ? 1 : e < 0 ? 0 : e + 1; /* digits before the point */
    strbuf_add(sb, s, (size_t)(before < n ? before : n));
    for (int i = n; i < before; i++)
        strbuf_add(sb, "0", 1);
    if (before < n) {
        if (before)
            strbuf_add(sb, ".", 1);
        strbuf_add(sb, s + before, (size_t)(n - before));
    }
    if (scientific)
        strbuf_addf(sb, "e%c%02d", e < 0 ? '-' : '+', e < 0 ? -e : e);
}
