/* Which width a kernel forgets the rest of, from the sizes that passed and failed. */
#include "unit.h"

#include "model/left_over.h"

TEST(widths)
{
    static const struct {
        const char *name;
        struct tried_size tried[6];
        size_t n;
        int said, width;
    } table[] = {
        {"nothing else is known", {{17, true}}, 1, 8, 8},
        {"it fits", {{17, true}, {16, false}, {8, false}}, 3, 8, 8},
        {"12 passes", {{17, true}, {12, false}, {8, false}, {6, true}}, 4, 8, 4},
        {"8 fails", {{17, true}, {8, true}, {16, false}}, 3, 8, 16},
        {"three", {{7, true}, {9, false}, {8, true}, {6, false}}, 4, 8, 3},
        {"no width fits", {{17, true}, {16, true}, {1, false}}, 3, 8, 8},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (left_over_width(table[i].tried, table[i].n, table[i].said) != table[i].width)
            fail_msg("%s: %d", table[i].name,
                     left_over_width(table[i].tried, table[i].n, table[i].said));
}

TESTS(NULL, NULL)
