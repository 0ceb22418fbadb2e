/* How many processes the kernel has ended because memory ran out. */
#include "unit.h"

#include "base/oom_kills.h"

TEST(counted)
{
    assert_int_equal(oom_kills_in("nr_free_pages 7\noom_kill 22\noom_kill_x 3\n"), 22);
    assert_int_equal(oom_kills_in("oom_kill 5\n"), 5);
    assert_true(oom_kills_in("drop_oom_kill 5\n") ==
                OOM_KILLS_UNKNOWN); /* an old kernel has no such line */
    assert_true(oom_kills_in("") == OOM_KILLS_UNKNOWN);
}

TESTS(NULL, NULL)
