/* What a report says once. */
#include "base/strbuf.h"
#include "unit.h"

#include "report/said.h"

TEST(sentences_are_said_once)
{
    static const struct {
        const char *text, *left;
    } table[] = {
        {"Arithmetic limits this (85.3 a byte). It reaches 3% of it. Next: compute in blocks.",
         "Arithmetic limits this (85.3 a byte). It reaches 3% of it. Next: compute in blocks."},
        {"Arithmetic limits this (85.3 a byte). It reaches 4% of it. Next: compute in blocks.",
         "It reaches 4% of it. Next: as for SIMD."},
        {"Arithmetic limits this (85.3 a byte). It reaches 9% of it. Next: unroll.",
         "It reaches 9% of it. Next: unroll."},
        {"It reaches 9% of it.", ""},
        {"It reaches 9% of it. Next: unroll.", ""},
        {"", ""},
        {"use e.g. a. b and i.e. c", "use e.g. a. b and i.e. c"}, /* no sentence ends in it */
    };
    FREED_BY(said_free) struct said s = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *left = said_new(&s, i ? "OpenMP" : "SIMD", table[i].text),
                   *all = said_new(NULL, "MPI", table[i].text);
        assert_string_equal(left, table[i].left);
        assert_string_equal(all, table[i].text);
    }
}

TESTS(NULL, NULL)
