/* Times of Moodle's grading worksheet. */
#include "unit.h"

#include <stdlib.h>
#include <time.h>

#include "import/modified_time.h"

TEST(times)
{
    enum { NONE = -1 };
    static const struct {
        const char *text;
        long long at;
    } table[] = {
        {"", NONE},
        {"-", NONE},
        {"Donnerstag, 12. M\xc3\xa4rz 2026, 23:59", NONE},
        {"Thursday, 12 March 2026", NONE},
        {"Thursday, 12 March 2026, 11:59 PM and more", NONE},
        {"Thursday, 12 March 2026, 11:59 PM", 1773356340},
        {"12 March 2026, 11:59 PM", 1773356340},
        {"12 March 2026, 23:59", 1773356340},
        {"Thursday, March 12, 2026, 11:59 PM", 1773356340},
        {"2026-03-12 23:59", 1773356340},
        {"2026-03-12T23:59:00+01:00", 1773356340},
        {"Monday, 6 July 2026, 12:05 AM", 1783289100}, /* summer time */
    };
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t at = NONE;
        const bool ok = modified_time_parse(table[i].text, &at);
        assert_int_equal(ok, table[i].at != NONE);
        if (ok)
            assert_int_equal(at, table[i].at);
    }
    assert_true(modified_time_is_none("-") && modified_time_is_none(""));
    assert_false(modified_time_is_none("gestern"));
}

TESTS(NULL, NULL)
