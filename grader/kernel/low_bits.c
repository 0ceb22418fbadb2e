#include "kernel/low_bits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernel/pattern.h"

/* An element that is right in 8 bits may be so by chance, and few in 16 bits. */
enum { LEAST_OF_8_BITS = 3 };

/* The bytes that come first are the low ones on every machine that we know. */
uint64_t low_bits_at(const void *of, enum element_type t, size_t i)
{
    uint64_t v = 0;
    memcpy(&v, (const unsigned char *)of + i * type_bytes(t), type_bytes(t));
    return v;
}

/* What the wrong elements have in common. False: some were not written at all. */
static bool collect(const struct low_bits *l, uint64_t *differences, uint64_t *expected,
                    size_t *wrong)
{
    for (size_t i = 0; i < l->n; i++) {
        const uint64_t e = low_bits_at(l->expected, l->type, i);
        if (!(l->facts[i] & ELEMENT_WRONG))
            continue;
        if (l->facts[i] & ELEMENT_UNTOUCHED)
            return false;
        ++*wrong;
        *expected |= e;
        *differences |= e ^ low_bits_at(l->got, l->type, i);
    }
    return true;
}

void low_bits_describe(const struct low_bits *l, struct mismatch *m)
{
    uint64_t differences = 0, expected = 0;
    size_t wrong = 0;
    const size_t used = strlen(m->pattern);
    if (!collect(l, &differences, &expected, &wrong))
        return;
    for (int bits = 32; bits >= 8; bits /= 2) {
        const uint64_t low = (UINT64_C(1) << bits) - 1;
        if (bits >= 8 * (int)type_bytes(l->type) || differences & low || !(expected & low) ||
            (bits == 8 && wrong < LEAST_OF_8_BITS))
            continue;
        snprintf(
            m->pattern + used, sizeof m->pattern - used,
            "; the lowest %d bits are right: is a number inside too narrow, or a sum too large "
            "for it?",
            bits);
        return;
    }
}
