#include "model/separation.h"

#include "base/strbuf.h"

static bool is_beside(const struct separation *s, long long number)
{
    return s->kind == SEPARATION_LEAST  ? number < s->bound
           : s->kind == SEPARATION_MOST ? number > s->bound
                                        : number % 2 == 0;
}

/* Counts the others. All that fail must be on one side. */
static void count(const struct tried_number *tried, size_t n, struct separation *s)
{
    bool apart = true;
    s->chance = 1;
    for (size_t i = 0; i < n; i++) {
        const bool beside = is_beside(s, tried[i].number);
        apart = apart && !(tried[i].failed && beside);
        s->passed += beside;
        s->failed += tried[i].failed;
    }
    for (size_t i = 0; i < s->failed && apart; i++)
        s->chance *= i < n - s->passed ? (double)(n - s->passed - i) / (double)(n - i) : 0;
}

struct separation separation_find(const struct tried_number *tried, size_t n)
{
    long long least = 0, most = 0;
    struct separation best = {.kind = SEPARATION_NONE, .chance = 1};
    for (size_t i = 0, failed = 0; i < n; i++) {
        if (!tried[i].failed)
            continue;
        least = !failed || tried[i].number < least ? tried[i].number : least;
        most = !failed || tried[i].number > most ? tried[i].number : most;
        failed++;
    }
    const struct separation ways[] = {{.kind = SEPARATION_LEAST, .bound = least},
                                      {.kind = SEPARATION_MOST, .bound = most},
                                      {.kind = SEPARATION_ODD}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct separation s = ways[i];
        count(tried, n, &s);
        if (s.failed && s.chance < best.chance)
            best = s;
    }
    return best;
}

char *separation_text(const struct separation *s, const char *name)
{
    if (s->kind == SEPARATION_ODD)
        return xasprintf("in every case that fails (%zu), %s is odd; where it is even, all pass "
                         "(%zu)",
                         s->failed, name, s->passed);
    return xasprintf("in every case that fails (%zu), %s is %lld or %s; where it is %s, all pass "
                     "(%zu)",
                     s->failed, name, s->bound, s->kind == SEPARATION_LEAST ? "more" : "less",
                     s->kind == SEPARATION_LEAST ? "less" : "more", s->passed);
}
