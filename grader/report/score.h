/*
 * score.h - from results to speed-ups, efficiencies and points. Pure: no files, no processes.
 */
#ifndef REPORT_SCORE_H
#define REPORT_SCORE_H

#include <stdbool.h>

#include "base/stats.h"
#include "rundir/results.h"

/* One measured (unit, launch, performance case). */
struct speed {
    int unit;
    int case_index;
    struct shape shape;
    struct launch launch;
    bool graded; /* passed, not oversubscribed */
    bool oversubscribed;
    struct interval seconds;
    double typical;             /* the median run over `seconds` */
    struct interval end_to_end; /* with the copies to and from a device; n = 0: there is none */
    double gops;                /* of the median */
    double peak_share;        /* of the node's measured multiply-add peak x workers; NaN unknown */
    struct interval speedup;  /* over the baseline; medians multiply, intervals too */
    struct interval fraction; /* of the reference in the same tier, launch and size */
    struct interval efficiency; /* speed-up over the same unit on one worker, / workers */
    /* speed-up over the same ranks and threads of a node on one node, / nodes; 1 on one node */
    struct interval node_efficiency;
};

struct unit_score {
    enum verdict verdict;
    unsigned cases_passed, cases_total; /* launches x cases */
    double correct_points;
    double speed_points; /* both together are rounded as the assignment says */
    double scored;       /* both, so rounded: what the results are worth */
    double late_penalty; /* of these points */
    double points;       /* what is given: after the penalty and after overrides */
    double max_points;
    bool counted; /* false: infra-error, skipped or not gradable; neither earned nor lost */
    /* Why its times cannot be graded: what they are compared with is missing. NULL: they can be. */
    const char *not_gradable;
};

struct submission_score {
    int64_t late_s;      /* after its deadline, in seconds; 0: not late, or not known */
    double late_penalty; /* of all units that count */
    double points;
    double max_points; /* of the units that count */
    unsigned uncounted;
};

struct scoreboard {
    struct speed *speed; /* in the order of the units */
    unsigned speed_count;
    struct unit_score *unit;             /* per plan unit */
    struct submission_score *submission; /* per plan submission */
};

/* Did it pass, with times that count? */
bool score_timed(const struct case_result *c);
/* Was it checked but not timed, because the launch has more workers than there were cores? */
bool score_lacks_cores(const struct run *r, const struct case_result *c);
/* The timed result of a case under a launch, or NULL. */
const struct case_result *score_find(const struct unit_result *u, int case_index, struct launch l);
/* Speeds from `first` to before `end`. */
struct speeds {
    const struct speed *first, *end;
};
/* The speeds of a unit; none for -1. */
struct speeds score_speeds(const struct scoreboard *b, int unit);
/* Those of some units of the plan. */
struct speeds score_speeds_of(const struct scoreboard *b, struct unit_range units);
/* The fastest launch of a unit at a size that counts; NULL: there is none. */
const struct speed *score_fastest(const struct scoreboard *b, int unit, struct shape size);

/* A case and the unit that it is of. */
struct case_of {
    const struct unit_result *unit;
    const struct case_result *result;
};

/* The speed of one case over that of another one, relative to the yardstick that both were timed
 * beside. Over itself it is exactly 1. Unknown (NAN, n = 0) if they were timed beside different
 * yardsticks: a node that cannot run the yardstick of a tier uses another one. */
struct interval score_over(struct case_of c, struct case_of other);

void score_run(const struct run *r, const struct results *res, struct scoreboard *out);
void scoreboard_free(struct scoreboard *s);

/* Points that a speed rule pays at a metric value: piecewise linear, flat outside the curve. */
double score_curve(const struct speed_rule *rule, double value);

/* Points of one rule at one size: those of the unit's best graded launch. */
double score_best(const struct assignment *a, const struct scoreboard *b, int unit,
                  const struct tier *t, const struct speed_rule *rule, struct shape size);

/* The value that is paid. With BENEFIT_INTERVAL: the high end of the interval, but at most 5 % more
 * than the median. */
double score_value(struct interval value, enum benefit benefit);

/* The nearest multiple of `rounding`, but no more than `most`. All points stay all points.
 * rounding 0: the points as they are. */
double score_round(double points, double rounding, double most);

#endif
