#include "export/grade.h"

/* What the tiers of a student say. */
struct tiers_sum {
    unsigned counted;
    double max_points; /* of all tiers, also of those that do not count */
};

static struct tiers_sum sum_of(const struct graded_run *run, unsigned submission)
{
    const struct unit_range mine = plan_units_of(run->run->plan, (int)submission);
    struct tiers_sum sum = {0};
    for (unsigned i = mine.first; i < mine.end; i++) {
        sum.counted += run->board->unit[i].counted;
        sum.max_points += run->board->unit[i].max_points;
    }
    return sum;
}

/* Has a person decided about the total? */
static bool is_decided(const struct graded_run *run, unsigned submission)
{
    const struct overrides *o = &run->run->overrides;
    return overrides_find(o, (int)submission, -1, OVERRIDE_POINTS) ||
           overrides_find(o, (int)submission, -1, OVERRIDE_DELTA);
}

int grade_of(const struct graded_run *run, unsigned submission, double out_of, double *grade,
             struct err *e)
{
    const struct submission_score *s = &run->board->submission[submission];
    const struct tiers_sum sum = sum_of(run, submission);
    const bool decided = is_decided(run, submission);
    if (!sum.counted && !decided)
        return 1;
    const double most = s->max_points > 0 ? s->max_points : sum.max_points;
    if (out_of > 0 && decided && !(most > 0))
        return err_input(e,
                         "the total of %s was set to %g points, but the assignment has no "
                         "maximum, so --out-of cannot convert it; leave out --out-of",
                         run->run->plan->submissions[submission].id, s->points);
    *grade = !(out_of > 0) ? s->points : most > 0 ? out_of * s->points / most : 0;
    return 0;
}
