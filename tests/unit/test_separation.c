/* Which number tells the cases that fail from those that pass. */
#include "unit.h"

#include <stdlib.h>

#include "model/separation.h"

enum { CASES = 20 };

static bool above_eight(int i)
{
    return i > 8;
}

static bool below_six(int i)
{
    return i < 6;
}

static bool some_odd(int i)
{
    return i % 2 && i != 5;
}

static bool last(int i)
{
    return i == CASES - 1;
}

static bool all(int i)
{
    return i >= 0;
}

static bool none(int i)
{
    return i < 0;
}

TEST(separations)
{
    static const struct {
        bool (*fails)(int i);
        const char *says;
        bool likely; /* by chance */
    } table[] = {
        {above_eight,
         "in every case that fails (11), n is 9 or more; where it is less, all pass (9)", false},
        {below_six, "in every case that fails (6), n is 5 or less; where it is more, all pass (14)",
         false},
        {some_odd, "in every case that fails (9), n is odd; where it is even, all pass (10)",
         false},
        {last, "in every case that fails (1), n is 19 or more; where it is less, all pass (19)",
         true},
        {all, NULL, true},
        {none, NULL, true},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct tried_number tried[CASES];
        for (int i = 0; i < CASES; i++)
            tried[i] = (struct tried_number){i, table[t].fails(i)};
        const struct separation s = separation_find(tried, CASES);
        assert_int_equal(s.kind == SEPARATION_NONE, table[t].says == NULL);
        assert_int_equal(s.chance > 0.01, table[t].likely);
        if (!table[t].says)
            continue;
        char *text = separation_text(&s, "n");
        assert_string_equal(text, table[t].says);
        free(text);
    }
}

TESTS(NULL, NULL)
