/* Integers whose lowest bits are right. */
#include "unit.h"

#include <string.h>

#include "kernel/low_bits.h"
#include "kernel/pattern.h"

enum { N = 4 };

TEST(widths)
{
    static const struct {
        int64_t expected[N], got[N];
        const char *says;
    } table[] = {
        {{600000, 5, 6, 7}, {75712, 5, 6, 7}, "x; the lowest 16 bits are right: "},
        {{INT64_C(1) << 40 | 3, 5, 6, 7}, {3, 5, 6, 7}, "x; the lowest 32 bits are right: "},
        {{0x1234, 0x5678, 0x9abc, 7}, {0x34, 0x78, 0xbc, 7}, "x; the lowest 8 bits are right: "},
        {{0x1234, 5, 6, 7}, {0x34, 5, 6, 7}, "x"},           /* one may be so by chance */
        {{0x10000, 0x20000, 5, 7}, {0, 0x90000, 5, 7}, "x"}, /* nothing that is right */
        {{600000, 5, 6, 7}, {75712, 4, 6, 7}, "x"},          /* another is wrong in other ways */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mismatch m = {.pattern = "x"};
        unsigned char facts[N];
        for (int e = 0; e < N; e++)
            facts[e] = table[i].expected[e] == table[i].got[e] ? 0 : ELEMENT_WRONG;
        low_bits_describe(&(struct low_bits){TYPE_I64, table[i].expected, table[i].got, facts, N},
                          &m);
        m.pattern[strlen(table[i].says)] = '\0';
        assert_string_equal(m.pattern, table[i].says);
        facts[0] |= ELEMENT_UNTOUCHED;
        m = (struct mismatch){.pattern = "x"};
        low_bits_describe(&(struct low_bits){TYPE_I64, table[i].expected, table[i].got, facts, N},
                          &m);
        assert_string_equal(m.pattern, "x");
    }
}

TESTS(NULL, NULL)
