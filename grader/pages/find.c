#include "pages/find.h"

#include <math.h>

const struct unit_result *find_result(const struct source *s, int unit)
{
    return unit < 0 ? NULL : s->results->unit[unit];
}

bool find_passed(const struct source *s, int unit)
{
    const struct unit_result *u = find_result(s, unit);
    return u && u->verdict == VERDICT_PASS;
}

bool find_ladder_size(const struct source *s, int submission, struct shape *size)
{
    const struct run *r = s->run;
    const struct unit_range of = plan_units_of(r->plan, submission);
    unsigned most = 0;
    double operations = 0;
    for (size_t c = 0; c < r->cases.count; c++) {
        const struct test_case *tc = &r->cases.item[c];
        unsigned tiers = 0;
        if (tc->kind != CASE_PERFORMANCE)
            continue;
        for (unsigned u = of.first; u < of.end; u++)
            tiers += find_passed(s, (int)u) && score_fastest(s->board, (int)u, tc->shape);
        const double n = kernel_work(r->assignment->kernel, tc->shape);
        if (tiers > most || (tiers && tiers == most && n > operations)) {
            most = tiers;
            operations = n;
            *size = tc->shape;
        }
    }
    return most > 0;
}

/* Keep the better one of two with the same number of workers, in order. */
static size_t insert(const struct speed **list, size_t n, size_t most, const struct speed *x)
{
    size_t at = 0;
    while (at < n && launch_workers(list[at]->launch) < launch_workers(x->launch))
        at++;
    if (at < n && launch_workers(list[at]->launch) == launch_workers(x->launch)) {
        if (x->seconds.value < list[at]->seconds.value)
            list[at] = x;
        return n;
    }
    if (n == most)
        return n;
    for (size_t i = n; i > at; i--)
        list[i] = list[i - 1];
    list[at] = x;
    return n + 1;
}

size_t find_scaling(const struct source *s, int unit, bool over_nodes, const struct speed **out,
                    size_t most)
{
    const struct speeds of = score_speeds(s->board, unit);
    const struct kernel *k = s->run->assignment->kernel;
    const struct speed *largest = NULL;
    size_t n = 0;
    if (!find_passed(s, unit))
        return 0;
    for (const struct speed *x = of.first; x < of.end; x++)
        if (x->graded && launch_workers(x->launch) > 1 && isfinite(x->efficiency.value) &&
            (!largest || kernel_work(k, x->shape) > kernel_work(k, largest->shape)))
            largest = x;
    for (const struct speed *x = of.first; largest && x < of.end; x++)
        if (x->graded && isfinite(x->efficiency.value) && (x->launch.nodes > 1) == over_nodes &&
            shape_equal(x->shape, largest->shape))
            n = insert(out, n, most, x);
    return n;
}
