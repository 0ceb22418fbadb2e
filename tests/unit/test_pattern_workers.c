/* Which rank or thread has the wrong rows, and which rows lie between two. */
#include "unit.h"

#include <string.h>

#include "kernel/pattern_workers.h"

enum { ROWS_MOST = 64 };

/* Rows from first to last are wrong in all columns, every step-th one. */
static void check(int rows, int workers, int first, int last, int step, int owner,
                  const char *between)
{
    int per_row[ROWS_MOST] = {0}, from, to;
    struct facts f = {
        .rows = rows, .cols = 3, .row = "row", .per_row = per_row, .first_row = first};
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    for (int i = first; i <= last; i += step) {
        per_row[i] = f.cols;
        f.wrong += (uint64_t)f.cols;
        f.bad_rows++;
        f.last_row = i;
    }
    assert_int_equal(pattern_owning_worker(&f, workers, &from, &to), owner);
    assert_int_equal(pattern_between_workers(&f, workers), between != NULL);
    if (between) {
        pattern_between_text(&text, &f, "rank");
        assert_non_null(strstr(text.s, between));
    }
}

TEST(owners)
{
    check(16, 4, 4, 7, 1, 1, NULL);
    check(17, 4, 5, 8, 1, 1, NULL); /* only where the first rank has one row more */
    check(3, 4, 0, 0, 1, -1, NULL); /* rank 0 or 1 */
    check(17, 2, 4, 12, 1, -1, NULL);
    check(17, 1, 4, 5, 1, -1, NULL);
    check(2, 2, 1, 1, 1, 1, NULL);     /* all that it has */
    check(64, 2, 20, 20, 1, -1, NULL); /* each row is in one half or the other */
    check(64, 2, 20, 23, 1, -1, NULL);
    check(64, 2, 20, 25, 1, 0, NULL);
}

TEST(edges)
{
    check(17, 2, 8, 8, 1, -1, "(8): what does it get from that rank?");
    check(32, 2, 15, 16, 1, -1, "(15, 16)");
    check(40, 4, 10, 30, 10, -1, "(10, 20, 30)");
    check(64, 8, 8, 56, 8, -1, "(8, 16, 24, 32, ...)");
    check(40, 4, 11, 31, 10, -1, NULL);
    check(15, 2, 7, 7, 1, -1, NULL); /* in so few rows, it may be chance */
}

TESTS(NULL, NULL)
