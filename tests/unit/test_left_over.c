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
        {"a rest that passes, by chance", {{17, true}, {13, true}, {1, false}}, 3, 8, 8},
        {"multiples fail as well", {{3, true}, {8, true}, {2, false}, {5, false}}, 4, 2, 0},
        {"every size fails", {{7, true}, {10, true}, {13, true}}, 3, 2, 0},
        {"no width fits", {{17, true}, {16, true}, {1, false}}, 3, 8, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (left_over_width(table[i].tried, table[i].n, table[i].said) != table[i].width)
            fail_msg("%s: %d", table[i].name,
                     left_over_width(table[i].tried, table[i].n, table[i].said));
}

TEST(exact)
{
    static const struct {
        const char *name;
        struct tried_size tried[12];
        size_t n;
        int workers, width;
    } table[] = {
        {"nothing", {{0, false}}, 0, 2, 0},
        {"few sizes passed",
         {{1, true}, {3, true}, {5, true}, {7, true}, {2, false}, {4, false}, {8, false}},
         7,
         1,
         0},
        {"one size many times",
         {{1, true},
          {3, true},
          {5, true},
          {7, true},
          {2, false},
          {4, false},
          {4, false},
          {8, false}},
         8,
         1,
         0},
        {"odd ones",
         {{1, true},
          {3, true},
          {5, true},
          {7, true},
          {2, false},
          {4, false},
          {6, false},
          {8, false}},
         8,
         1,
         2},
        {"of three threads",
         {{1, true},
          {2, true},
          {5, true},
          {7, true},
          {3, false},
          {6, false},
          {12, false},
          {9, false}},
         8,
         3,
         3},
        {"eleven threads",
         {{1, true},
          {2, true},
          {5, true},
          {7, true},
          {11, false},
          {22, false},
          {33, false},
          {44, false}},
         8,
         11,
         11},
        {"also one that leaves no rest",
         {{1, true},
          {3, true},
          {5, true},
          {8, true},
          {2, false},
          {4, false},
          {6, false},
          {10, false}},
         8,
         1,
         0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (left_over_exact(table[i].tried, table[i].n, table[i].workers) != table[i].width)
            fail_msg("%s: %d", table[i].name,
                     left_over_exact(table[i].tried, table[i].n, table[i].workers));
}

TESTS(NULL, NULL)
