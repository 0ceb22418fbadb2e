/* How numbers and intervals are printed. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "report/text.h"

TEST(intervals)
{
    static const struct {
        struct interval i;
        const char *text;
    } table[] = {
        {{NAN, NAN, NAN, 0, false}, "-"},
        {{NAN, NAN, NAN, 0, true}, "-"},
        {{7.312, 7.25, 7.37, 9, false}, "7.31 ±0.8%"},
        {{7.312, 7.25, 7.37, 9, true}, "~7.31 ±0.8%"},
        {{44.2, 40.2, 48.2, 9, false}, "44.2 ±9.0%"},
        {{44.2, 33.15, 55.25, 9, false}, "44.2 ±25%"},
        {{44.2, 10, 90, 9, true}, "~44.2 ±90%"},
        {{0.844, 0.4, 1.5, 9, true}, "~0.844 ±65%"},
        {{1234, 600, 2000, 9, true}, "~1234 ±57%"},
        {{3.2, 0, INFINITY, 9, true}, "~3.20 ±>999%"},
        {{3.2, 3.2, 3.2, 1, true}, "~3.20 ±>999%"}, /* one value has no width */
        {{3.2, 3.2, 3.2, 1, false}, "3.20 ±>999%"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[TEXT_MOST];
        text_interval(table[i].i, text);
        if (strcmp(text, table[i].text) != 0)
            fail_msg("%s instead of %s", text, table[i].text);
    }
}

#define CONFIRMED                                                                                  \
    {                                                                                              \
        1, 0.9, 1.1, 9, false                                                                      \
    }
#define UNCONFIRMED                                                                                \
    {                                                                                              \
        1, 0.9, 1.1, 9, true                                                                       \
    }
#define NONE                                                                                       \
    {                                                                                              \
        0, 0, 0, 0, false                                                                          \
    }

TEST(numbers_of_measured_times)
{
    static const struct {
        double v;
        struct interval of;
        const char *number, *seconds, *share;
    } table[] = {
        {NAN, CONFIRMED, "-", "-", "-"},
        {NAN, UNCONFIRMED, "-", "-", "-"},
        {0.0294, CONFIRMED, "0.029", "29.4 ms", "3%"},
        {0.0294, UNCONFIRMED, "~0.029", "~29.4 ms", "~3%"},
        {0.0294, NONE, "0.029", "29.4 ms", "3%"},
        {1.137, UNCONFIRMED, "~1.14", "~1.14 s", "~114%"},
        {0.0009996, CONFIRMED, "0.001", "1.00 ms", "0%"}, /* no "1000 us" */
        {0.0009994, CONFIRMED, "0.001", "999 us", "0%"},
        {0.9996, CONFIRMED, "1.00", "1.00 s", "100%"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[TEXT_MOST];
        text_measured(table[i].v, table[i].of, text);
        assert_string_equal(text, table[i].number);
        text_measured_seconds(table[i].v, table[i].of, text);
        assert_string_equal(text, table[i].seconds);
        text_measured_share(table[i].v, table[i].of, text);
        assert_string_equal(text, table[i].share);
    }
}

TEST(authors)
{
    static const struct {
        const char *name, *id, *text;
    } table[] = {
        {"a\tb", "a%09b", "a%09b"},
        {"a\nb", "a%0Ab", "a%0Ab"},
        {"a\033[31mb", "a%1B%5B31mb", "a%1B%5B31mb"},
        {"J\xf6rg", "J%F6rg", "J%F6rg"},
        {"", "al12", "al12"},
        {"alice", "alice", "alice"},
        {"M\xc3\xbcller, J\xc3\xb6rg", "M%C3%BCller%2C%20J%C3%B6rg",
         "M\xc3\xbcller, J\xc3\xb6rg (M%C3%BCller%2C%20J%C3%B6rg)"},
        {"Ada Lovelace", "al12", "Ada Lovelace (al12)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *name = xstrdup(table[i].name), *id = xstrdup(table[i].id);
        OWNED char *text = text_author(&(struct submission){.name = name, .id = id});
        assert_string_equal(text, table[i].text);
    }
}

TEST(singular_and_plural)
{
    static const struct {
        unsigned long long n;
        const char *text;
    } table[] = {
        {0, "units have"},
        {1, "unit has"},
        {2, "units have"},
        {1ULL << 32, "units have"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_string_equal(plural(table[i].n, "unit has", "units have"), table[i].text);
}

TESTS(NULL, NULL)

/* As in grades.csv: points that a rounding of 0.25 gives look the same everywhere. */
TEST(points_with_their_decimals)
{
    static const struct {
        double points, most;
        const char *text;
    } table[] = {
        {7.25, 10, "7.25 of 10 points"},     {7.5, 10, "7.5 of 10 points"},
        {8, 10, "8.0 of 10 points"},         {6.6667, 10, "6.7 of 10 points"},
        {2.5, 2.25, "2.50 of 2.25 points"},  {1, 1, "1.0 of 1 point"},
        {0.1 + 0.2, 10, "0.3 of 10 points"}, {15.25, 16.8, "15.25 of 16.8 points"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[TEXT_MOST];
        text_points_of(table[i].points, table[i].most, text);
        if (strcmp(text, table[i].text) != 0)
            fail_msg("%s instead of %s", text, table[i].text);
    }
}
