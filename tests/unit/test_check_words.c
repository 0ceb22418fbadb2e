/* What the check of an exercise says, as students read it. */
#include <stdio.h>
#include <string.h>

#include "measure/check_words.h"
#include "unit.h"

TEST(words)
{
    static const struct {
        const char *said, *read;
    } table[] = {
        {"", ""},
        {"  parent[3] is\n\t-7  ", "parent[3] is -7"},
        {"\xff\x1b[31mred", "[31mred"},
        {"x is 0xdeadbeef", "x is 0xdeadbeef"},
        {"at 0x7facca47ffc0, 0x55AACCA41CF00 and 0xg", "at 0x.., 0x.. and 0xg"},
        {"0x123456789", "0x.."},
        {" \n ", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", table[i].said);
        check_words_clean(text);
        assert_string_equal(text, table[i].read);
    }
}

TEST(ends)
{
    static const struct {
        const char *said, *read;
    } table[] = {
        {"it was killed by signal 11 at address 0x7f92192fc7c0", "it was killed by signal 11"},
        {"it was killed by signal 11 at address 0x0: a null pointer",
         "it was killed by signal 11 at address 0x0: a null pointer"},
        {"the stack overflowed. Allocate large arrays with malloc", "the stack overflowed"},
        {"ran longer than 1.5 s, the limit for one case",
         "ran longer than 1.5 s, the limit for one case"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", table[i].said);
        check_words_of_end(text);
        assert_string_equal(text, table[i].read);
    }
}

TESTS(NULL, NULL)
