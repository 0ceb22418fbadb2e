/* What repeated runs say about a wrong result. */
#include "unit.h"

#include "model/race.h"

TEST(decisions)
{
    static const struct {
        const char *name;
        struct race_evidence e;
        bool found;
    } table[] = {
        {"nothing", {0}, false},
        {"one run says nothing",
         {.workers = 4, .runs = 1, .wrong = 1, .different_wrongs = 1},
         false},
        {"none wrong", {.workers = 4, .runs = 8}, false},
        {"always the same wrong result",
         {.workers = 4, .runs = 8, .wrong = 8, .different_wrongs = 1},
         false},
        {"one worker has nobody to race with",
         {.workers = 1, .runs = 8, .wrong = 3, .different_wrongs = 3},
         false},
        {"wrong with one worker, too",
         {.workers = 4, .alone_failed = true, .runs = 8, .wrong = 3, .different_wrongs = 3},
         false},
        {"wrong and right", {.workers = 2, .runs = 8, .wrong = 1, .different_wrongs = 1}, true},
        {"right once", {.workers = 2, .runs = 8, .wrong = 7, .different_wrongs = 1}, true},
        {"always wrong, not alike",
         {.workers = 2, .runs = 8, .wrong = 8, .different_wrongs = 2},
         true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (race_found(&table[i].e) != table[i].found)
            fail_msg("%s", table[i].name);
}

TEST(repeats)
{
    static const struct {
        int failed, runs, repeat;
    } table[] = {
        {0, 0, 10000},        {0, 50, 10000},          {-1, 50, 10000},
        {7, 3, 10000},        {8, 8, 10000},           {1, 2, 10000},
        {1, 90, 90000},       {2, 20, 10000},          {2, 999, 100000},
        {1, 1000000, 100000}, {1, 2147483647, 100000}, {2147483647, 2147483647, 10000},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (race_repeat(table[i].failed, table[i].runs) != table[i].repeat)
            fail_msg("%d of %d: %d", table[i].failed, table[i].runs,
                     race_repeat(table[i].failed, table[i].runs));
}

TESTS(NULL, NULL)
