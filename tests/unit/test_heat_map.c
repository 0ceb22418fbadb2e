#include "base/strbuf.h"
#include "unit.h"

#include "base/heat_map.h"

TEST(shades)
{
    static const struct {
        double value, largest;
        int shade;
    } table[] = {
        {0, 1, 0},      {0, 0, 0},      {1, 1, 4},        {0.2501, 1, 4}, {0.25, 1, 3},
        {0.0626, 1, 3}, {0.0625, 1, 2}, {1 / 64.0, 1, 1}, {1e-12, 1, 1},  {1e-12, 1e-12, 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (heat_map_shade(table[i].value, table[i].largest) != table[i].shade)
            fail_msg("%g of %g: shade %d", table[i].value, table[i].largest,
                     heat_map_shade(table[i].value, table[i].largest));
}

TEST(pictures)
{
    const struct {
        struct heat_map m;
        const char *picture;
    } table[] = {
        {{1, 1, (const double[]){0}, false}, "+-+\n| |\n+-+\n"},
        {{1, 1, (const double[]){0}, true}, "┌─┐\n│ │\n└─┘\n"},
        {{1, 1, (const double[]){1}, false}, "+-+\n|#|\n+-+\nused  # up to 100 %\n"},
        {{2, 3, (const double[]){0.4, 0.1, 0.025, 0.00625, 0, 0.4}, false},
         "+---+\n|#+:|\n|. #|\n+---+\n"
         "used  . up to 0.625 %  : up to 2.5 %  + up to 10 %  # up to 40 %\n"},
        {{2, 2, (const double[]){0.01, 0.0005, 0, 0.000001}, true},
         "┌──┐\n│█▒│\n│ ░│\n└──┘\nused  ░ up to 0.0156 %  ▒ up to 0.0625 %  █ up to 1 %\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = NULL;
        size_t bytes;
        FILE *f = open_memstream(&text, &bytes);
        assert_non_null(f);
        heat_map_print(f, &table[i].m, "used");
        fclose(f);
        assert_string_equal(text, table[i].picture);
    }
}

TESTS(NULL, NULL)
