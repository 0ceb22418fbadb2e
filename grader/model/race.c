#include "model/race.h"

enum { REPEAT_LEAST = 10000, REPEAT_MOST = 100000 };

/* How many failures are expected in that many runs, of which ten are needed. The frequency is known
 * from a few failures only, and of the case that failed most often by chance. In replays on a busy
 * node, one in a hundred was seen. */
enum { EXPECTED = 1000 };

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
