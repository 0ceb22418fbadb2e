#include "model/race.h"

enum { REPEAT_LEAST = 100, REPEAT_MOST = 100000 };

/* Failures to expect in that many runs. Threads that are cold show other races than warm ones, and
 * a replay has another share of them: half of that must do, and none at all of 5 comes once in e^5
 * = 150 times. */
enum { EXPECTED = 10 };

bool race_found(const struct race_evidence *e)
{
    if (e->workers < 2 || e->alone_failed || e->runs < 2 || e->wrong < 1)
        return false;
    return e->wrong < e->runs || e->different_wrongs > 1;
}

int race_repeat(int failed, int runs)
{
    if (failed < 1 || runs < failed)
        return REPEAT_LEAST;
    long long n = ((long long)EXPECTED * runs + failed - 1) / failed;
    if (n < REPEAT_LEAST)
        return REPEAT_LEAST;
    return n > REPEAT_MOST ? REPEAT_MOST : (int)n;
}
